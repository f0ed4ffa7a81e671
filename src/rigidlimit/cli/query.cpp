// The verb that asks stores.
#include "rigidlimit/record/query.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/one_of.hpp"
#include "rigidlimit/cli/stored_study.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"

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
  std::optional<std::string> sql;  ///< given, it must be a statement
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

Verb add_query(CLI::App& program, const SystemCatalogue&) {
  CLI::App& app = *program.add_subcommand("query", about);
  app.footer(footer);
  const auto arguments = std::make_shared<QueryArguments>();
  app.add_option("STUDY", arguments->stores, "results/NAME, or a store")->required();
  app.add_option("--sql", arguments->sql, "one SELECT of SQLite's SQL")->type_name("TEXT");
  app.add_option("--max-rows", arguments->limits.rows, "refuse a longer answer of a store")
      ->type_name("N")
      ->check(CLI::Range(1L, 1'000'000'000L))
      ->capture_default_str();
  app.add_option("--max-seconds", arguments->limits.seconds, "give up a store's answer after this")
      ->type_name("S")
      ->check(CLI::Range(1e-3, 1e6))
      ->capture_default_str();
  app.add_option("--max-memory", arguments->limits.mebibytes, "nor may it take more memory")
      ->type_name("MIB")
      ->check(CLI::Range(1L, 1'000'000L))
      ->capture_default_str();
  app.add_option("--format", arguments->format, "what to print")
      ->type_name("FORMAT")
      ->check(one_of({"table", "csv", "json", "markdown"}))
      ->capture_default_str();
  return {&app, [arguments] { return run_query(*arguments); }};
}

}  // namespace rigidlimit
