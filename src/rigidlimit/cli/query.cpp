// The subcommand `query`.
#include "rigidlimit/store/query.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/run/stored_study.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about = "Query stores in SQL; without --sql, print an overview";

constexpr const char* footer =
    "Tables: solves (one row per solve), errors (the judged table), runs, findings,\n"
    "plan, study, samples, grids, curves, texts (reports). `plan` has\n"
    "the keys of the solves of the last run; `solves` has those of all variants:\n"
    "solves JOIN plan USING (key). Stores are opened read-only, also during a run.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit query results/knife_edge\n"
    "  rigidlimit query results/* --sql \"SELECT solver, epsilon, outcome, message\n"
    "      FROM solves WHERE outcome <> 'success'\"\n"
    "  rigidlimit query results/knife_edge --format csv --sql 'SELECT epsilon,\n"
    "      model_error FROM errors WHERE quantity = \"q\" AND norm = \"sup\"\n"
    "      ORDER BY epsilon'";

struct QueryArguments {
  std::vector<std::string> stores;
  std::optional<std::string> sql;  ///< if given, it must be a statement
  QueryLimits limits;
  std::string format = "table";
};

std::string text_of(const QueryResult& result, const std::string& format) {
  if (format == "csv") return csv_text(result);
  if (format == "json") return json_text(result);
  if (format == "markdown") return markdown_text(table_of(result));
  return terminal_text(table_of(result), colour_wanted());
}

int run_query(const QueryArguments& arguments) {
  const std::string sql = arguments.sql.value_or(overview_sql);
  std::vector<std::pair<std::string, QueryResult>> results;
  for (const std::string& text : arguments.stores) {
    const std::string path = store_named(text);
    const auto place = std::filesystem::absolute(path).parent_path();
    results.emplace_back(place.filename().string(), query(path, sql, arguments.limits));
  }
  const QueryResult result = results.size() == 1 ? results.front().second : stacked(results);
  fmt::print("{}", text_of(result, arguments.format));
  return exit_status::held;
}

}  // namespace

Subcommand add_query(CLI::App& program, const SystemCatalogue&) {
  Command command(program, "query", about, footer);
  const auto arguments = std::make_shared<QueryArguments>();
  command.option("STUDY", arguments->stores, "results/NAME or a store (.db)").required();
  command.option("--sql", arguments->sql, "one SELECT statement of SQLite").value("TEXT");
  command.option("--max-rows", arguments->limits.rows, "largest number of rows from one store")
      .value("N")
      .within(1L, 1'000'000'000L)
      .shows_default();
  command.option("--max-seconds", arguments->limits.seconds, "time limit of the query of one store")
      .value("S")
      .within(1e-3, 1e6)
      .shows_default();
  command
      .option("--max-memory", arguments->limits.mebibytes, "memory limit of the query of one store")
      .value("MIB")
      .within(1L, 1'000'000L)
      .shows_default();
  command.option("--format", arguments->format, "format of the output")
      .value("FORMAT")
      .one_of({"table", "csv", "json", "markdown"})
      .shows_default();
  return {command, [arguments] { return run_query(*arguments); }};
}

}  // namespace rigidlimit
