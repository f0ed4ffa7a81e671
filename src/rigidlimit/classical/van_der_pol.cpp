#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// y₁' = y₂, y₂' = μ (1 − y₁²) y₂ − y₁.
struct VanDerPol {
  double mu;

  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector&,
                  ExpressionVector& dydt) const {
    dydt[0] = y[1];
    dydt[1] = mu * ((1.0 - y[0] * y[0]) * y[1]) - y[0];
  }
};

}  // namespace

ClassicalEntry van_der_pol() {
  return {
      .name = "van_der_pol",
      .title = "Van der Pol's oscillator, a little more than one period",
      .source =
          "Hairer & Wanner, Solving ODEs II, IV.10; Mazzia & Magherini, Test Set for IVP "
          "Solvers 2.4 (2008), vdpol",
      .parameters = {{"mu", 1e3, "damping; the period is about 1.6 mu", positive}},
      .make = [](const std::vector<double>& values) {
        ClassicalProblem problem{.name = "van_der_pol",
                                 .unknowns = {"y", "y'"},
                                 .end = 2.0 * values[0],
                                 .tolerance = {.rtol = 1e-6, .atol = {1e-6, 1e-9}}};
        set_equations(problem, VanDerPol{values[0]}, {2.0, 0.0});
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), vdpol: RADAU, "
                       "rtol = atol = 1.1e-18, round-off 1.01e-19",
             .values = printed({"0.1706167732170469e1", "-0.8928097010248125e-3"}),
             .confirmed = {14, 14}},
            {.source = "earlier releases of the Test Set, in time t/mu: y' divided by mu",
             .values = printed({"0.1706167732170483e1", "-0.8928097010247975e-3"}),
             .confirmed = {13, 13}},
            {.source = "Hairer's test set for stiff ODEs, vdpol at x = 2, in time t/mu: y' divided "
                       "by mu",
             .values = printed({"0.1706167732170456e1", "-0.8928097010248257e-3"}),
             .confirmed = {14, 13}}};
        return problem;
      }};
}

}  // namespace rigidlimit
