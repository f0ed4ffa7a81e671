// A small convex quadratic program over second-order cones.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// s(y) ≥ |t(y)| with s = slope · y + offset and t = T y + t0 (0, 1 or 2 rows; none: s ≥ 0).
struct Cone {
  Eigen::RowVectorXd slope;
  double offset = 0.0;
  MatrixXd T{};
  VectorXd t0{};

  /// s − |t|.
  double margin(const VectorXd& y) const;
};

/// Minimises ½ yᵀ P y + cᵀ y over y in all cones, P symmetric positive definite; data of order one.
/// Returns the free minimum if it lies in the cones (to 1e-14). Otherwise, with one unknown,
/// returns the nearest point of the feasible interval, to round-off. With several unknowns, a
/// barrier method finds an interior point and from there the minimum to about 1e-12. Cones that
/// meet only in their rims give the point of largest margin, a margin of round-off. Empty: the
/// cones have no common point.
std::optional<VectorXd> least_in_cones(const MatrixXd& P, const VectorXd& c,
                                       const std::vector<Cone>& cones);

}  // namespace rigidlimit
