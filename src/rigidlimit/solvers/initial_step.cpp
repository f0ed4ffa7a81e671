#include "rigidlimit/solvers/initial_step.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/solvers/solve_input.hpp"

namespace rigidlimit {

double initial_step(const OdeProblem& problem, const VectorXd& f0, int order, double span,
                    const SolveOptions& options) {
  const VectorXd weight = (absolute_tolerances(options, problem.y0.size()).array() +
                           options.rtol * problem.y0.array().abs())
                              .inverse()
                              .matrix();
  const auto norm = [&](const VectorXd& x) {
    return x.cwiseProduct(weight).norm() / std::sqrt(static_cast<double>(x.size()));
  };
  const double d0 = norm(problem.y0), d1 = norm(f0);
  const double euler = std::min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, span);

  VectorXd f1(f0.size());
  problem.rhs(problem.t0 + euler, problem.y0 + euler * f0, f1);
  if (!f1.allFinite()) return euler;
  const double d2 = norm(f1 - f0) / euler;
  const double largest = std::max(d1, d2);
  const double accurate = largest <= 1e-15 ? std::max(1e-6, 1e-3 * euler)
                                           : std::pow(0.01 / largest, 1.0 / (order + 1.0));
  return std::min({100.0 * euler, accurate, span});
}

}  // namespace rigidlimit
