#include "rigidlimit/asymptotics/layer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/contact_pencil.hpp"

namespace rigidlimit {

Layer::Layer(const MatrixXd& delassus, const MatrixXd& stiffness, const MatrixXd& damping,
             const VectorXd& x0)
    : delassus_(delassus), stiffness_(stiffness), damping_(damping), x0_(x0) {
  const Index m = stiffness.rows();
  for (const MatrixXd* X : {&delassus, &stiffness, &damping})
    if (X->rows() != m || X->cols() != m || !X->allFinite())
      throw InputError(fmt::format("a layer of {} contacts has a matrix that is {} x {}, sum {}", m,
                                   X->rows(), X->cols(), X->sum()));
  if (x0.size() != 2 * m || !x0.allFinite())
    throw InputError(
        fmt::format("a layer of {} contacts starts from {} finite numbers, not {}, "
                    "sum {}",
                    m, 2 * m, x0.size(), x0.sum()));
  matrix_ = MatrixXd::Zero(2 * m, 2 * m);
  matrix_.topRightCorner(m, m).setIdentity();
  matrix_.bottomLeftCorner(m, m) = -delassus * stiffness;
  matrix_.bottomRightCorner(m, m) = -delassus * damping;
}

VectorXd Layer::state(double tau) const {
  if (!(tau >= 0.0) || std::isinf(tau))
    throw InputError(fmt::format("the times of a layer must be 0 <= tau < infinity, not {}", tau));
  if (tau == 0.0) return x0_;
  const MatrixXd propagator = exponential_of(tau * matrix_);
  return propagator * x0_;
}

double Layer::slowest_rate() const {
  return -contact_pencil_rates(delassus_, stiffness_, damping_).real().maxCoeff();
}

MatrixXd Layer::states(const std::vector<double>& taus) const {
  MatrixXd x(x0_.size(), static_cast<Index>(taus.size()));
  for (Index k = 0; k < x.cols(); ++k) x.col(k) = state(taus[static_cast<std::size_t>(k)]);
  return x;
}

}  // namespace rigidlimit
