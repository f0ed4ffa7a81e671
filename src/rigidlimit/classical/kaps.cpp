#include <cmath>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// y₁' = −(2 + 1/ε) y₁ + y₂²/ε, y₂' = y₁ − y₂ (1 + y₂): y = (e^(−2t), e^(−t)) for every ε.
struct Kaps {
  double eps;

  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector&,
                  ExpressionVector& dydt) const {
    dydt[0] = -2.0 * y[0] + (y[1] * y[1] - y[0]) / eps;
    dydt[1] = y[0] - y[1] * (1.0 + y[1]);
  }
};

}  // namespace

ClassicalEntry kaps() {
  return {.name = "kaps",
          .title = "Kaps' problem: the same smooth solution for any stiffness",
          .source =
              "Kaps (1981), The Rosenbrock-type methods; Dekker & Verwer, Stability of "
              "Runge-Kutta Methods (1984), section 7.5",
          .parameters = {{"eps", 1e-6, "time constant of the layer", positive}},
          .make = [](const std::vector<double>& values) {
            ClassicalProblem problem{.name = "kaps",
                                     .unknowns = {"y1", "y2"},
                                     .end = 1.0,
                                     .tolerance = {.rtol = 1e-6, .atol = {1e-6, 1e-6}}};
            set_equations(problem, Kaps{values[0]}, {1.0, 1.0});
            const auto closed_form = []<class T>(ClassicalIn<T>& side) {
              side.exact = [](const T& t) -> VectorX<T> {
                using std::exp;
                const T decay = exp(T(-t));
                return Vector<T, 2>(decay * decay, decay);
              };
            };
            closed_form(problem.real);
            closed_form(problem.quad);
            return problem;
          }};
}

}  // namespace rigidlimit
