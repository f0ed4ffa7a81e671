#include "rigidlimit/report/step_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rigidlimit {

namespace {

/// A table with a row for each (solver, formulation) and a column for each ε.
template <class CellOf>
TextTable table_by_epsilon(const std::vector<StepCount>& counts, CellOf cell_of) {
  TextTable table{.headers = {"solver", "variables"}, .left_aligned = {true, true}, .rows = {}};
  for (const StepCount& c : counts) {
    const bool first_line =
        c.solver == counts.front().solver && c.formulation == counts.front().formulation;
    if (first_line) {
      table.headers.push_back(fmt::format("ε = {:.4g}", c.epsilon));
      table.left_aligned.push_back(false);
    }
    const bool new_line = table.rows.empty() || table.rows.back()[0].text != c.solver ||
                          table.rows.back()[1].text != name_of(c.formulation);
    if (new_line) table.rows.push_back({{c.solver}, {name_of(c.formulation)}});
    table.rows.back().push_back(
        c.outcome == Outcome::success ? Cell{cell_of(c)} : Cell{name_of(c.outcome), Tone::bad});
  }
  return table;
}

}  // namespace

TextTable step_table(const std::vector<StepCount>& counts) {
  TextTable table = table_by_epsilon(counts, [](const StepCount& c) {
    return fmt::format("{} ({})", c.work.steps, c.work.rejected_steps);
  });
  table.headers.emplace_back("growth per decade");
  table.left_aligned.push_back(false);
  const std::vector<StepGrowth> growth = step_growth(counts);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    // The last line of an interrupted count is short.
    table.rows[i].resize(table.headers.size() - 1, Cell{"-"});
    table.rows[i].push_back(
        {std::isnan(growth[i].per_decade) ? "-" : fmt::format("{:.1f}", growth[i].per_decade)});
  }
  return table;
}

TextTable work_table(const std::vector<StepCount>& counts) {
  TextTable table = table_by_epsilon(counts, [](const StepCount& c) {
    return fmt::format("{} in {:.3g} ms", c.work.rhs_evaluations, c.milliseconds);
  });
  for (auto& row : table.rows) row.resize(table.headers.size(), Cell{"-"});
  return table;
}

std::string step_csv(const std::string& study, const std::vector<StepCount>& counts) {
  std::string text =
      "study,solver,formulation,epsilon,outcome,steps,rejected_steps,rhs_evaluations,"
      "jacobian_evaluations,factorisations,newton_iterations,milliseconds\n";
  for (const StepCount& c : counts)
    text += fmt::format("{},{},{},{:.17g},{},{},{},{},{},{},{},{:.6g}\n", study, c.solver,
                        name_of(c.formulation), c.epsilon, name_of(c.outcome), c.work.steps,
                        c.work.rejected_steps, c.work.rhs_evaluations, c.work.jacobian_evaluations,
                        c.work.factorisations, c.work.newton_iterations, c.milliseconds);
  return text;
}

}  // namespace rigidlimit
