#include "rigidlimit/experiment/plan/plan_table.hpp"

namespace rigidlimit {

Table plan_table(const PlanSummary& plan) {
  using L = PlanLine;
  using C = ColumnOf<L>;
  const auto blank = [](double x, const char* format) {
    return x > 0.0 ? shown(x, format) : std::string();
  };
  return table_of<L>("plan",
                     {C("solve", "", [](const L& l) { return name_of(l.first.kind); }),
                      C("law", "", [](const L& l) { return l.first.law; }),
                      C("solver", "", [](const L& l) { return l.first.solver; }),
                      C("variables", "", [](const L& l) { return l.first.formulation; }),
                      C("rtol", "", [](const L& l) { return l.first.rtol; }).said([=](const L& l) {
                        return blank(l.first.rtol, "{:.1e}");
                      }),
                      C("solves", "", &L::solves), C("kept", "", &L::kept).toned([](const L& l) {
                        return l.kept == l.solves ? Tone::good : Tone::plain;
                      }),
                      C("seconds", "s", &L::seconds).said([=](const L& l) {
                        return blank(l.kept > 0 ? l.seconds : 0.0, "{:.3g}");
                      })},
                     plan.lines, 5);
}

}  // namespace rigidlimit
