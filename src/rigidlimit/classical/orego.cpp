#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// Field and Noyes' model of the Belousov-Zhabotinskii reaction. c: s, q and w.
struct Orego {
  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector& c,
                  ExpressionVector& dydt) const {
    const Expression &s = c[0], &q = c[1], &w = c[2];
    dydt[0] = s * (y[1] + y[0] * (1.0 - q * y[0] - y[1]));
    dydt[1] = (y[2] - (1.0 + y[0]) * y[1]) / s;
    dydt[2] = w * (y[0] - y[2]);
  }
};

}  // namespace

ClassicalEntry orego() {
  return {
      .name = "orego",
      .title = "OREGO: an oscillating reaction, a little more than one period",
      .source =
          "Field & Noyes (1974), J. Chem. Phys. 60, 1877-1884; Hairer & Wanner, Solving "
          "ODEs II, IV.10",
      .parameters = {{"s", 77.27, "ratio of the time scales", positive}},
      .make = [](const std::vector<double>& values) {
        ClassicalProblem problem{.name = "orego",
                                 .unknowns = {"HBrO2", "Br-", "Ce4+"},
                                 .end = 360.0,
                                 .tolerance = {.rtol = 1e-6, .atol = {1e-6, 1e-6, 1e-6}}};
        set_equations(problem, Orego{}, {1.0, 2.0, 3.0}, {values[0], 8.375e-6, 0.161});
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), orego: RADAU, "
                       "rtol = 1.1e-18, atol = 1.1e-40, round-off 1.01e-19",
             .values =
                 printed({"0.1000814870318523e1", "0.1228178521549917e4", "0.1320554942846706e3"}),
             .confirmed = {16, 13, 12}},
            {.source = "Hairer's test set for stiff ODEs, orego at x = 360",
             .values =
                 printed({"0.1000814870318523e1", "0.1228178521549889e4", "0.1320554942846513e3"}),
             .confirmed = {16, 15, 14}}};
        return problem;
      }};
}

}  // namespace rigidlimit
