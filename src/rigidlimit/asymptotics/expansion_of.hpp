// From a system to the data of its expansion. Include it in one translation unit a system.
#pragma once

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/asymptotics/rigid_flow.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

namespace detail {

/// Throws InputError where the expansion does not hold; see expansion_of.
void require_expandable(const ViscoelasticLaw& law, const VectorXd& eta0, const VectorXd& sliding,
                        double speed, const MatrixXd& delassus);

/// C⁻¹Λ(0) − η0, and exactly 0 where |C e₀| ≤ 1e-10 (1 + |Λ(0)|).
VectorXd missing_load(const MatrixXd& stiffness, const VectorXd& multiplier, const VectorXd& eta0);

/// The rigid DAE linearised about its motion, with the velocity constraint
///
///   G v₂ + (∂q G[q₂]) v̂ = C⁻¹ dΛ/dt
///
/// differentiated once, as an ODE in y = (q̂, v̂, q₂, v₂).
template <MechanicalSystem Sys>
class OuterEquations {
 public:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = 2 * (nq + n);

  OuterEquations(const Sys& sys, const Matrix<double, m, m>& stiffness)
      : sys_(sys), compliance_(stiffness.inverse()) {}

  Vector<double, size> rate(double t, const Vector<double, size>& y) const {
    using D = Dual<double, 1>;
    const Parts at(y);
    const RigidInstant<Sys> instant(sys_, t, at.q, at.v);
    const Vector<D, nq> q_rate = coordinate_rate(sys_, along(at.q, at.q2), along(at.v, at.v2));
    Vector<double, size> f;
    f << instant.coordinate_velocity(), instant.acceleration(), derivatives(q_rate).col(0),
        variation(instant, at).template head<n>();
    return f;
  }

  /// λ₂.
  Vector<double, m> lambda2(double t, const Vector<double, size>& y) const {
    const Parts at(y);
    return variation(RigidInstant<Sys>(sys_, t, at.q, at.v), at).template tail<m>();
  }

 private:
  struct Parts {
    explicit Parts(const Vector<double, size>& y)
        : q(y.template head<nq>()),
          v(y.template segment<n>(nq)),
          q2(y.template segment<nq>(nq + n)),
          v2(y.template tail<n>()) {}
    Vector<double, nq> q;
    Vector<double, n> v;
    Vector<double, nq> q2;
    Vector<double, n> v2;
  };

  Vector<double, n + m> variation(const RigidInstant<Sys>& instant, const Parts& at) const {
    return instant.variation(at.q2, at.v2, compliance_ * instant.multiplier_second_rate());
  }

  Sys sys_;
  Matrix<double, m, m> compliance_;  ///< C⁻¹
};

/// (q̂, v̂, q₂, v₂) at t = 0, from e₀: with p₀ = A⁻¹ e₀ and a velocity jump s = M⁻¹Gᵀ p₀
///
///   q₂ = T s,   G v₂ = C⁻¹Λ' − (∂q G[q₂]) v̂,
///   M v₂ = (∂F/∂v) s − (Gᵀ)' p₀ + M' s   up to a contact impulse Gᵀμ,
///
/// the last two terms being −M (M⁻¹Gᵀ)' p₀; ' is d/dt along q' = T v.
template <MechanicalSystem Sys>
VectorXd outer_start(const Sys& sys, const RigidInstant<Sys>& instant, const Coordinates<Sys>& q,
                     const Velocities<Sys>& v, const ContactVector<Sys>& p0,
                     const ContactVector<Sys>& e0, const ContactVector<Sys>& sliding_rate) {
  using D = Dual<double, 1>;
  const Velocities<Sys> s = instant.velocity_with(Velocities<Sys>::Zero(), e0);
  const Coordinates<Sys> q2 = coordinate_rate(sys, q, s);

  const Velocities<Sys, D> s_fixed = as_constants<D>(s), v_fixed = as_constants<D>(v);
  const ContactVector<Sys, D> p_fixed = as_constants<D>(p0);
  const Coordinates<Sys, D> q_fixed = as_constants<D>(q);
  const Coordinates<Sys, D> q_moving = along(q, instant.coordinate_velocity());
  const Velocities<Sys, D> contact = constraint(sys, q_moving).transpose() * p_fixed;
  const Velocities<Sys> momentum =
      derivatives(Velocities<Sys, D>(force(sys, q_fixed, along(v, s), D(0.0)) - contact +
                                     inertia_force(sys, q_moving, s_fixed)))
          .col(0);
  const ContactVector<Sys, D> turned = constraint(sys, along(q, q2)) * v_fixed;
  const ContactVector<Sys> sliding = sliding_rate - derivatives(turned).col(0);

  VectorXd y(2 * (Sys::nq + Sys::n));
  y << q, v, q2, instant.velocity_with(momentum, sliding);
  return y;
}

}  // namespace detail

/// The data of the expansion from `start` (consistent: G v = 0) with the scaled deflection eta0 (m)
/// at t = 0.
///
/// Throws InputError if the expansion does not hold: β ≠ 1, D not positive definite (the layer does
/// not decay), |G v| > 1e-10 (1 + |v|), dependent contacts (A singular), or sizes do not fit.
template <MechanicalSystem Sys>
Expansion expansion_of(const Sys& sys, const InitialState& start, const ViscoelasticLaw& law,
                       const VectorXd& eta0) {
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m;
  const Coordinates<Sys> q = start.q;
  const Velocities<Sys> v = start.v;
  const Matrix<double, m, n> G = constraint(sys, q);
  const Matrix<double, n, n> M = mass_matrix(sys, q);
  const Matrix<double, m, m> A = delassus(sys, q);
  detail::require_expandable(law, eta0, G * v, v.norm(), A);
  const RigidInstant<Sys> instant(sys, 0.0, q, v);

  Expansion expansion;
  expansion.coordinates = nq;
  expansion.velocities = n;
  expansion.contacts = m;
  expansion.delassus = A;
  expansion.stiffness = law.stiffness;
  expansion.damping = law.damping;
  const Matrix<double, n, m> W = M.ldlt().solve(G.transpose());
  expansion.velocity_of_impulse = W;
  expansion.coordinate_of_impulse.resize(nq, m);
  for (int i = 0; i < m; ++i)
    expansion.coordinate_of_impulse.col(i) = coordinate_rate(sys, q, Velocities<Sys>(W.col(i)));
  expansion.multiplier = instant.multiplier();
  expansion.multiplier_rate = instant.multiplier_rate();
  expansion.missing_load = detail::missing_load(law.stiffness, expansion.multiplier, eta0);

  const ContactVector<Sys> e0 = expansion.missing_load, p0 = A.ldlt().solve(e0);
  const ContactVector<Sys> sliding_rate = law.stiffness.ldlt().solve(expansion.multiplier_rate);
  const detail::OuterEquations<Sys> equations(sys, law.stiffness);
  expansion.outer.name = "outer expansion in (q, v, q2, v2)";
  expansion.outer.y0 = detail::outer_start(sys, instant, q, v, p0, e0, sliding_rate);
  expansion.outer.rhs = [equations](double t, VectorIn y, VectorOut f) {
    f = equations.rate(t, y);
  };
  expansion.lambda2 = [equations](double t, VectorIn y) -> VectorXd {
    return equations.lambda2(t, y);
  };
  return expansion;
}

}  // namespace rigidlimit
