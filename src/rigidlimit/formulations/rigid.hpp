// Rigid rolling as a fully implicit DAE.
#pragma once

#include "rigidlimit/formulations/rigid_motion.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace detail {

template <class Sys>
struct RigidBlocks {  // places of q, v and the multiplier in a state vector
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n + m;
};

/// The residual with the multiplier term Gᵀ × `force`, and the last block G v.
template <class S, class Sys>
Vector<S, RigidBlocks<Sys>::size> rigid_residual(const Sys& sys, const Vector<S, Sys::nq>& q,
                                                 const Vector<S, Sys::n>& v,
                                                 const Vector<S, Sys::nq>& q_rate,
                                                 const Vector<S, Sys::n>& v_rate,
                                                 const Vector<S, Sys::m>& contact, const S& t) {
  const Matrix<S, Sys::m, Sys::n> G = constraint(sys, q);
  const Vector<S, Sys::n> balance =
      inertia_force(sys, q, v_rate) - force(sys, q, v, t) + G.transpose() * contact;
  const Vector<S, Sys::m> sliding = G * v;
  Vector<S, RigidBlocks<Sys>::size> r;
  r << q_rate - coordinate_rate(sys, q, v), balance, sliding;
  return r;
}

}  // namespace detail

/// Where the multiplier stands in the DAE.
enum class MultiplierForm {
  index2,  ///< y = (q, v, Λ): 0 = M v' − F + GᵀΛ, index 2, Λ out of the error test
  impulse  ///< y = (q, v, Π) with Λ = Π': 0 = M v' − F + GᵀΠ', index 1, every component tested
};

/// Ideal rolling as a DAE with exact Jacobian and consistent start (v', Λ from the KKT system):
///
///   0 = q' − T v,   0 = M v' − F + Gᵀ(Λ or Π'),   0 = G v.
///
/// `start` must satisfy G v = 0. The motion's λ is Λ as the solver computed it.
template <MechanicalSystem Sys>
MotionProblem<DaeProblem> rigid_dae(const Sys& sys, const InitialState& start,
                                    MultiplierForm form) {
  using Blocks = detail::RigidBlocks<Sys>;
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = Blocks::size;
  const bool impulse = form == MultiplierForm::impulse;

  DaeProblem dae;
  dae.name = impulse ? "rigid rolling, index 1 in (q, v, impulse)" : "rigid rolling, index 2";
  const Coordinates<Sys> q0 = start.q;
  const Velocities<Sys> v0 = start.v;
  const auto kkt = solve_kkt(sys, q0, v0, 0.0);
  dae.y0 = VectorXd::Zero(size);
  dae.yp0 = VectorXd::Zero(size);
  dae.y0.head<nq>() = q0;
  dae.y0.segment<n>(nq) = v0;
  dae.yp0.head<nq>() = coordinate_rate(sys, q0, v0);
  dae.yp0.segment<n>(nq) = kkt.acceleration;
  (impulse ? dae.yp0 : dae.y0).tail<m>() = kkt.multiplier;
  dae.differential.assign(size, true);
  if (!impulse) std::fill(dae.differential.end() - m, dae.differential.end(), false);
  dae.algebraic_variables_untested = !impulse;

  dae.residual = [sys, impulse](double t, VectorIn y, VectorIn yp, VectorOut r) {
    const ContactVector<Sys> contact = impulse ? yp.tail<m>() : y.tail<m>();
    r = detail::rigid_residual<double, Sys>(sys, y.head<nq>(), y.segment<n>(nq), yp.head<nq>(),
                                            yp.segment<n>(nq), contact, t);
  };
  dae.jacobian = [sys, impulse](double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J) {
    using D = Dual<double, size>;
    const Vector<D, size> y_var = as_variables<D>(Vector<double, size>(y));
    const Vector<D, size> yp_fixed = as_constants<D>(Vector<double, size>(yp));
    const Vector<D, m> contact = impulse ? yp_fixed.template tail<m>() : y_var.template tail<m>();
    J = derivatives(detail::rigid_residual<D, Sys>(
        sys, y_var.template head<nq>(), y_var.template segment<n>(nq), yp_fixed.template head<nq>(),
        yp_fixed.template segment<n>(nq), contact, D(t)));
    // ∂r/∂y': identity, M, and Gᵀ where the impulse stands.
    const Coordinates<Sys> q = y.head<nq>();
    J.topLeftCorner<nq, nq>().diagonal().array() += alpha;
    J.block<n, n>(nq, nq) += alpha * mass_matrix(sys, q);
    if (impulse) J.block<n, m>(nq, nq + n) += alpha * constraint(sys, q).transpose();
  };
  return {std::move(dae), [impulse](const Solution& solution) {
            const MatrixXd& source = impulse ? solution.rates : solution.states;
            return detail::motion_of_blocks<double>(solution, nq, n, source.bottomRows(m));
          }};
}

}  // namespace rigidlimit
