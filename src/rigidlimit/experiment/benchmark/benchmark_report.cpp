// The report of a benchmark, and its result in machine-readable form.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_tables.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {

namespace {

using BenchmarkKind = Benchmark::Kind;

std::vector<Table> benchmark_tables_of(const SharedBenchmark& result) {
  std::vector<Table> tables{error_rows(result), trial_rows(result)};
  switch (result->benchmark.kind) {
    case BenchmarkKind::work_precision: tables.push_back(winner_rows(result)); break;
    case BenchmarkKind::order_reduction:
      tables.push_back(order_rows(result));
      tables.push_back(crossover_rows(result));
      break;
    case BenchmarkKind::cost_count: tables.push_back(count_rows(result)); break;
    case BenchmarkKind::cost_epsilon: break;
  }
  tables.push_back(failure_rows(result));
  tables.push_back(reference_rows(result));
  tables.push_back(published_rows(result));
  tables.push_back(method_rows(result));
  return tables;
}

std::vector<View> benchmark_views(const BenchmarkResult& result) {
  std::vector<View> views;
  switch (result.benchmark.kind) {
    case BenchmarkKind::work_precision: views.push_back(winner_view()); break;
    case BenchmarkKind::order_reduction:
      views.push_back({.key = "orders",
                       .caption = "Orders",
                       .table = "orders",
                       .says = fmt::format(
                           "Classical order, and the fitted orders of the errors for h ≥ {:g} ε "
                           "(at the smallest ε with evidence) and for h ≤ {:g} ε (at the "
                           "largest). Between them, the smallest order of two neighbouring h "
                           "at any ε, with its h/ε.",
                           stiff_from, resolved_to),
                       .in_brief = true});
      views.push_back(crossover_view());
      break;
    case BenchmarkKind::cost_epsilon: views.push_back(epsilon_view(result)); break;
    case BenchmarkKind::cost_count: views.push_back(count_view(result)); break;
  }
  views.push_back(failure_view());
  views.push_back(reference_view());
  views.push_back(published_view());
  return views;
}

/// Definitions of errors and times, and resolved studies.
Fields benchmark_facts(const BenchmarkResult& result) {
  const Benchmark& b = result.benchmark;
  Fields facts{
      {"benchmark_kind", name_of(b.kind)},
      {"trials_ended", result.ended()},
      {"definitions.errors",
       "max |e|; scd = -log10 max |e|/|y|; mixed = -log10 max |e|/(|y| + 1); " + judged_text(b)},
      {"definitions.times", timing_protocol(b)}};
  const auto add = [&facts](const std::string& name,
                            const std::shared_ptr<const RollingStudy>& study) {
    if (study) facts.push_back({"resolved_studies." + name, resolved_toml(*study)});
  };
  for (const ProblemSet& set : b.problems)
    std::visit([&](const auto& one) { add(one.name, study_of(one)); }, set);
  return facts;
}

Lines benchmark_heading(const BenchmarkResult& result) {
  const auto arrived = std::ranges::count(result.trials, Outcome::success, &Trial::outcome);
  const auto judged = std::ranges::count_if(result.trials, &Trial::has_error);
  const auto missing = std::ranges::count_if(
      result.references, [](const BenchmarkReference& r) { return r.values.empty(); });
  std::string headline = fmt::format("{} solves, {} succeeded", result.trials.size(), arrived);
  if (judged != arrived) headline += fmt::format(", and {} of them have an error", judged);
  if (missing > 0)
    headline += fmt::format("; {} of {} references missing", missing, result.references.size());
  Lines lines{headline + "; errors " + judged_text(result.benchmark)};
  for (std::size_t r = 0; r < result.references.size(); ++r)
    if (const BenchmarkReference& reference = result.references[r]; reference.values.empty())
      lines.push_back(fmt::format("{}: no reference: {}", result.reference_names[r],
                                  reference.message.empty() ? "not begun" : reference.message));
  if (!result.interrupted) return lines;
  const std::size_t ended = result.ended(), all = result.trials.size();
  lines.push_back(fmt::format("interrupted: {} of {} trials ended{}", ended, all,
                              ended == all ? ", but not all times were taken" : ""));
  return lines;
}

/// The result cannot be judged without each of its references.
std::vector<JudgedClaim> missing_references(const BenchmarkResult& result) {
  std::vector<JudgedClaim> all;
  for (std::size_t r = 0; r < result.references.size(); ++r)
    if (const BenchmarkReference& reference = result.references[r]; reference.values.empty())
      all.push_back({.name = result.reference_names[r],
                     .group = "references",
                     .state = ClaimState::unjudged,
                     .type = "no_reference",
                     .message = reference.message.empty() ? "not begun" : reference.message,
                     .reason = "no reference"});
  return all;
}

/// The definition of errors and times.
Lines benchmark_remarks(const BenchmarkResult& result) {
  const Benchmark& b = result.benchmark;
  Lines lines{
      fmt::format("Errors: {}; max |e|, scd = −log10 max |e|/|y|, mixed = −log10 max |e|/(|y| + "
                  "1), for each group. A row whose error is below {:g} × the error bar of its "
                  "reference is reference_limited: an upper bound, not evidence.",
                  judged_text(b), reference_factor)};
  lines.push_back("Times: " + timing_protocol(b));
  if (b.kind != BenchmarkKind::order_reduction)
    lines.push_back(
        fmt::format("Absolute tolerance: {:g} × rtol in every component.", b.atol_factor));
  lines.push_back(fmt::format("At most {} attempted steps per solve.", b.most_steps));
  std::set<std::string> hows;
  for (const BenchmarkReference& reference : result.references)
    if (!reference.how.empty()) hows.insert(reference.how);
  for (const std::string& how : hows) lines.push_back(fmt::format("Reference: {}.", how));
  for (const auto& [key, value] : build_provenance())
    lines.push_back(fmt::format("{}: {}", key, value));
  lines.push_back("benchmark: " + content_hash(resolved_toml(b)));
  return lines;
}

}  // namespace

Result in_tables(BenchmarkResult found) {
  const auto kept = std::make_shared<const BenchmarkResult>(std::move(found));
  const BenchmarkResult& result = *kept;
  Result report{.name = result.benchmark.name,
                .kind = "benchmark",
                .question = result.benchmark.question,
                .source = result.benchmark.source,
                .heading = benchmark_heading(result),
                .facts = benchmark_facts(result),
                .tables = benchmark_tables_of(kept),
                .views = benchmark_views(result),
                .remarks = benchmark_remarks(result),
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = missing_references(result),
                .resolved = resolved_toml(result.benchmark),
                .counts = result.counts};
  conclude(report);
  return report;
}

}  // namespace rigidlimit
