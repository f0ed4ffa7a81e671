#include "rigidlimit/report/plan_table.hpp"

#include "rigidlimit/report/columns.hpp"

namespace rigidlimit {

TextTable plan_table(const PlanSummary& plan) {
  using L = PlanLine;
  const auto known = [](double x) { return x > 0.0 ? Value(x) : Value(""); };
  const Columns<L> columns{
      {"", "solve", [](const L& l) { return name_of(l.first.kind); }},
      {"", "law", [](const L& l) { return l.first.law; }},
      {"", "solver", [](const L& l) { return l.first.solver; }},
      {"", "variables", [](const L& l) { return l.first.formulation; }},
      {"", "rtol", [=](const L& l) { return known(l.first.rtol); }, "{:.1e}"},
      {"", "solves", &L::solves, "{}"},
      {"", "kept", &L::kept, "{}",
       [](const L& l) { return l.kept == l.solves ? Tone::good : Tone::plain; }},
      {"", "s", [=](const L& l) { return known(l.kept > 0 ? l.seconds : 0.0); }, "{:.3g}"}};
  return text_table(columns, plan.lines);
}

}  // namespace rigidlimit
