// The motion with constant modes as an ODE in (q, v), its forces and their rates.
#pragma once

#include <utility>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

namespace rigidlimit {

/// y = (q, v).
VectorXd q_and_v(const VectorXd& q, const VectorXd& v);

/// y = (q, v) of a piece as a smooth motion y' = f(t, y). Refers to its arguments.
class PieceFlow {
 public:
  /// `step`: of difference quotients in t, s; their relative error is (step/time scale)².
  PieceFlow(const FrictionalSystem& system, const ContactStates& states, const VectorXd& compliance,
            double step)
      : system_(system), states_(states), compliance_(compliance), step_(step) {}

  VectorXd rate(double t, const VectorXd& y) const;      ///< f, nq + n
  MatrixXd jacobian(double t, const VectorXd& y) const;  ///< ∂f/∂y
  VectorXd forces(double t, const VectorXd& y) const;    ///< (λ, p), m + nc

  /// (λ, p)' and (λ, p)'' along the motion, by central differences. The states at t ± step are
  /// parabolas, whose errors of third order cancel in λ''. J: jacobian(t, y).
  std::pair<VectorXd, VectorXd> force_rates(double t, const VectorXd& y, const MatrixXd& J) const;

  /// The change of v' and of the forces if the sliding of the sticking contacts has the
  /// acceleration `w_rate` (m), and all other constraints are kept.
  struct Response {
    VectorXd acceleration;  ///< n
    VectorXd forces;        ///< of (λ, p), m + nc
  };
  Response response_to(double t, const VectorXd& y, const VectorXd& w_rate) const;

 private:
  PieceRate rate_at(double t, const VectorXd& y) const;

  const FrictionalSystem& system_;
  const ContactStates& states_;
  const VectorXd& compliance_;
  double step_;
};

}  // namespace rigidlimit
