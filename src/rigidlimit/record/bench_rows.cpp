#include "rigidlimit/record/bench_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/bench/timing.hpp"
#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/study/read_study.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

std::string count_text(double x, bool given) {
  return given ? csv_number(x) : "nan";
}

std::string csv_line(const BenchResult& result, const Trial& t, std::size_t g) {
  const Benchmark& b = result.benchmark;
  const BenchProblem& p = result.problems[t.problem];
  const GroupError& e = t.errors[g];
  const Work& w = t.work;
  const std::string place = fmt::format("{},{},{},{},{},{},{},{},{}", b.name, name_of(b.kind),
                                        p.name, p.system, csv_number(p.epsilon), p.formulation,
                                        t.method->name, library_of(*t.method), t.method->order);
  const std::string errors =
      fmt::format("{},{},{},{},{},{}", p.groups[g], csv_number(e.error), csv_number(e.scd),
                  csv_number(e.mixed), csv_number(e.reference_error), csv_number(e.observed_order));
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", place,
                     csv_number(t.setting.rtol), csv_number(t.setting.atol),
                     count_text(t.setting.h, t.setting.h > 0.0),
                     count_text(static_cast<double>(p.count), p.count > 0), errors,
                     csv_number(t.seconds), csv_number(t.seconds_median), t.repeats, w.steps,
                     w.rejected_steps, w.rhs_evaluations, w.jacobian_evaluations, w.factorisations,
                     w.linear_solves, w.newton_iterations, name_of(e.status), reason_text(t),
                     csv_number(t.t_reached), csv_number(t.last_step));
}

/// JSON knows no NaN, so null.
Json json_number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json json_trial(const BenchResult& result, const Trial& t) {
  const BenchProblem& p = result.problems[t.problem];
  Json json{{"problem", p.name},
            {"epsilon", json_number(p.epsilon)},
            {"formulation", p.formulation},
            {"count", p.count},
            {"method", t.method->name},
            {"rtol", t.setting.rtol},
            {"h", t.setting.h},
            {"outcome", name_of(t.outcome)},
            {"reason", t.reason},
            {"seconds", json_number(t.seconds)},
            {"steps", t.work.steps},
            {"rhs", t.work.rhs_evaluations}};
  for (std::size_t g = 0; g < p.groups.size(); ++g)
    json["error"][p.groups[g]] = json_number(t.errors[g].error);
  return json;
}

Json json_references(const BenchResult& result) {
  Json all = Json::array();
  for (std::size_t r = 0; r < result.references.size(); ++r) {
    const BenchReference& reference = result.references[r];
    Json bars = Json::array();
    for (const double bar : reference.error) bars.push_back(json_number(bar));
    all.push_back({{"of", result.reference_names[r]},
                   {"how", reference.how},
                   {"error_bars", bars},
                   {"message", reference.message}});
  }
  return all;
}

Json json_methods(const Benchmark& benchmark) {
  Json all = Json::array();
  for (const OdeMethod* m : benchmark.methods)
    all.push_back({{"name", m->name},
                   {"title", m->title},
                   {"order", m->order},
                   {"stability", m->stability},
                   {"library", library_of(*m)},
                   {"source", m->source}});
  return all;
}

}  // namespace

std::string reason_text(const Trial& trial) {
  std::string text = trial.reason;
  std::ranges::replace(text, ',', ';');
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string judged_text(const Benchmark& benchmark) {
  return benchmark.samples == 0 ? "at the end"
                                : fmt::format("the largest over {} equidistant times up to the end",
                                              benchmark.samples);
}

std::string bench_csv(const BenchResult& result) {
  std::string text =
      "benchmark,kind,problem,system,epsilon,formulation,method,library,order,rtol,atol,h,count,"
      "group,error,scd,mixed,reference_error,observed_order,seconds,seconds_median,repeats,steps,"
      "rejected,rhs,jacobians,factorisations,solves,newton,status,reason,t_reached,last_step\n";
  for (const Trial& trial : result.trials)
    for (std::size_t g = 0; g < trial.errors.size(); ++g) text += csv_line(result, trial, g);
  return text;
}

std::string bench_json(const BenchResult& result) {
  const Benchmark& b = result.benchmark;
  Json json{{"benchmark", b.name},
            {"kind", name_of(b.kind)},
            {"question", b.question},
            {"source", b.source},
            {"interrupted", result.interrupted},
            {"trials_ended", result.ended()},
            {"errors", "max |e|; scd = -log10 max |e|/|y|; mixed = -log10 max |e|/(|y| + 1); " +
                           judged_text(b)},
            {"times", timing_protocol(b)},
            {"references", json_references(result)},
            {"methods", json_methods(b)},
            {"trials", Json::array()}};
  for (const Trial& trial : result.trials) json["trials"].push_back(json_trial(result, trial));
  for (const auto& [key, value] : build_provenance()) json["provenance"][key] = value;
  json["provenance"]["benchmark_hash"] = benchmark_hash(b);
  json["provenance"]["resolved_benchmark"] = resolved_toml(b);
  for (const ProblemSet& set : b.problems)
    if (const auto* contact = std::get_if<ContactSet>(&set))
      json["provenance"]["resolved_studies"][contact->name] = resolved_toml(*contact->study);
  return json.dump(1) + "\n";
}

}  // namespace rigidlimit
