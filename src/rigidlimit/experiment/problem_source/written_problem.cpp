#include "rigidlimit/experiment/problem_source/written_problem.hpp"

#include <cmath>
#include <stdexcept>

namespace rigidlimit {

CheckValues check_values(const OdeProblem& problem, double t1) {
  const Index size = problem.y0.size();
  CheckValues check{.t = problem.t0 + (t1 - problem.t0) / 3.0,
                    .y = problem.y0,
                    .f = VectorXd(size),
                    .row_sums = {}};
  for (Index i = 0; i < size; ++i)
    check.y(i) += 1e-3 * (1.0 + std::abs(check.y(i))) * std::cos(static_cast<double>(i) + 0.5);
  MatrixXd J(size, size);
  if (problem.coordinates) problem.coordinates->reset();
  problem.rhs(check.t, check.y, check.f);
  problem.jacobian(check.t, check.y, J);
  check.row_sums = J.rowwise().sum();
  if (!check.f.allFinite() || !J.allFinite())
    throw std::runtime_error("the equations are not finite near the start");
  return check;
}

}  // namespace rigidlimit
