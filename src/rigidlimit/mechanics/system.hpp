// What a mechanical system is, and the one set of functions through which everybody reads it.
//
// A system is a struct with compile-time sizes nq, n, m and member templates on the scalar S, in
// one of two ways:
//
//   given       mass_matrix(q) -> M (n × n, s.p.d.),  force(q, v, t) -> F (n)
//   Lagrangian  kinetic_coenergy(q, v) -> K*,  potential(q) -> P,  and where they exist
//               dissipation(v) -> R (Rayleigh),  applied_force(q, v, t) -> Q (n)
//
// and always constraint(q) -> G (m × n). Optional: velocity_map(q) -> T (nq × n) with q' = T v
// (T = I if absent), and potential(q) for a given system, for its energy. The equations of motion
// are (theory.md, section 1)
//
//   q' = T(q) v,   M(q) v' = F(q, v, t) − G(q)ᵀ λ,   sliding velocity w = G(q) v.
#pragma once

#include <concepts>

#include "rigidlimit/core/derivative.hpp"

namespace rigidlimit {

template <class Sys, class S = double>
using Coordinates = Vector<S, Sys::nq>;
template <class Sys, class S = double>
using Velocities = Vector<S, Sys::n>;
template <class Sys, class S = double>
using ContactVector = Vector<S, Sys::m>;

template <class Sys>
concept HasGivenMatrices = requires(const Sys& sys, const Coordinates<Sys>& q,
                                    const Velocities<Sys>& v) {
  { sys.mass_matrix(q) } -> std::convertible_to<Matrix<double, Sys::n, Sys::n>>;
  { sys.force(q, v, 0.0) } -> std::convertible_to<Velocities<Sys>>;
};

template <class Sys>
concept HasPotential = requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.potential(q) } -> std::convertible_to<double>;
};

template <class Sys>
concept HasLagrangian = HasPotential<Sys> &&
    requires(const Sys& sys, const Coordinates<Sys>& q, const Velocities<Sys>& v) {
  { sys.kinetic_coenergy(q, v) } -> std::convertible_to<double>;
};

template <class Sys>
concept HasVelocityMap = requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.velocity_map(q) } -> std::convertible_to<Matrix<double, Sys::nq, Sys::n>>;
};

template <class Sys>
concept MechanicalSystem = (Sys::nq > 0 && Sys::n > 0 && Sys::m > 0) &&
                           (HasVelocityMap<Sys> || Sys::nq == Sys::n) &&
                           (HasGivenMatrices<Sys> || (HasLagrangian<Sys> && Sys::nq == Sys::n)) &&
                           requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.constraint(q) } -> std::convertible_to<Matrix<double, Sys::m, Sys::n>>;
};

/// M(q), n × n; from ∂²K*/∂v² where the system gives K* only.
template <MechanicalSystem Sys, class S>
Matrix<S, Sys::n, Sys::n> mass_matrix(const Sys& sys, const Vector<S, Sys::nq>& q) {
  if constexpr (HasGivenMatrices<Sys>) {
    return sys.mass_matrix(q);
  } else {
    // K* is quadratic in v: its Hessian may be taken at v = 0.
    constexpr int n = Sys::n;
    using Inner = Dual<S, n>;
    using Outer = Dual<Inner, n>;
    Vector<Outer, n> v;
    for (int i = 0; i < n; ++i) v(i) = Outer::variable(Inner::variable(S(0), i), i);
    const Outer K = sys.kinetic_coenergy(as_constants<Outer>(as_constants<Inner>(q)), v);
    Matrix<S, n, n> M;
    for (int i = 0; i < n; ++i) M.row(i) = gradient(K.derivative[static_cast<std::size_t>(i)]);
    return M;
  }
}

/// F(q, v, t), n: applied, potential and velocity-quadratic inertia forces. For a Lagrangian
/// system F = Q + ∂(K* − P)/∂q − (∂²K*/∂v∂q) v − ∂R/∂v (theory.md, section 7).
template <MechanicalSystem Sys, class S>
Vector<S, Sys::n> force(const Sys& sys, const Vector<S, Sys::nq>& q, const Vector<S, Sys::n>& v,
                        const S& t) {
  if constexpr (HasGivenMatrices<Sys>) {
    return sys.force(q, v, t);
  } else {
    constexpr int n = Sys::n;
    using D = Dual<S, n>;
    const auto q_var = as_variables<D>(q);
    const D lagrangian = sys.kinetic_coenergy(q_var, as_constants<D>(v)) - sys.potential(q_var);
    Vector<S, n> F = gradient(lagrangian);

    // (∂²K*/∂v∂q) v: the change of the momentum ∂K*/∂v along q' = v at fixed v.
    using Along = Dual<S, 1>;
    using Momentum = Dual<Along, n>;
    const Vector<Along, n> v_fixed = as_constants<Along>(v);
    const Momentum K =
        sys.kinetic_coenergy(as_constants<Momentum>(along(q, v)), as_variables<Momentum>(v_fixed));
    for (int i = 0; i < n; ++i) F(i) -= K.derivative[static_cast<std::size_t>(i)].derivative[0];

    if constexpr (requires { sys.dissipation(v); })
      F -= gradient(D(sys.dissipation(as_variables<D>(v))));
    if constexpr (requires { sys.applied_force(q, v, t); }) F += sys.applied_force(q, v, t);
    return F;
  }
}

/// G(q), m × n.
template <MechanicalSystem Sys, class S>
Matrix<S, Sys::m, Sys::n> constraint(const Sys& sys, const Vector<S, Sys::nq>& q) {
  return sys.constraint(q);
}

/// q' = T(q) v, nq.
template <MechanicalSystem Sys, class S>
Vector<S, Sys::nq> coordinate_rate(const Sys& sys, const Vector<S, Sys::nq>& q,
                                   const Vector<S, Sys::n>& v) {
  if constexpr (HasVelocityMap<Sys>)
    return sys.velocity_map(q) * v;
  else
    return v;
}

/// (∂q G[T v]) v, m: the part of d(G v)/dt that does not come from v'.
template <MechanicalSystem Sys, class S>
Vector<S, Sys::m> constraint_drift(const Sys& sys, const Vector<S, Sys::nq>& q,
                                   const Vector<S, Sys::n>& v) {
  using D = Dual<S, 1>;
  const Vector<D, Sys::nq> q_moving = along(q, coordinate_rate(sys, q, v));
  const Vector<D, Sys::n> v_fixed = as_constants<D>(v);
  const Vector<D, Sys::m> w = constraint(sys, q_moving) * v_fixed;
  return derivatives(w).col(0);
}

/// K* + P in joule; the kinetic part alone where the system has no potential.
template <MechanicalSystem Sys, class S>
S mechanical_energy(const Sys& sys, const Vector<S, Sys::nq>& q, const Vector<S, Sys::n>& v) {
  const Vector<S, Sys::n> momentum = mass_matrix(sys, q) * v;
  S energy = S(0.5) * v.dot(momentum);
  if constexpr (HasPotential<Sys>) energy += sys.potential(q);
  return energy;
}

}  // namespace rigidlimit
