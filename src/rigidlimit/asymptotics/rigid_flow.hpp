// Derivatives of v' and Λ along the rigid motion, and across it, exact to round-off.
#pragma once

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

/// The KKT system K x = b with x = (v', Λ), differentiated implicitly: every derivative of x solves
/// the same system in double with a right side by automatic differentiation,
///
///   K ∂x = ∂(b − K x | x fixed),
///
/// so that no linear system is solved in Dual numbers.
template <MechanicalSystem Sys>
class RigidInstant {
 public:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m;
  using Unknowns = Vector<double, n + m>;  ///< of the size of (v', Λ)
  using D = Dual<double, 1>;

  RigidInstant(const Sys& sys, double t, const Vector<double, nq>& q, const Vector<double, n>& v)
      : sys_(sys), t_(t), q_(q), v_(v), kkt_(kkt_matrix<double>(sys, q)) {
    Unknowns right;
    right << force(sys, q, v, t), -constraint_drift(sys, q, v);
    x_ = kkt_.solve(right);
    q_rate_ = coordinate_rate(sys, q, v);
    differentiate_along_the_motion();
  }

  Vector<double, nq> coordinate_velocity() const { return q_rate_; }            ///< q' = T v
  Vector<double, n> acceleration() const { return x_.template head<n>(); }      ///< v'
  Vector<double, m> multiplier() const { return x_.template tail<m>(); }        ///< Λ
  Vector<double, m> multiplier_rate() const { return dx_.template tail<m>(); }  ///< dΛ/dt

  /// d²Λ/dt² along the motion: two derivatives of b − K x along the parabola through q, q', q'',
  /// v, v', v'' and x, x'.
  Vector<double, m> multiplier_second_rate() const {
    const Vector<D, nq> q_rate =
        coordinate_rate(sys_, along(q_, q_rate_), along(v_, acceleration()));
    const Vector<double, nq> q_bend = derivatives(q_rate).col(0);
    const Vector<double, n> v_bend = dx_.template head<n>();
    const Vector<DD, nq> q = parabola(q_, q_rate_, q_bend);
    const Vector<DD, n> v = parabola(v_, acceleration(), v_bend);
    const Vector<DD, n + m> x = parabola(x_, dx_, Unknowns(Unknowns::Zero()));
    DD t{D::variable(t_, 0)};
    t.derivative[0] = D(1.0);
    const Vector<DD, n + m> left = residual(t, q, v, x);
    Unknowns right;
    for (int i = 0; i < n + m; ++i) right(i) = left(i).derivative[0].derivative[0];
    const Unknowns ddx = kkt_.solve(right);
    return ddx.template tail<m>();
  }

  /// (v₂', λ₂) at (q₂, v₂), when the differentiated velocity constraint has the right side `bend`
  /// (m) at first order: K (v₂', λ₂) = δ(b − K x | x fixed) + (0, bend).
  Unknowns variation(const Vector<double, nq>& q2, const Vector<double, n>& v2,
                     const Vector<double, m>& bend) const {
    const Vector<D, n + m> x_fixed = as_constants<D>(x_);
    Unknowns right = derivatives(residual(D(t_), along(q_, q2), along(v_, v2), x_fixed)).col(0);
    right.template tail<m>() += bend;
    return kkt_.solve(right);
  }

  /// x of K (x, μ) = (momentum, sliding): G x = sliding, and M x = momentum up to a contact
  /// impulse.
  Vector<double, n> velocity_with(const Vector<double, n>& momentum,
                                  const Vector<double, m>& sliding) const {
    Unknowns right;
    right << momentum, sliding;
    const Unknowns x = kkt_.solve(right);
    return x.template head<n>();
  }

 private:
  using DD = Dual<D, 1>;

  /// b − K x = (F − M a − GᵀΛ, −(∂q G[Tv]) v − G a), x = (a, Λ).
  template <class S>
  Vector<S, n + m> residual(const S& t, const Vector<S, nq>& q, const Vector<S, n>& v,
                            const Vector<S, n + m>& x) const {
    const Vector<S, n> a = x.template head<n>();
    const Vector<S, m> lambda = x.template tail<m>();
    const Matrix<S, m, n> G = constraint(sys_, q);
    const Vector<S, m> normal = G * a;
    const Vector<S, n> contact = G.transpose() * lambda;
    Vector<S, n + m> left;
    left << force(sys_, q, v, t) - inertia_force(sys_, q, a) - contact,
        -constraint_drift(sys_, q, v) - normal;
    return left;
  }

  void differentiate_along_the_motion() {
    const Vector<D, n + m> x_fixed = as_constants<D>(x_);
    const Unknowns right = derivatives(residual(D::variable(t_, 0), along(q_, q_rate_),
                                                along(v_, acceleration()), x_fixed))
                               .col(0);
    dx_ = kkt_.solve(right);
  }

  /// x + τ dx + ½ τ² ddx to second order in τ.
  template <int N>
  static Vector<DD, N> parabola(const Vector<double, N>& x, const Vector<double, N>& dx,
                                const Vector<double, N>& ddx) {
    Vector<DD, N> moved;
    for (int i = 0; i < N; ++i) {
      moved(i).value.value = x(i);
      moved(i).value.derivative[0] = moved(i).derivative[0].value = dx(i);
      moved(i).derivative[0].derivative[0] = ddx(i);
    }
    return moved;
  }

  const Sys& sys_;
  double t_;
  Vector<double, nq> q_;
  Vector<double, n> v_;
  Eigen::PartialPivLU<Matrix<double, n + m, n + m>> kkt_;
  Unknowns x_;   ///< (v', Λ)
  Unknowns dx_;  ///< d/dt of it along the motion
  Vector<double, nq> q_rate_;
};

}  // namespace rigidlimit
