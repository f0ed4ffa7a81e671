#include "rigidlimit/report/benchmark_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

Value known(double x, bool given) {
  return given ? x : std::nan("");
}

/// NaN if the method does not report it: no solve succeeds without one.
Value right_hand_sides(const Trial& t) {
  const long count = t.work.rhs_evaluations;
  if (count == 0 && t.outcome == Outcome::success) return std::nan("");
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
          {"steps", w.steps},
          {"rejected", w.rejected_steps},
          {"rhs", right_hand_sides(t)},
          {"jacobians", w.jacobian_evaluations},
          {"factorisations", w.factorisations},
          {"solves", w.linear_solves},
          {"newton", w.newton_iterations},
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
    Record record{
        {"problem", p.name},    {"epsilon", p.epsilon},          {"formulation", p.formulation},
        {"count", p.count},     {"method", t.method->name},      {"rtol", t.setting.rtol},
        {"h", t.setting.h},     {"outcome", name_of(t.outcome)}, {"reason", t.message},
        {"seconds", t.seconds}, {"steps", t.work.steps},         {"rhs", right_hand_sides(t)}};
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

}  // namespace

std::string reason_text(const Trial& trial) {
  std::string text = trial.message;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string judged_text(const Benchmark& benchmark) {
  return benchmark.samples == 0 ? "at the end"
                                : fmt::format("the maximum over {} equidistant times up to the end",
                                              benchmark.samples);
}

DataTable trials_of(const BenchmarkResult& result) {
  const Benchmark& b = result.benchmark;
  DataTable table{
      "errors", {{"benchmark", b.name}, {"kind", name_of(b.kind)}}, columns_of_trials(), {}};
  for (const Trial& trial : result.trials)
    for (std::size_t g = 0; g < trial.errors.size(); ++g)
      table.records.push_back(record_of(result.problems[trial.problem], trial, g));
  return table;
}

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

}  // namespace rigidlimit
