#include <cmath>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// y' = λ (y − φ(t)) + φ'(t), φ = sin(π/4 + t): y = φ from y(0) = φ(0), for any stiffness.
struct ProtheroRobinson {
  double lambda;

  template <class S>
  static S phi(const S& t) {
    using std::sin;
    return sin(S(M_PI_4) + t);
  }

  void operator()(const Expression& t, const ExpressionVector& y, const ExpressionVector&,
                  ExpressionVector& dydt) const {
    dydt[0] = lambda * (y[0] - phi(t)) + cos(M_PI_4 + t);
  }
};

}  // namespace

ClassicalEntry prothero_robinson() {
  return {
      .name = "prothero_robinson",
      .title = "Prothero and Robinson's problem: a known solution, approached at the rate lambda",
      .source =
          "Prothero and Robinson (1974), Math. Comp. 28, 145-162; Hairer & Wanner, Solving "
          "ODEs II, IV.15",
      .parameters = {{"lambda", -1e6, "rate of decay towards the solution", {.high = 0.0}}},
      .make = [](const std::vector<double>& values) {
        ClassicalProblem problem{.name = "prothero_robinson",
                                 .unknowns = {"y"},
                                 .end = 10.0,
                                 .tolerance = {.rtol = 1e-6, .atol = {1e-6}}};
        set_equations(problem, ProtheroRobinson{values[0]}, {0.0});
        const auto closed_form = []<class T>(ClassicalIn<T>& side) {
          side.exact = [](const T& t) -> VectorX<T> {
            return VectorX<T>::Constant(1, ProtheroRobinson::phi(t));
          };
          side.ode.y0 = side.exact(T(0));
        };
        closed_form(problem.real);
        closed_form(problem.quad);
        return problem;
      }};
}

}  // namespace rigidlimit
