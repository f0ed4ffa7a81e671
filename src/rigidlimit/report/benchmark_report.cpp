// The report of a benchmark, and its result in machine-readable form.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/benchmark_tables.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

Value known(double x, bool given) {
  return given ? x : std::nan("");
}

/// NaN if the method does not report it: no solve succeeds without one.
Value right_hand_sides(const Trial& t) {
  const long count = t.work.rhs_evaluations;
  if (count < 0 || (count == 0 && t.outcome == Outcome::success)) return std::nan("");
  return count;
}

/// Group g of a trial.
Record record_of(const BenchmarkProblem& p, const Trial& t, std::size_t g) {
  const GroupError& e = t.errors[g];
  const Work& w = t.work;
  return {{"problem", p.name},
          {"system", p.system},
          {"epsilon", p.epsilon},
          {"formulation", p.formulation},
          {"method", t.method->name},
          {"library", library_of(*t.method)},
          {"order", t.method->order},
          {"rtol", t.setting.rtol},
          {"atol", t.setting.atol},
          {"h", known(t.setting.h, t.setting.h > 0.0)},
          {"count", known(static_cast<double>(p.count), p.count > 0)},
          {"group", p.groups[g]},
          {"error", e.error},
          {"scd", e.scd},
          {"mixed", e.mixed},
          {"reference_error", e.reference_error},
          {"observed_order", e.observed_order},
          {"seconds", t.seconds},
          {"seconds_median", t.seconds_median},
          {"repeats", t.repeats},
          {"steps", count_value(w.steps)},
          {"rejected", count_value(w.rejected_steps)},
          {"rhs", right_hand_sides(t)},
          {"jacobians", count_value(w.jacobian_evaluations)},
          {"factorisations", count_value(w.factorisations)},
          {"solves", count_value(w.linear_solves)},
          {"newton", count_value(w.newton_iterations)},
          {"status", name_of(e.status)},
          {"reason", reason_text(t)},
          {"t_reached", t.t_reached},
          {"last_step", t.last_step}};
}

/// One record per solve.
DataTable solves_of(const BenchmarkResult& result) {
  DataTable all;
  for (const Trial& t : result.trials) {
    const BenchmarkProblem& p = result.problems[t.problem];
    Record record{{"problem", p.name},
                  {"epsilon", p.epsilon},
                  {"formulation", p.formulation},
                  {"count", p.count},
                  {"method", t.method->name},
                  {"rtol", t.setting.rtol},
                  {"h", t.setting.h},
                  {"outcome", name_of(t.outcome)},
                  {"reason", t.message},
                  {"seconds", t.seconds},
                  {"steps", count_value(t.work.steps)},
                  {"rhs", right_hand_sides(t)}};
    for (std::size_t g = 0; g < p.groups.size(); ++g)
      record.push_back({"error." + p.groups[g], t.errors[g].error});
    all.records.push_back(std::move(record));
  }
  return all;
}

DataTable references_of(const BenchmarkResult& result) {
  DataTable all;
  for (std::size_t r = 0; r < result.references.size(); ++r) {
    const BenchmarkReference& reference = result.references[r];
    all.records.push_back(
        {{"of", result.reference_names[r]},
         {"how", reference.how},
         {"error_bars", std::vector<double>(reference.error.begin(), reference.error.end())},
         {"message", reference.message}});
  }
  return all;
}

DataTable methods_of(const Benchmark& benchmark) {
  DataTable all;
  for (const OdeMethod* m : benchmark.methods)
    all.records.push_back({{"name", m->name},
                           {"title", m->title},
                           {"order", m->order},
                           {"stability", m->stability},
                           {"library", library_of(*m)},
                           {"source", m->source}});
  return all;
}

/// A trial with all fields that a record reads.
Record columns_of_trials() {
  BenchmarkProblem problem{};
  problem.groups = {""};
  Trial trial{};
  trial.method = &ode_methods().front();
  trial.errors = {{}};
  return record_of(problem, trial, 0);
}

/// One record for each trial and group; NaN for a field without meaning (epsilon, h, count).
/// `order` is the classical order of the method, observed_order that of this record against the
/// next larger h. rtol and atol are the arguments of the solver, also with equal steps (an
/// iteration may stop by them); atol is NaN if it differs by component.
DataTable trials_of(const BenchmarkResult& result) {
  const Benchmark& b = result.benchmark;
  DataTable table{
      "errors", {{"benchmark", b.name}, {"kind", name_of(b.kind)}}, columns_of_trials(), {}};
  for (const Trial& trial : result.trials)
    for (std::size_t g = 0; g < trial.errors.size(); ++g)
      table.records.push_back(record_of(result.problems[trial.problem], trial, g));
  return table;
}

/// The parts of the document that only benchmarks have: definitions of errors and times,
/// references, methods, trials and resolved studies.
Document document_of(const BenchmarkResult& result) {
  const Benchmark& b = result.benchmark;
  Document document{
      {"benchmark_kind", Value(name_of(b.kind))},
      {"trials_ended", Value(result.ended())},
      {"definitions.errors", Value("max |e|; scd = -log10 max |e|/|y|; mixed = -log10 max |e|/(|y| "
                                   "+ 1); " +
                                   judged_text(b))},
      {"definitions.times", Value(timing_protocol(b))},
      {"references", references_of(result)},
      {"methods", methods_of(b)},
      {"trials", solves_of(result)}};
  for (const ProblemSet& set : b.problems)
    if (const auto* contact = std::get_if<ContactSet>(&set))
      document.push_back(
          {"resolved_studies." + contact->name, Value(resolved_toml(*contact->study))});
  return document;
}

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
std::vector<JunitCase> missing_references(const BenchmarkResult& result) {
  std::vector<JunitCase> all;
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
                .claims = missing_references(result),
                .tables = {trials_of(result)},
                .resolved = resolved_toml(result.benchmark)};
  conclude(report);
  add_tables(report, result);
  for (const auto& part : report.body)
    if (const auto* table = std::get_if<CaptionedTable>(&part);
        table && (table->key == "winners" || table->key == "orders" || table->key == "cost" ||
                  table->key == "failures"))
      report.brief.push_back(*table);
  report.document = result_document(report, document_of(result));
  return report;
}

}  // namespace rigidlimit
