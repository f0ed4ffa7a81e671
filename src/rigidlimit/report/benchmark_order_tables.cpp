// Tables of solves with equal steps.
#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/report/benchmark_tables.hpp"

namespace rigidlimit {

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
  TextTable table{
      .headers = {"problem", "ε", "method", "variables", "group", "crossover h/ε", "plateau h/ε"},
      .left_aligned = {true, false, true, true, true, false, false},
      .rows = {}};
  for (const StepOrders& s : step_orders(result)) {
    const BenchmarkProblem& p = result.problems[s.problem];
    if (std::isnan(s.crossover) && std::isnan(s.plateau_from)) continue;
    const double eps = std::isnan(p.epsilon) ? 1.0 : p.epsilon;
    table.rows.push_back(
        {{p.name},
         {std::isnan(p.epsilon) ? "-" : fmt::format("{:.3g}", p.epsilon)},
         {s.method->name},
         {p.formulation},
         {p.groups[s.group]},
         {std::isnan(s.crossover) ? "-" : fmt::format("{:.2g}", s.crossover)},
         {std::isnan(s.plateau_from)
              ? "-"
              : fmt::format("{:.2g} – {:.2g}", s.plateau_from / eps, s.plateau_to / eps)}});
  }
  return table;
}

}  // namespace rigidlimit
