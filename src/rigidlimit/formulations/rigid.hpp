// Rigid rolling as a problem for a solver, in three forms.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
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

inline Motion motion_of_blocks(const Solution& solution, Index nq, Index n, MatrixXd lambda) {
  return {.times = solution.times,
          .q = solution.states.topRows(nq),
          .v = solution.states.middleRows(nq, n),
          .lambda = std::move(lambda)};
}

/// Λ of the KKT system along a motion (q, v).
template <class Sys>
MatrixXd kkt_multipliers(const Sys& sys, const Solution& solution) {
  MatrixXd lambda(Sys::m, solution.states.cols());
  for (Index k = 0; k < lambda.cols(); ++k) {
    const Coordinates<Sys> q = solution.states.col(k).template head<Sys::nq>();
    const Velocities<Sys> v = solution.states.col(k).template segment<Sys::n>(Sys::nq);
    lambda.col(k) = solve_kkt(sys, q, v, solution.times[static_cast<std::size_t>(k)]).multiplier;
  }
  return lambda;
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
            return detail::motion_of_blocks(solution, nq, n, source.bottomRows(m));
          }};
}

/// Ideal rolling as an ODE in y = (q, v): the multiplier is eliminated, v' from the KKT system.
/// G v = 0 is an invariant of the flow that the solver keeps to its accuracy only.
template <MechanicalSystem Sys>
MotionProblem<OdeProblem> rigid_eliminated(const Sys& sys, const InitialState& start) {
  constexpr int nq = Sys::nq, n = Sys::n, size = nq + n;
  const auto right_side = [sys]<class S>(const S& t, const Vector<S, size>& y) {
    const Vector<S, nq> q = y.template head<nq>();
    const Vector<S, n> v = y.template tail<n>();
    Vector<S, size> rate;
    rate << coordinate_rate(sys, q, v), solve_kkt(sys, q, v, t).acceleration;
    return rate;
  };
  OdeProblem ode;
  ode.name = "rigid rolling, multiplier eliminated";
  ode.y0.resize(size);
  ode.y0 << start.q, start.v;
  ode.rhs = [right_side](double t, VectorIn y, VectorOut rate) {
    rate = right_side(t, Vector<double, size>(y));
  };
  ode.jacobian = [right_side](double t, VectorIn y, MatrixOut J) {
    using D = Dual<double, size>;
    J = derivatives(right_side(D(t), as_variables<D>(Vector<double, size>(y))));
  };
  if constexpr (HasTimeDependentForce<Sys>)
    ode.time_derivative = [right_side](double t, VectorIn y, VectorOut rate) {
      using D = Dual<double, 1>;
      rate = derivatives(right_side(D::variable(t, 0), as_constants<D>(Vector<double, size>(y))));
    };
  return {std::move(ode), [sys](const Solution& solution) {
            return detail::motion_of_blocks(solution, nq, n,
                                            detail::kkt_multipliers(sys, solution));
          }};
}

}  // namespace rigidlimit
