#include "rigidlimit/experiment/benchmark/benchmark_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/convergence/text.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

std::string number(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.1e}", x);
}
std::string epsilon_text(double eps) {
  return std::isnan(eps) ? "-" : fmt::format("{:.3g}", eps);
}

std::string time_text(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", 1e6 * seconds);
  return seconds < 1.0 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string setting_text(const Setting& setting) {
  return setting.h > 0.0 ? fmt::format("h {:.3g}", setting.h)
                         : fmt::format("rtol {:.2g}", setting.rtol);
}

std::string method_label(const BenchmarkResult& result, const Trial* trial) {
  if (!trial) return "-";
  const std::string& variables = result.problems[trial->problem].formulation;
  return variables == "-" ? trial->method->name
                          : fmt::format("{}, {}", trial->method->name, variables);
}

/// The largest error of the first groups that are judged together: q and v, or all.
double main_error(const BenchmarkResult& result, const Trial& trial) {
  const std::vector<JudgedTogether> all = judged_together(result.problems[trial.problem]);
  double error = 0.0;
  for (const std::size_t g : all.front().groups) {
    if (std::isnan(trial.errors[g].error)) return trial.errors[g].error;
    error = std::max(error, trial.errors[g].error);
  }
  return error;
}

/// A value that is missing unless it is given: NaN.
double known(double x, bool given) {
  return given ? x : std::nan("");
}

/// NaN if the method does not report it, as one of a user may.
double known_step(const Trial& t) {
  return known(t.last_step, t.last_step > 0.0);
}

/// NaN if the method does not report it: no solve succeeds without one.
Value right_hand_sides(const Trial& t) {
  const long count = t.work.rhs_evaluations;
  if (count < 0 || (count == 0 && t.outcome == Outcome::success)) return std::nan("");
  return count;
}

/// "chain, N = 10".
std::string problem_text(const BenchmarkProblem& p) {
  return p.count > 0 ? fmt::format("{}, N = {}", p.name, p.count) : p.name;
}

Tone tone_of_outcome(const Trial& t) {
  return t.outcome == Outcome::success ? Tone::plain : Tone::bad;
}

/// A trial and one of its groups.
struct GroupOfTrial {
  const Trial* trial;
  std::size_t group;
  const GroupError& error() const { return trial->errors[group]; }
};

/// Every group that some problem has, once.
std::vector<std::string> all_groups(const BenchmarkResult& result) {
  std::vector<std::string> groups;
  for (const BenchmarkProblem& p : result.problems)
    for (const std::string& group : p.groups)
      if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  return groups;
}

}  // namespace

Table error_rows(const SharedBenchmark& result) {
  using T = GroupOfTrial;
  using C = ColumnOf<T>;
  const auto problem = [result](const T& t) -> const BenchmarkProblem& {
    return result->problems[t.trial->problem];
  };
  const auto of_error = [](auto GroupError::*member) {
    return [member](const T& t) { return t.error().*member; };
  };
  const auto of_trial = [](auto Trial::*member) {
    return [member](const T& t) { return t.trial->*member; };
  };
  const auto count = [](long Work::*member) {
    return [member](const T& t) { return count_value(t.trial->work.*member); };
  };
  std::vector<T> rows;
  for (const Trial& trial : result->trials)
    for (std::size_t g = 0; g < trial.errors.size(); ++g) rows.push_back({&trial, g});
  const Benchmark& b = result->benchmark;
  return table_of<T>(
             "errors",
             {{"problem", "", [=](const T& t) { return problem(t).name; }},
              {"system", "", [=](const T& t) { return problem(t).system; }},
              {"epsilon", "ε", [=](const T& t) { return problem(t).epsilon; }, "{:.3g}"},
              {"formulation", "variables", [=](const T& t) { return problem(t).formulation; }},
              {"method", "", [](const T& t) { return t.trial->method->name; }},
              {"library", "", [](const T& t) { return library_of(*t.trial->method); }},
              {"order", "classical order", [](const T& t) { return t.trial->method->order; }},
              {"rtol", "", [](const T& t) { return t.trial->setting.rtol; }, "{:.2g}"},
              {"atol", "", [](const T& t) { return t.trial->setting.atol; }, "{:.2g}"},
              {"h", "h",
               [](const T& t) { return known(t.trial->setting.h, t.trial->setting.h > 0.0); },
               "{:.3g}"},
              {"count", "N",
               [=](const T& t) {
                 return known(static_cast<double>(problem(t).count), problem(t).count > 0);
               },
               "{:.0f}"},
              {"group", "", [=](const T& t) { return problem(t).groups[t.group]; }},
              {"error", "", of_error(&GroupError::error), "{:.3e}"},
              {"scd", "", of_error(&GroupError::scd), "{:.2f}"},
              {"mixed", "", of_error(&GroupError::mixed), "{:.2f}"},
              {"reference_error", "", of_error(&GroupError::reference_error), "{:.1e}"},
              {"observed_order", "", of_error(&GroupError::observed_order), "{:.2f}"},
              C("seconds", "time", of_trial(&Trial::seconds), "{:.3g}").noted(),
              C("seconds_median", "", of_trial(&Trial::seconds_median), "{:.3g}").noted(),
              C("repeats", "", of_trial(&Trial::repeats)).noted(),
              {"steps", "", count(&Work::steps), of_counts},
              {"rejected_steps", "", count(&Work::rejected_steps), of_counts},
              {"rhs_evaluations", "f", [](const T& t) { return right_hand_sides(*t.trial); },
               of_counts},
              {"jacobian_evaluations", "", count(&Work::jacobian_evaluations), of_counts},
              {"factorisations", "", count(&Work::factorisations), of_counts},
              {"linear_solves", "", count(&Work::linear_solves), of_counts},
              {"newton_iterations", "", count(&Work::newton_iterations), of_counts},
              {"status", "", [](const T& t) { return name_of(t.error().status); }},
              C("reason", "", [](const T& t) { return reason_text(*t.trial); }).noted(),
              {"t_reached", "", [](const T& t) { return t.trial->t_reached; }},
              {"last_step", "", [](const T& t) { return known_step(*t.trial); }, "{:.1e}"}},
             std::move(rows), 12, {{"benchmark", b.name}, {"kind", name_of(b.kind)}})
      .kept(Kept::everywhere);
}

Table trial_rows(const SharedBenchmark& result) {
  using T = Trial;
  using C = ColumnOf<T>;
  const auto problem = [result](const T& t) -> const BenchmarkProblem& {
    return result->problems[t.problem];
  };
  Columns<T> columns{
      {"problem", "", [=](const T& t) { return problem(t).name; }},
      {"epsilon", "ε", [=](const T& t) { return problem(t).epsilon; }, "{:.3g}"},
      {"formulation", "variables", [=](const T& t) { return problem(t).formulation; }},
      {"count", "N", [=](const T& t) { return problem(t).count; }},
      {"method", "", [](const T& t) { return t.method->name; }},
      {"rtol", "", [](const T& t) { return t.setting.rtol; }, "{:.2g}"},
      {"h", "", [](const T& t) { return t.setting.h; }, "{:.3g}"},
      C("outcome", "", [](const T& t) { return name_of(t.outcome); })
          .toned(tone_of_outcome)
          .said([result](const T& t) -> std::string {
            if (t.outcome == Outcome::success)
              return fmt::format("{}, {}, {}, {}", count_text(t.work.steps),
                                 count_text(t.work.rhs_evaluations), time_text(t.seconds),
                                 number(main_error(*result, t)));
            return t.outcome == Outcome::not_run ? "refused" : name_of(t.outcome);
          }),
      C("reason", "", &T::message).noted(),
      C("seconds", "", &T::seconds, "{:.3g}").noted(),
      {"steps", "", [](const T& t) { return count_value(t.work.steps); }, of_counts},
      {"rhs_evaluations", "", right_hand_sides, of_counts}};
  for (const std::string& group : all_groups(*result))
    columns.push_back(C(
                          "error." + group, "error of " + group,
                          [=](const T& t) {
                            const auto& groups = problem(t).groups;
                            const auto at = std::ranges::find(groups, group);
                            if (at == groups.end()) return Value();
                            return Value(
                                t.errors[static_cast<std::size_t>(at - groups.begin())].error);
                          },
                          "{:.3e}")
                          .if_any());
  return table_of("trials", columns, std::shared_ptr<const std::vector<T>>(result, &result->trials),
                  7)
      .kept(Kept::in_document);
}

Table method_rows(const SharedBenchmark& result) {
  using M = const OdeMethod*;
  return table_of<M>("methods",
                     {{"name", "method", [](M m) { return m->name; }},
                      {"title", "", [](M m) { return m->title; }},
                      {"order", "", [](M m) { return m->order; }},
                      {"stability", "", [](M m) { return m->stability; }},
                      {"library", "", [](M m) { return library_of(*m); }},
                      {"source", "", [](M m) { return m->source; }}},
                     result->benchmark.methods)
      .kept(Kept::in_document);
}

Table winner_rows(const SharedBenchmark& result) {
  using W = Winner;
  using C = ColumnOf<W>;
  std::vector<W> rows = winners(*result);
  std::erase_if(rows, [](const W& w) { return w.fewest_rhs == nullptr && w.fastest == nullptr; });
  const auto problem = [result](const W& w) -> const BenchmarkProblem& {
    return result->problems[w.problem];
  };
  return table_of<W>(
      "winners",
      {C("problem", "problem", [=](const W& w) { return problem(w).name; }).said([=](const W& w) {
         return problem_text(problem(w));
       }),
       {"count", "N", [=](const W& w) { return problem(w).count; }},
       {"epsilon", "ε", [=](const W& w) { return problem(w).epsilon; }, "{:.3g}"},
       {"groups", "error of", &W::groups},
       {"band", "≤", &W::band, "{:.0e}"},
       C("fastest", "fastest",
         [result](const W& w) {
           return method_label(*result, w.fastest);
         }).noted(),
       C("seconds", "time",
         [](const W& w) { return w.fastest == nullptr ? std::nan("") : w.fastest->seconds; })
           .noted()
           .said([](const W& w) {
             return w.fastest == nullptr ? "-" : time_text(w.fastest->seconds);
           }),
       {"fewest_rhs", "fewest f",
        [result](const W& w) { return method_label(*result, w.fewest_rhs); }},
       {"rhs_evaluations", "f",
        [](const W& w) {
          return w.fewest_rhs == nullptr ? Value()
                                         : count_value(w.fewest_rhs->work.rhs_evaluations);
        },
        "{}"},
       C("reached", "reached by", &W::reached).said([](const W& w) {
         return fmt::format("{} of {}", w.reached, w.contestants);
       }),
       {"contestants", "", &W::contestants}},
      std::move(rows), 5);
}

View winner_view() {
  return {.key = "winners",
          .caption = "Winners",
          .table = "winners",
          .columns = {"problem", "epsilon", "groups", "band", "fastest", "seconds", "fewest_rhs",
                      "rhs_evaluations", "reached"},
          .says =
              "The fastest run whose error, with the error bar of the reference, is in the "
              "band, also at the next tighter setting; no interpolation. \"Reached by\" counts "
              "methods × variables.",
          .in_brief = true};
}

View epsilon_view(const BenchmarkResult& result) {
  return {
      .key = "cost",
      .caption = fmt::format("Cost against ε at rtol {:g}", result.benchmark.rtol.front()),
      .table = "trials",
      .columns = {"problem", "method", "formulation"},
      .keys = 3,
      .rows = [](const Table& trials,
                 std::size_t row) { return !std::isnan(trials.number(row, "epsilon")); },
      .pivot =
          Pivot{.across = {"epsilon"}, .cells = {{"outcome", "ε = {}: steps, f, time, error"}}},
      .says = "The error is the maximum over q and v (over all components without such groups).",
      .in_brief = true};
}

namespace {

/// A trial of a series over N, or the fit of the times per step of a series.
struct CostOfCount {
  const OdeMethod* method;
  double epsilon;
  const Trial* trial = nullptr;
  OrderFit fit{};

  double seconds_per_step() const {
    return trial != nullptr && trial->work.steps > 0
               ? trial->seconds / static_cast<double>(trial->work.steps)
               : std::nan("");
  }
};

std::vector<CostOfCount> costs_of_count(const BenchmarkResult& result) {
  std::vector<CostOfCount> rows;
  for (const Trial& t : result.trials)
    if (t.outcome == Outcome::success)
      rows.push_back({t.method, result.problems[t.problem].epsilon, &t});
  std::ranges::stable_sort(rows, {}, [](const CostOfCount& row) {
    return std::pair(std::string(row.method->name), -row.epsilon);
  });
  std::map<std::pair<std::string, double>, std::vector<SeriesPoint>> series;
  for (const CostOfCount& row : rows) {
    // Fitted as an error in ε = 1/N: the exponent is minus the order.
    const long count = result.problems[row.trial->problem].count;
    if (count >= 10 && row.seconds_per_step() > 0.0)
      series[{row.method->name, row.epsilon}].push_back(
          {.epsilon = 1.0 / static_cast<double>(count), .error = row.seconds_per_step()});
  }
  for (const auto& [key, points] : series)
    if (const OrderFit fit = fit_order(points); !std::isnan(fit.order))
      rows.push_back({find_ode_method(key.first), key.second, nullptr, fit});
  return rows;
}

}  // namespace

Table count_rows(const SharedBenchmark& result) {
  using R = CostOfCount;
  using C = ColumnOf<R>;
  const auto count = [](long Work::*of) {
    return [of](const R& row) {
      return row.trial == nullptr ? Value("") : count_value(row.trial->work.*of);
    };
  };
  return table_of<R>(
      "cost",
      {{"method", "", [](const R& row) { return row.method->name; }},
       {"epsilon", "ε", &R::epsilon, "{:.3g}"},
       C(
           "count", "N",
           [result](const R& row) {
             return row.trial == nullptr ? Value()
                                         : Value(result->problems[row.trial->problem].count);
           },
           "{}")
           .said([result](const R& row) {
             return row.trial == nullptr
                        ? "≥ 10"
                        : fmt::format("{}", result->problems[row.trial->problem].count);
           }),
       {"steps", "", count(&Work::steps), of_counts},
       {"rhs_evaluations", "f", count(&Work::rhs_evaluations), of_counts},
       C("seconds", "time",
         [](const R& row) { return row.trial == nullptr ? std::nan("") : row.trial->seconds; })
           .noted()
           .said([](const R& row) {
             return row.trial == nullptr ? "" : time_text(row.trial->seconds);
           }),
       C("seconds_per_step", "time per step", &R::seconds_per_step).noted().said([](const R& row) {
         if (row.trial == nullptr) return fmt::format("~ N^{:.2f}", -row.fit.order);
         return row.trial->work.steps > 0 ? time_text(row.seconds_per_step()) : "?";
       }),
       C(
           "exponent", "",
           [](const R& row) { return row.trial == nullptr ? -row.fit.order : std::nan(""); },
           "{:.2f}")
           .noted(),
       C(
           "error", "error",
           [result](const R& row) {
             return row.trial == nullptr ? std::nan("") : main_error(*result, *row.trial);
           },
           "{:.1e}")
           .said([result](const R& row) {
             return row.trial == nullptr ? "" : number(main_error(*result, *row.trial));
           })},
      costs_of_count(*result), 3);
}

View count_view(const BenchmarkResult& result) {
  return {.key = "cost",
          .caption = fmt::format("Cost against N at rtol {:g}", result.benchmark.rtol.front()),
          .table = "cost",
          .columns = {"method", "epsilon", "count", "steps", "rhs_evaluations", "seconds",
                      "seconds_per_step", "error"},
          .says = "The exponent of the time per step is fitted over N ≥ 10.",
          .in_brief = true};
}

namespace {

/// Trials of one method on one problem with the same outcome.
struct SameFailure {
  const Trial* first;
  int times;
  double least, most;  ///< ε
};

std::vector<SameFailure> failed_trials(const BenchmarkResult& result) {
  std::vector<SameFailure> all;
  std::map<std::string, std::size_t> places;
  for (const Trial& t : result.trials) {
    if (t.outcome == Outcome::success) continue;
    const BenchmarkProblem& p = result.problems[t.problem];
    const std::string key =
        fmt::format("{} {} {} {}", problem_text(p), t.method->name, p.formulation,
                    t.outcome == Outcome::not_run ? t.message : name_of(t.outcome));
    const auto [at, is_new] = places.try_emplace(key, all.size());
    if (is_new) all.push_back({&t, 0, p.epsilon, p.epsilon});
    SameFailure& same = all[at->second];
    ++same.times;
    same.least = std::min(same.least, p.epsilon);
    same.most = std::max(same.most, p.epsilon);
  }
  return all;
}

}  // namespace

Table failure_rows(const SharedBenchmark& result) {
  using F = SameFailure;
  using C = ColumnOf<F>;
  const auto problem = [result](const F& f) -> const BenchmarkProblem& {
    return result->problems[f.first->problem];
  };
  return table_of<F>(
      "failures",
      {C("problem", "problem", [=](const F& f) { return problem(f).name; }).said([=](const F& f) {
         return problem_text(problem(f));
       }),
       {"count", "N", [=](const F& f) { return problem(f).count; }},
       {"method", "", [](const F& f) { return f.first->method->name; }},
       {"formulation", "variables", [=](const F& f) { return problem(f).formulation; }},
       {"reason", "first reason", [](const F& f) { return reason_text(*f.first); }},
       {"times", "", &F::times},
       C("epsilon_from", "ε", &F::least, "{:.3g}").said([](const F& f) {
         return f.least < f.most ? fmt::format("{:.3g} – {:.3g}", f.most, f.least)
                                 : epsilon_text(f.most);
       }),
       {"epsilon_to", "", &F::most, "{:.3g}"},
       C("rtol", "at", [](const F& f) { return f.first->setting.rtol; }).said([](const F& f) {
         return setting_text(f.first->setting);
       }),
       {"h", "", [](const F& f) { return f.first->setting.h; }, "{:.3g}"},
       {"t_reached", "last t", [](const F& f) { return f.first->t_reached; }, "{:.4g}"},
       {"last_step", "last h", [](const F& f) { return known_step(*f.first); }, "{:.1e}"}},
      failed_trials(*result), 5);
}

View failure_view() {
  return {.key = "failures",
          .caption = "Failures",
          .table = "failures",
          .columns = {"problem", "method", "formulation", "reason", "times", "epsilon_from", "rtol",
                      "t_reached", "last_step"},
          .says = "Failed runs, and methods that do not accept the problem.",
          .in_brief = true};
}

Table reference_rows(const SharedBenchmark& result) {
  struct Named {
    std::string name;
    const BenchmarkReference* reference;
    std::vector<std::string> groups;
  };
  using C = ColumnOf<Named>;
  std::vector<Named> rows;
  for (std::size_t r = 0; r < result->references.size(); ++r) {
    const auto first = std::ranges::find(result->problems, r, &BenchmarkProblem::reference);
    rows.push_back({result->reference_names[r], &result->references[r],
                    first == result->problems.end() ? std::vector<std::string>{} : first->groups});
  }
  return table_of<Named>(
             "references",
             {{"of", "reference", &Named::name},
              C("how", "", [](const Named& n) { return n.reference->how; }).noted(),
              C(
                  "error_bars", "error bar of each group",
                  [result](const Named& n) { return n.reference->error; }, "{:.1e}")
                  .toned([](const Named& n) {
                    return n.reference->error.empty() ? Tone::bad : Tone::plain;
                  })
                  .said([](const Named& n) {
                    std::vector<std::string> bars;
                    for (std::size_t g = 0;
                         g < std::min(n.groups.size(), n.reference->error.size()); ++g)
                      bars.push_back(fmt::format("{} {:.1e}", n.groups[g], n.reference->error[g]));
                    return bars.empty() ? "none: " + n.reference->message
                                        : fmt::format("{}", fmt::join(bars, ", "));
                  }),
              C("message", "", [](const Named& n) { return n.reference->message; }).noted()},
             std::move(rows))
      .kept(Kept::in_document);
}

View reference_view() {
  return {.key = "references",
          .caption = "References",
          .table = "references",
          .columns = {"of", "error_bars"},
          .keys = 2};
}

Table published_rows(const SharedBenchmark& result) {
  struct Printed {
    std::string problem;
    PublishedValue value;
  };
  using C = ColumnOf<Printed>;
  std::vector<Printed> rows;
  for (std::size_t r = 0; r < result->references.size(); ++r)
    for (const PublishedValue& value : result->references[r].published)
      rows.push_back({result->reference_names[r], value});
  const auto number = [](double PublishedValue::*of) {
    return [of](const Printed& row) { return row.value.*of; };
  };
  return table_of<Printed>(
      "published",
      {{"problem", "", &Printed::problem},
       {"source", "", [](const Printed& row) { return row.value.source; }},
       {"unknown", "", [](const Printed& row) { return row.value.unknown; }},
       {"printed", "published value", [](const Printed& row) { return row.value.printed.text; }},
       {"half_unit", "rounding",
        [](const Printed& row) { return static_cast<double>(row.value.printed.half_unit()); },
        "{:.1e}"},
       C("reference", "", number(&PublishedValue::reference), "{:.16g}").within({"bar"}),
       {"bar", "error bar", number(&PublishedValue::bar), "{:.1e}"},
       C("difference", "", number(&PublishedValue::difference), "{:.1e}").within({"bar"}),
       {"digits", "agreeing digits", [](const Printed& row) { return row.value.digits(); },
        "{:.1f}"},
       C("verdict", "",
         [](const Printed& row) {
           return row.value.verdict();
         }).toned([](const Printed& row) {
         return row.value.agreement() == Agreement::agrees ? Tone::good : Tone::doubtful;
       })},
      std::move(rows), 3);
}

View published_view() {
  return {.key = "published",
          .caption = "Published values",
          .table = "published",
          .columns = {"problem", "unknown", "verdict", "printed", "reference", "bar", "difference",
                      "digits", "source"},
          .keys = 2,
          .says =
              "A published value agrees with the reference if half a unit of its last digit "
              "and the error bar of the reference explain the difference."};
}

namespace {

std::string trial_order_text(const OrderFit& fit) {
  if (std::isnan(fit.order)) return "-";
  return with_bar(fit.order, fit.standard_error);
}

/// One method on one problem in one formulation, all ε and groups.
struct BenchmarkLine {
  std::string name;
  std::string formulation;
  const OdeMethod* method;
  std::vector<StepOrders> orders;
};

std::vector<BenchmarkLine> benchmark_lines(const BenchmarkResult& result) {
  std::vector<BenchmarkLine> lines;
  for (const StepOrders& s : step_orders(result)) {
    const BenchmarkProblem& p = result.problems[s.problem];
    auto at = std::ranges::find_if(lines, [&](const BenchmarkLine& line) {
      return line.name == p.name && line.formulation == p.formulation && line.method == s.method;
    });
    if (at == lines.end()) at = lines.insert(lines.end(), {p.name, p.formulation, s.method, {}});
    at->orders.push_back(s);
  }
  return lines;
}

/// The fit of group g at the smallest ε (stiff) or the largest (resolved) with the most points of
/// evidence, up to three: order reduction shows at the largest h/ε, the classical order at the
/// smallest.
OrderFit chosen_trials(const BenchmarkResult& result, const BenchmarkLine& line, std::size_t g,
                       bool stiff) {
  OrderFit best;
  double at = 0.0;
  for (const StepOrders& s : line.orders) {
    if (s.group != g) continue;
    const OrderFit& fit = stiff ? s.stiff : s.resolved;
    const double epsilon = result.problems[s.problem].epsilon;
    const double rank = std::isnan(epsilon) ? 1.0 : stiff ? 1.0 / epsilon : epsilon;
    const std::size_t enough = std::min<std::size_t>(fit.count, 3);
    const std::size_t before = std::min<std::size_t>(best.count, 3);
    if (enough > before || (enough == before && rank > at)) best = fit, at = rank;
  }
  return best;
}

/// The smallest order of all ε; nullptr: none is known.
const StepOrders* least_of(const BenchmarkLine& line, std::size_t g) {
  const StepOrders* least = nullptr;
  for (const StepOrders& s : line.orders)
    if (s.group == g && !std::isnan(s.least) && (!least || s.least < least->least)) least = &s;
  return least;
}

/// "0.42 (16)", with its h/ε in brackets.
std::string least_text(const BenchmarkLine& line, std::size_t g) {
  const StepOrders* const least = least_of(line, g);
  return least ? fmt::format("{:.2f} ({:.2g})", least->least, least->least_at) : "-";
}

}  // namespace

Table order_rows(const SharedBenchmark& result) {
  using C = ColumnOf<BenchmarkLine>;
  const std::vector<std::string> groups =
      result->problems.empty() ? std::vector<std::string>{} : result->problems.front().groups;
  Columns<BenchmarkLine> columns{
      {"problem", "", &BenchmarkLine::name},
      {"method", "", [](const BenchmarkLine& line) { return line.method->name; }},
      {"formulation", "variables", &BenchmarkLine::formulation},
      {"order", "", [](const BenchmarkLine& line) { return line.method->order; }}};
  const auto add_fit = [&](const char* name, const char* range, bool stiff) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      columns.push_back(C(
                            fmt::format("{}_{}", name, groups[g]),
                            fmt::format("{}, {}", groups[g], range),
                            [=](const BenchmarkLine& line) {
                              return chosen_trials(*result, line, g, stiff).order;
                            },
                            "{:.2f}")
                            .said([=](const BenchmarkLine& line) {
                              return trial_order_text(chosen_trials(*result, line, g, stiff));
                            }));
  };
  add_fit("stiff", "h ≫ ε", true);
  for (std::size_t g = 0; g < groups.size(); ++g)
    columns.push_back(C(
                          fmt::format("least_{}", groups[g]), groups[g] + ", least (h/ε)",
                          [g](const BenchmarkLine& line) {
                            const StepOrders* const least = least_of(line, g);
                            return least == nullptr ? std::nan("") : least->least;
                          },
                          "{:.2f}")
                          .said([g](const BenchmarkLine& line) { return least_text(line, g); }));
  add_fit("resolved", "h ≪ ε", false);
  std::vector<BenchmarkLine> rows = benchmark_lines(*result);
  std::erase_if(rows, [&](const BenchmarkLine& line) {
    return std::ranges::all_of(columns.begin() + 4, columns.end(),
                               [&](const C& column) { return column.text(line) == "-"; });
  });
  return table_of("orders", columns, std::move(rows), 4);
}

Table crossover_rows(const SharedBenchmark& result) {
  using S = StepOrders;
  using C = ColumnOf<S>;
  const auto problem = [result](const S& s) -> const BenchmarkProblem& {
    return result->problems[s.problem];
  };
  // The plateau as a multiple of ε, or in s without ε.
  const auto scaled = [problem](const S& s, double h) {
    return h / (std::isnan(problem(s).epsilon) ? 1.0 : problem(s).epsilon);
  };
  std::vector<S> rows = step_orders(*result);
  std::erase_if(rows,
                [](const S& s) { return std::isnan(s.crossover) && std::isnan(s.plateau_from); });
  return table_of<S>(
      "crossover",
      {{"problem", "", [=](const S& s) { return problem(s).name; }},
       {"epsilon", "ε", [=](const S& s) { return problem(s).epsilon; }, "{:.3g}"},
       {"method", "", [](const S& s) { return s.method->name; }},
       {"formulation", "variables", [=](const S& s) { return problem(s).formulation; }},
       {"group", "", [=](const S& s) { return problem(s).groups[s.group]; }},
       {"crossover", "crossover h/ε", &S::crossover, "{:.2g}"},
       C(
           "plateau_from", "plateau h/ε", [=](const S& s) { return scaled(s, s.plateau_from); },
           "{:.2g}")
           .said([=](const S& s) {
             return std::isnan(s.plateau_from)
                        ? "-"
                        : fmt::format("{:.2g} – {:.2g}", scaled(s, s.plateau_from),
                                      scaled(s, s.plateau_to));
           }),
       {"plateau_to", "", [=](const S& s) { return scaled(s, s.plateau_to); }, "{:.2g}"}},
      std::move(rows), 5);
}

View crossover_view() {
  return {.key = "crossover",
          .caption = "Crossover and plateaus",
          .table = "crossover",
          .columns = {"problem", "epsilon", "method", "formulation", "group", "crossover",
                      "plateau_from"},
          .says = fmt::format("Step sizes at which one order changes into the other, and the "
                              "interval of plateaus (order below {:g}).",
                              plateau_order)};
}

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

}  // namespace rigidlimit
