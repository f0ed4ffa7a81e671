#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// A → B at 0.04, 2 B → B + C at 3e7, B + C → A + C at 1e4: an autocatalytic reaction.
struct Robertson {
  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector&,
                  ExpressionVector& dydt) const {
    const Expression first = 0.04 * y[0], second = 3e7 * (y[1] * y[1]), third = 1e4 * (y[1] * y[2]);
    dydt[0] = third - first;
    dydt[1] = first - third - second;
    dydt[2] = second;
  }
};

ClassicalProblem robertson_until(const char* name, double end) {
  // B is at most 4e-5: the absolute tolerance of the others would leave it without a digit.
  ClassicalProblem problem{.name = name,
                           .unknowns = {"A", "B", "C"},
                           .end = end,
                           .tolerance = {.rtol = 1e-6, .atol = {1e-14, 1e-20, 1e-8}}};
  set_equations(problem, Robertson{}, {1.0, 0.0, 0.0});
  return problem;
}

constexpr const char* robertson_source =
    "Robertson (1966), in Walsh (ed.), Numerical Analysis, 178-182; Hairer & Wanner, Solving ODEs "
    "II, IV.10";

}  // namespace

ClassicalEntry robertson() {
  return {
      .name = "robertson",
      .title = "Robertson's reaction until almost all has become C",
      .source = robertson_source,
      .make = [](const std::vector<double>&) {
        ClassicalProblem problem = robertson_until("robertson", 1e11);
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), rober",
             .values =
                 printed({"0.2083340149701255e-7", "0.8333360770334713e-13", "0.9999999791665050"}),
             .confirmed = {13, 14, 13}},
            {.source = "Hairer's test set for stiff ODEs, rober at x = 1e11",
             .values =
                 printed({"0.2083340149701284e-7", "0.8333360770334744e-13", "0.9999999791665152"}),
             .confirmed = {14, 14, 16}}};
        return problem;
      }};
}

/// The interval that most programs print; no source is known that documents the computation of its
/// digits.
ClassicalEntry robertson_40() {
  return {.name = "robertson_40",
          .title = "Robertson's reaction, its first 40 s",
          .source = robertson_source,
          .make = [](const std::vector<double>&) { return robertson_until("robertson_40", 40.0); }};
}

}  // namespace rigidlimit
