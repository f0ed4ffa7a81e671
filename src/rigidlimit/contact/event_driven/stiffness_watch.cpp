#include "rigidlimit/contact/event_driven/stiffness_watch.hpp"

#include <utility>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

StiffnessWatch::StiffnessWatch(OdeProblem& problem, SolveOptions& solve)
    : jacobian_(problem.jacobian), t_(problem.t0), y_(problem.y0), t_before_(problem.t0) {
  problem.rhs = [this, rhs = std::move(problem.rhs)](double t, VectorIn y, VectorOut dydt) {
    t_ = t;
    y_ = y;
    rhs(t, y, dydt);
  };
  solve.stop_requested = [this, asked = std::move(solve.stop_requested)] {
    return (asked && asked()) || step_begins();
  };
}

/// true: stop.
bool StiffnessWatch::step_begins() {
  if (steps_++ % steps_between != 0 || steps_ == 1) return false;
  const double step = (t_ - t_before_) / static_cast<double>(steps_between);
  t_before_ = t_;
  stiff_ = step * largest_eigenvalue() > stability_bound;
  return stiff_;
}

double StiffnessWatch::largest_eigenvalue() const {
  MatrixXd J(y_.size(), y_.size());
  jacobian_(t_, y_, J);
  const std::optional<Eigen::VectorXcd> values = eigenvalues_of(J);
  return values && values->size() > 0 ? values->cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace rigidlimit
