#include "rigidlimit/report/benchmark_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {

namespace {

TextTable table_with(std::vector<std::string> headers, std::size_t left) {
  TextTable table{.headers = std::move(headers), .left_aligned = {}, .rows = {}};
  for (std::size_t k = 0; k < table.headers.size(); ++k) table.left_aligned.push_back(k < left);
  return table;
}

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

}  // namespace

TextTable winner_table(const BenchmarkResult& result) {
  TextTable table = table_with(
      {"problem", "ε", "error of", "≤", "fastest", "time", "fewest f", "f", "reached by"}, 1);
  table.left_aligned[2] = table.left_aligned[4] = table.left_aligned[6] = true;
  for (const Winner& w : winners(result)) {
    if (!w.fewest_rhs && !w.fastest) continue;
    const BenchmarkProblem& p = result.problems[w.problem];
    table.rows.push_back(
        {{p.count > 0 ? fmt::format("{}, N = {}", p.name, p.count) : p.name},
         {epsilon_text(p.epsilon)},
         {w.groups},
         {fmt::format("{:.0e}", w.band)},
         {method_label(result, w.fastest)},
         {w.fastest ? time_text(w.fastest->seconds) : "-"},
         {method_label(result, w.fewest_rhs)},
         {w.fewest_rhs ? fmt::format("{}", w.fewest_rhs->work.rhs_evaluations) : "-"},
         {fmt::format("{} of {}", w.reached, w.contestants)}});
  }
  return table;
}

TextTable epsilon_table(const BenchmarkResult& result) {
  TextTable table = table_with({"problem", "method", "variables"}, 3);
  std::vector<double> epsilons;
  for (const BenchmarkProblem& p : result.problems)
    if (!std::isnan(p.epsilon) && std::ranges::find(epsilons, p.epsilon) == epsilons.end())
      epsilons.push_back(p.epsilon);
  for (const double eps : epsilons) {
    table.headers.push_back(fmt::format("ε = {:.3g}: steps, f, time, error", eps));
    table.left_aligned.push_back(false);
  }
  std::map<std::string, std::size_t> row_of;
  for (const Trial& t : result.trials) {
    const BenchmarkProblem& p = result.problems[t.problem];
    const auto column = std::ranges::find(epsilons, p.epsilon) - epsilons.begin();
    if (column == static_cast<std::ptrdiff_t>(epsilons.size())) continue;
    const std::string key = fmt::format("{} {} {}", p.name, t.method->name, p.formulation);
    if (const auto [at, is_new] = row_of.try_emplace(key, table.rows.size()); is_new) {
      table.rows.push_back({{p.name}, {t.method->name}, {p.formulation}});
      table.rows.back().resize(table.headers.size(), Cell{"-"});
    }
    table.rows[row_of[key]][static_cast<std::size_t>(3 + column)] =
        t.outcome == Outcome::success
            ? Cell{fmt::format("{}, {}, {}, {}", count_text(t.work.steps),
                               count_text(t.work.rhs_evaluations), time_text(t.seconds),
                               number(main_error(result, t)))}
            : Cell{t.outcome == Outcome::not_run ? "refused" : name_of(t.outcome), Tone::bad};
  }
  return table;
}

TextTable count_table(const BenchmarkResult& result) {
  TextTable table =
      table_with({"method", "ε", "N", "steps", "f", "time", "time per step", "error"}, 1);
  std::map<std::pair<std::string, double>, std::vector<SeriesPoint>> series;
  std::vector<const Trial*> all;
  for (const Trial& t : result.trials)
    if (t.outcome == Outcome::success) all.push_back(&t);
  std::ranges::stable_sort(all, {}, [&](const Trial* t) {
    return std::pair(std::string(t->method->name), -result.problems[t->problem].epsilon);
  });
  for (const Trial* t : all) {
    const BenchmarkProblem& p = result.problems[t->problem];
    const bool counts = t->work.steps > 0;
    const double a_step = counts ? t->seconds / static_cast<double>(t->work.steps) : std::nan("");
    table.rows.push_back({{t->method->name},
                          {epsilon_text(p.epsilon)},
                          {fmt::format("{}", p.count)},
                          {count_text(t->work.steps)},
                          {count_text(t->work.rhs_evaluations)},
                          {time_text(t->seconds)},
                          {counts ? time_text(a_step) : "?"},
                          {number(main_error(result, *t))}});
    // Fitted as an error in ε = 1/N: the exponent is minus the order.
    if (p.count >= 10 && a_step > 0.0)
      series[{t->method->name, p.epsilon}].push_back(
          {.epsilon = 1.0 / static_cast<double>(p.count), .error = a_step});
  }
  for (const auto& [key, points] : series) {
    const OrderFit fit = fit_order(points);
    if (std::isnan(fit.order)) continue;
    table.rows.push_back({{key.first},
                          {epsilon_text(key.second)},
                          {"≥ 10"},
                          {},
                          {},
                          {},
                          {fmt::format("~ N^{:.2f}", -fit.order)},
                          {}});
  }
  return table;
}

TextTable failure_table(const BenchmarkResult& result) {
  TextTable table = table_with(
      {"problem", "method", "variables", "first reason", "times", "ε", "at", "last t", "last h"},
      4);
  struct Kind {
    std::size_t row;
    int times;
    double least, most;  ///< ε
  };
  std::map<std::string, Kind> kinds;
  for (const Trial& t : result.trials) {
    if (t.outcome == Outcome::success) continue;
    const BenchmarkProblem& p = result.problems[t.problem];
    const std::string name = p.count > 0 ? fmt::format("{}, N = {}", p.name, p.count) : p.name;
    const std::string key =
        fmt::format("{} {} {} {}", name, t.method->name, p.formulation,
                    t.outcome == Outcome::not_run ? t.message : name_of(t.outcome));
    const auto [at, is_new] = kinds.try_emplace(key, table.rows.size(), 0, p.epsilon, p.epsilon);
    if (is_new)
      table.rows.push_back({{name},
                            {t.method->name},
                            {p.formulation},
                            {reason_text(t)},
                            {},
                            {},
                            {setting_text(t.setting)},
                            {std::isnan(t.t_reached) ? "-" : fmt::format("{:.4g}", t.t_reached)},
                            {number(t.last_step)}});
    Kind& kind = at->second;
    kind.least = std::min(kind.least, p.epsilon);
    kind.most = std::max(kind.most, p.epsilon);
    auto& row = table.rows[kind.row];
    row[4].text = fmt::format("{}", ++kind.times);
    row[5].text = kind.least < kind.most ? fmt::format("{:.3g} – {:.3g}", kind.most, kind.least)
                                         : epsilon_text(p.epsilon);
  }
  return table;
}

TextTable reference_table(const BenchmarkResult& result) {
  TextTable table = table_with({"reference", "error bar of each group"}, 2);
  for (std::size_t r = 0; r < result.references.size(); ++r) {
    const BenchmarkReference& reference = result.references[r];
    std::vector<std::string> bars;
    for (const BenchmarkProblem& p : result.problems)
      if (p.reference == r && bars.empty())
        for (std::size_t g = 0; g < reference.error.size(); ++g)
          bars.push_back(fmt::format("{} {:.1e}", p.groups[g], reference.error[g]));
    table.rows.push_back({{result.reference_names[r]},
                          bars.empty() ? Cell{"none: " + reference.message, Tone::bad}
                                       : Cell{fmt::format("{}", fmt::join(bars, ", "))}});
  }
  return table;
}

namespace {

std::string order_text(const OrderFit& fit) {
  if (std::isnan(fit.order)) return "-";
  return std::isnan(fit.standard_error)
             ? fmt::format("{:.2f}", fit.order)
             : fmt::format("{:.2f} ± {:.2f}", fit.order, fit.standard_error);
}

/// One method on one problem in one formulation, all ε and groups.
struct Line {
  std::string name;
  std::string formulation;
  const OdeMethod* method;
  std::vector<StepOrders> orders;
};

std::vector<Line> lines_of(const BenchmarkResult& result) {
  std::vector<Line> lines;
  for (const StepOrders& s : step_orders(result)) {
    const BenchmarkProblem& p = result.problems[s.problem];
    auto at = std::ranges::find_if(lines, [&](const Line& line) {
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
OrderFit chosen(const BenchmarkResult& result, const Line& line, std::size_t g, bool stiff) {
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

/// The smallest order of all ε: "0.42 (16)", with its h/ε in brackets.
std::string least_text(const Line& line, std::size_t g) {
  const StepOrders* least = nullptr;
  for (const StepOrders& s : line.orders)
    if (s.group == g && !std::isnan(s.least) && (!least || s.least < least->least)) least = &s;
  return least ? fmt::format("{:.2f} ({:.2g})", least->least, least->least_at) : "-";
}

}  // namespace

TextTable order_table(const BenchmarkResult& result) {
  TextTable table{.headers = {"problem", "method", "variables", "order"},
                  .left_aligned = {true, true, true, false},
                  .rows = {}};
  const std::vector<std::string> groups =
      result.problems.empty() ? std::vector<std::string>{} : result.problems.front().groups;
  for (const char* range : {"h ≫ ε", "least (h/ε)", "h ≪ ε"})
    for (const std::string& group : groups) {
      table.headers.push_back(fmt::format("{}, {}", group, range));
      table.left_aligned.push_back(false);
    }
  for (const Line& line : lines_of(result)) {
    std::vector<Cell> row{{line.name},
                          {line.method->name},
                          {line.formulation},
                          {fmt::format("{}", line.method->order)}};
    for (std::size_t g = 0; g < groups.size(); ++g)
      row.push_back({order_text(chosen(result, line, g, true))});
    for (std::size_t g = 0; g < groups.size(); ++g) row.push_back({least_text(line, g)});
    for (std::size_t g = 0; g < groups.size(); ++g)
      row.push_back({order_text(chosen(result, line, g, false))});
    const bool known = std::ranges::any_of(row.begin() + 4, row.end(),
                                           [](const Cell& cell) { return cell.text != "-"; });
    if (known) table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable crossover_table(const BenchmarkResult& result) {
  using S = StepOrders;
  const auto problem = [&result](const S& s) -> const BenchmarkProblem& {
    return result.problems[s.problem];
  };
  std::vector<S> shown = step_orders(result);
  std::erase_if(shown,
                [](const S& s) { return std::isnan(s.crossover) && std::isnan(s.plateau_from); });
  return text_table<S>(
      {{"", "problem", [=](const S& s) { return problem(s).name; }},
       {"", "ε", [=](const S& s) { return problem(s).epsilon; }, "{:.3g}"},
       {"", "method", [](const S& s) { return s.method->name; }},
       {"", "variables", [=](const S& s) { return problem(s).formulation; }},
       {"", "group", [=](const S& s) { return problem(s).groups[s.group]; }},
       {"", "crossover h/ε", &S::crossover, "{:.2g}"},
       {"", "plateau h/ε",
        [=](const S& s) {
          const double eps = std::isnan(problem(s).epsilon) ? 1.0 : problem(s).epsilon;
          return std::isnan(s.plateau_from)
                     ? "-"
                     : fmt::format("{:.2g} – {:.2g}", s.plateau_from / eps, s.plateau_to / eps);
        },
        "{}"}},
      shown);
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
