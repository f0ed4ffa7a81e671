#include "rigidlimit/report/plan_table.hpp"

#include <fmt/format.h>

namespace rigidlimit {

TextTable plan_table(const PlanSummary& plan) {
  TextTable table{.headers = {"solve", "law", "solver", "variables", "rtol", "solves", "kept", "s"},
                  .left_aligned = {true, true, true, true, false, false, false, false},
                  .rows = {}};
  for (const PlanLine& line : plan.lines) {
    const SolveIdentity& solve = line.first;
    const bool has_tolerance = solve.rtol > 0.0;  // not a closed form
    table.rows.push_back(
        {{name_of(solve.kind)},
         {solve.law},
         {solve.solver},
         {solve.formulation},
         {has_tolerance ? fmt::format("{:.1e}", solve.rtol) : ""},
         {fmt::format("{}", line.solves)},
         {fmt::format("{}", line.kept), line.kept == line.solves ? Tone::good : Tone::plain},
         {line.kept > 0 ? fmt::format("{:.3g}", line.seconds) : ""}});
  }
  return table;
}

}  // namespace rigidlimit
