// The subcommand `query`.
#include "rigidlimit/store/query.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/stored_study.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about = "Ask the stores of studies in SQL; without --sql, an overview";

constexpr const char* footer =
    "Tables: solves (one row a solve), errors (the judged table), runs, findings, plan, study,\n"
    "samples, grids, curves, texts (the tables as printed). `plan` holds the keys of the study as\n"
    "last run; `solves` holds those of its other variants as well: solves JOIN plan USING (key).\n"
    "A store is only read, also while a run is writing it.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit query results/knife_edge\n"
    "  rigidlimit query results/* --sql \"SELECT solver, epsilon, outcome, message FROM solves "
    "WHERE outcome <> 'success'\"\n"
    "  rigidlimit query results/knife_edge --format csv --sql 'SELECT epsilon, model_error FROM\n"
    "      errors WHERE quantity = \"q\" AND norm = \"sup\" ORDER BY epsilon'";

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
  command.option("STUDY", arguments->stores, "results/NAME, or a store").required();
  command.option("--sql", arguments->sql, "one SELECT of SQLite's SQL").value("TEXT");
  command.option("--max-rows", arguments->limits.rows, "refuse a longer answer of a store")
      .value("N")
      .within(1L, 1'000'000'000L)
      .shows_default();
  command.option("--max-seconds", arguments->limits.seconds, "give up a store's answer after this")
      .value("S")
      .within(1e-3, 1e6)
      .shows_default();
  command.option("--max-memory", arguments->limits.mebibytes, "nor may it take more memory")
      .value("MIB")
      .within(1L, 1'000'000L)
      .shows_default();
  command.option("--format", arguments->format, "what to print")
      .value("FORMAT")
      .one_of({"table", "csv", "json", "markdown"})
      .shows_default();
  return {command, [arguments] { return run_query(*arguments); }};
}

}  // namespace rigidlimit
