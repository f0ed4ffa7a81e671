// Rigid rolling as a semi-explicit DAE of index 2 with a constant mass matrix.
#pragma once

#include "rigidlimit/formulations/derivatives.hpp"
#include "rigidlimit/formulations/rigid_motion.hpp"

namespace rigidlimit {

namespace detail {

/// (T v, M⁻¹(F − GᵀΛ), G v).
template <class T, class Sys>
Vector<T, Sys::nq + Sys::n + Sys::m> semi_explicit_rate(
    const Sys& sys, const T& t, const Vector<T, Sys::nq + Sys::n + Sys::m>& y) {
  const Vector<T, Sys::nq> q = y.template head<Sys::nq>();
  const Vector<T, Sys::n> v = y.template segment<Sys::n>(Sys::nq);
  const Vector<T, Sys::m> contact = y.template tail<Sys::m>();
  const Matrix<T, Sys::m, Sys::n> G = constraint(sys, q);
  const Vector<T, Sys::n> total = force(sys, q, v, t) - G.transpose() * contact;
  Vector<T, Sys::nq + Sys::n + Sys::m> f;
  f << coordinate_rate(sys, q, v), solve_positive(mass_matrix(sys, q), total),
      sliding_velocity(G, v);
  return f;
}

/// Its derivative in N directions, a = v' being differentiated implicitly.
template <int N, class Sys>
Matrix<double, Sys::nq + Sys::n + Sys::m, N> semi_explicit_derivative(
    const Sys& sys, double t, const Vector<double, Sys::nq + Sys::n + Sys::m>& y,
    const Dual<double, N>& t_var, const Vector<Dual<double, N>, Sys::nq + Sys::n + Sys::m>& y_var) {
  using D = Dual<double, N>;
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m;
  const Vector<double, nq> q0 = y.template head<nq>();
  const Matrix<double, n, n> M0 = mass_matrix(sys, q0);
  const Vector<double, n> a0 = semi_explicit_rate<double>(sys, t, y).template segment<n>(nq);
  const Vector<D, nq> q = y_var.template head<nq>();
  const Vector<D, n> v = y_var.template segment<n>(nq);
  const Vector<D, m> contact = y_var.template tail<m>();
  const Matrix<D, m, n> G = constraint(sys, q);
  const Vector<D, n> unbalance = force(sys, q, v, t_var) - G.transpose() * contact -
                                 inertia_force(sys, q, as_constants<D>(a0));
  const Vector<D, m> sliding = G * v;
  Matrix<double, nq + n + m, N> J;
  J << derivatives(coordinate_rate(sys, q, v)), solve_positive(M0, derivatives(unbalance)),
      derivatives(sliding);
  return J;
}

}  // namespace detail

template <MechanicalSystem Sys>
OdeDerivatives Derivatives<Sys>::rigid_semi_explicit(const Sys& sys) {
  constexpr int size = Sys::nq + Sys::n + Sys::m;
  OdeDerivatives of;
  of.jacobian = [sys](double t, VectorIn y, MatrixOut J) {
    using D = Dual<double, size>;
    const Vector<double, size> at = y;
    J = detail::semi_explicit_derivative<size>(sys, t, at, D(t), as_variables<D>(at));
  };
  if constexpr (HasTimeDependentForce<Sys>)
    of.time_derivative = [sys](double t, VectorIn y, VectorOut f) {
      using D = Dual<double, 1>;
      const Vector<double, size> at = y;
      f = detail::semi_explicit_derivative<1>(sys, t, at, D::variable(t, 0), as_constants<D>(at));
    };
  return of;
}

/// Ideal rolling in y = (q, v, Λ), index 2 in Λ:
///
///   q' = T v,   v' = M⁻¹(F − GᵀΛ),   0 = G v,   mass diag(I, I, 0).
///
/// `start` must satisfy G v = 0; Λ(0) is that of the KKT system. The motion's λ is Λ as the solver
/// computed it.
template <MechanicalSystem Sys, class T = double>
MotionProblem<MassProblemOf<T>, T> rigid_semi_explicit(const Sys& sys,
                                                       const InitialStateOf<T>& start) {
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n + m;
  const Vector<T, nq> q0 = start.q;
  const Vector<T, n> v0 = start.v;
  MassProblemOf<T> dae;
  dae.name = "rigid rolling, semi-explicit, index 2";
  dae.y0.resize(size);
  dae.y0 << q0, v0, solve_kkt(sys, q0, v0, T(0)).multiplier;
  dae.rhs = [sys](const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    f = detail::semi_explicit_rate<T>(sys, t, Vector<T, size>(y));
  };
  Derivatives<Sys>::rigid_semi_explicit(sys).give_to(dae);
  dae.mass = MatrixXd::Identity(size, size);
  dae.mass.bottomRightCorner(m, m).setZero();
  dae.index.assign(size, 0);
  std::fill(dae.index.end() - m, dae.index.end(), 2);
  return {std::move(dae), [](const SolutionOf<T>& solution) {
            return detail::motion_of_blocks<T>(solution, nq, n, solution.states.bottomRows(m));
          }};
}

}  // namespace rigidlimit
