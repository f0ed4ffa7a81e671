// The report of a benchmark.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/report/benchmark_rows.hpp"
#include "rigidlimit/report/benchmark_tables.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"

namespace rigidlimit {

namespace {

using Kind = Benchmark::Kind;

/// A table and a sentence on how to read it; nothing for a table without rows.
void add(Report& report, const char* key, std::string caption, TextTable table, std::string says) {
  if (table.rows.empty()) return;
  report.body.emplace_back(CaptionedTable{key, std::move(caption), std::move(table)});
  if (!says.empty()) report.body.emplace_back(Lines{std::move(says)});
}

void add_order_tables(Report& report, const BenchmarkResult& result) {
  add(report, "orders", "Orders", order_table(result),
      fmt::format("Classical order, and the fitted orders of the errors for h ≥ {:g} ε (at the "
                  "smallest ε with evidence) and for h ≤ {:g} ε (at the largest). Between them, "
                  "the smallest order of two neighbouring h at any ε, with its h/ε.",
                  stiff_from, resolved_to));
  add(report, "crossover", "Crossover and plateaus", crossover_table(result),
      fmt::format("Step sizes at which one order changes into the other, and the interval of "
                  "plateaus (order below {:g}).",
                  plateau_order));
}

void add_tables(Report& report, const BenchmarkResult& result) {
  switch (result.benchmark.kind) {
    case Kind::work_precision:
      add(report, "winners", "Winners", winner_table(result),
          "The fastest run whose error, with the error bar of the reference, is in the band, also "
          "at the next tighter setting; no interpolation. \"Reached by\" counts methods × "
          "variables.");
      break;
    case Kind::order_reduction: add_order_tables(report, result); break;
    case Kind::cost_epsilon:
      add(report, "cost", fmt::format("Cost against ε at rtol {:g}", result.benchmark.rtol.front()),
          epsilon_table(result),
          "The error is the maximum over q and v (over all components without such groups).");
      break;
    case Kind::cost_count:
      add(report, "cost", fmt::format("Cost against N at rtol {:g}", result.benchmark.rtol.front()),
          count_table(result), "The exponent of the time per step is fitted over N ≥ 10.");
      break;
  }
  add(report, "failures", "Failures", failure_table(result),
      "Failed runs, and methods that do not accept the problem.");
  add(report, "references", "References", reference_table(result), "");
}

Lines heading_of(const BenchmarkResult& result) {
  const auto arrived = std::ranges::count(result.trials, Outcome::success, &Trial::outcome);
  Lines lines{fmt::format("{} solves, {} succeeded; errors {}", result.trials.size(), arrived,
                          judged_text(result.benchmark))};
  if (!result.interrupted) return lines;
  const std::size_t ended = result.ended(), all = result.trials.size();
  lines.push_back(fmt::format("interrupted: {} of {} trials ended{}", ended, all,
                              ended == all ? ", but not all times were taken" : ""));
  return lines;
}

/// The definition of errors and times.
Lines remarks_on(const BenchmarkResult& result) {
  const Benchmark& b = result.benchmark;
  Lines lines{
      fmt::format("Errors: {}; max |e|, scd = −log10 max |e|/|y|, mixed = −log10 max |e|/(|y| + "
                  "1), for each group. A row whose error is below {:g} × the error bar of its "
                  "reference is reference_limited: an upper bound, not evidence.",
                  judged_text(b), reference_factor)};
  lines.push_back("Times: " + timing_protocol(b));
  if (b.kind != Kind::order_reduction)
    lines.push_back(
        fmt::format("Absolute tolerance: {:g} × rtol in every component.", b.atol_factor));
  lines.push_back(fmt::format("At most {} attempted steps per solve.", b.most_steps));
  std::set<std::string> hows;
  for (const BenchmarkReference& reference : result.references)
    if (!reference.how.empty()) hows.insert(reference.how);
  for (const std::string& how : hows) lines.push_back(fmt::format("Reference: {}.", how));
  for (const auto& [key, value] : build_provenance())
    lines.push_back(fmt::format("{}: {}", key, value));
  lines.push_back("benchmark: " + benchmark_hash(b));
  return lines;
}

}  // namespace

Report report_of(const BenchmarkResult& result) {
  Report report{.name = result.benchmark.name,
                .kind = "benchmark",
                .question = result.benchmark.question,
                .source = result.benchmark.source,
                .heading = heading_of(result),
                .body = {},
                .remarks = remarks_on(result),
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = {},
                .tables = {trials_of(result)},
                .resolved = resolved_toml(result.benchmark)};
  add_tables(report, result);
  report.document = result_document(report, document_of(result));
  return report;
}

}  // namespace rigidlimit
