// What a mechanical system is, and the one set of functions through which everybody reads it.
//
// A system is a struct with compile-time sizes nq, n, m and member templates on the scalar S, in
// one of two ways:
//
//   given       mass_matrix(q) -> M (n × n, s.p.d.),  force(q, v) or force(q, v, t) -> F (n)
//   Lagrangian  kinetic_coenergy(q, v) -> K*,  potential(q) -> P,  and where they exist
//               dissipation(v) -> R (Rayleigh),  applied_force(q, v) or (q, v, t) -> Q (n)
//
// and always constraint(q) -> G (m × n). Optional: velocity_map(q) -> T (nq × n) with q' = T v
// (T = I if absent), potential(q) for a given system, for its energy, and quasi_velocities(q) -> S
// ((n − m) × n): natural quasi-velocities u = S(q) v beside the sliding velocity w = G(q) v, with
// [S; G] regular wherever G has full rank (theory.md, section 11). The equations of motion are
// (theory.md, section 1)
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
concept HasTimeDependentForce = requires(const Sys& sys, const Coordinates<Sys>& q,
                                         const Velocities<Sys>& v) {
  sys.force(q, v, 0.0);
}
|| requires(const Sys& sys, const Coordinates<Sys>& q, const Velocities<Sys>& v) {
  sys.applied_force(q, v, 0.0);
};

template <class Sys>
concept HasGivenMatrices = requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.mass_matrix(q) } -> std::convertible_to<Matrix<double, Sys::n, Sys::n>>;
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
concept HasQuasiVelocities = requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.quasi_velocities(q) } -> std::convertible_to<Matrix<double, Sys::n - Sys::m, Sys::n>>;
};

template <class Sys>
concept MechanicalSystem = (Sys::nq > 0 && Sys::n > 0 && Sys::m > 0) &&
                           (HasVelocityMap<Sys> || Sys::nq == Sys::n) &&
                           (HasGivenMatrices<Sys> || (HasLagrangian<Sys> && Sys::nq == Sys::n)) &&
                           requires(const Sys& sys, const Coordinates<Sys>& q) {
  { sys.constraint(q) } -> std::convertible_to<Matrix<double, Sys::m, Sys::n>>;
};

/// ∂K*/∂v at (q, v), n: the generalised momentum of a Lagrangian system.
template <HasLagrangian Sys, class S>
Vector<S, Sys::n> momentum(const Sys& sys, const Vector<S, Sys::nq>& q,
                           const Vector<S, Sys::n>& v) {
  using D = Dual<S, Sys::n>;
  return gradient(D(sys.kinetic_coenergy(as_constants<D>(q), as_variables<D>(v))));
}

/// M(q) a, n. K* is quadratic in v, so that M a is the difference of two momenta: no second
/// derivatives, a tenth of the cost inside a Jacobian.
template <MechanicalSystem Sys, class S>
Vector<S, Sys::n> inertia_force(const Sys& sys, const Vector<S, Sys::nq>& q,
                                const Vector<S, Sys::n>& a) {
  if constexpr (HasGivenMatrices<Sys>) {
    return sys.mass_matrix(q) * a;
  } else {
    const Vector<S, Sys::n> at_rest =
        momentum(sys, q, Vector<S, Sys::n>(Vector<S, Sys::n>::Zero()));
    return momentum(sys, q, a) - at_rest;
  }
}

/// M(q), n × n; from ∂²K*/∂v² where the system gives K* only.
template <MechanicalSystem Sys, class S>
Matrix<S, Sys::n, Sys::n> mass_matrix(const Sys& sys, const Vector<S, Sys::nq>& q) {
  if constexpr (HasGivenMatrices<Sys>) {
    return sys.mass_matrix(q);
  } else {
    // The momentum is linear in v: its derivatives may be taken at v = 0.
    using D = Dual<S, Sys::n>;
    const Vector<D, Sys::n> v = as_variables<D>(Vector<S, Sys::n>(Vector<S, Sys::n>::Zero()));
    return derivatives(momentum(sys, as_constants<D>(q), v));
  }
}

/// F(q, v, t), n: applied, potential and velocity-quadratic inertia forces. For a Lagrangian
/// system F = Q + ∂(K* − P)/∂q − (∂²K*/∂v∂q) v − ∂R/∂v (theory.md, section 7).
template <MechanicalSystem Sys, class S>
Vector<S, Sys::n> force(const Sys& sys, const Vector<S, Sys::nq>& q, const Vector<S, Sys::n>& v,
                        const S& t) {
  if constexpr (requires { sys.force(q, v, t); }) {
    return sys.force(q, v, t);
  } else if constexpr (requires { sys.force(q, v); }) {
    return sys.force(q, v);
  } else {
    constexpr int n = Sys::n;
    using D = Dual<S, n>;
    const auto q_var = as_variables<D>(q);
    const D lagrangian = sys.kinetic_coenergy(q_var, as_constants<D>(v)) - sys.potential(q_var);
    Vector<S, n> F = gradient(lagrangian);

    // (∂²K*/∂v∂q) v: the change of the momentum along q' = v at fixed v.
    const Vector<Dual<S, 1>, n> v_fixed = as_constants<Dual<S, 1>>(v);
    F -= derivatives(momentum(sys, along(q, v), v_fixed)).col(0);

    if constexpr (requires { sys.dissipation(v); })
      F -= gradient(D(sys.dissipation(as_variables<D>(v))));
    if constexpr (requires { sys.applied_force(q, v, t); })
      F += sys.applied_force(q, v, t);
    else if constexpr (requires { sys.applied_force(q, v); })
      F += sys.applied_force(q, v);
    return F;
  }
}

/// G(q), m × n.
template <MechanicalSystem Sys, class S>
Matrix<S, Sys::m, Sys::n> constraint(const Sys& sys, const Vector<S, Sys::nq>& q) {
  return sys.constraint(q);
}

/// w = G v, m. (Assigned, not initialised: for m = 1 Eigen offers the product as a number as well,
/// and Quad's constructors would take it.)
template <class S, int m, int n>
Vector<S, m> sliding_velocity(const Matrix<S, m, n>& G, const Vector<S, n>& v) {
  Vector<S, m> w;
  w.noalias() = G * v;
  return w;
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
