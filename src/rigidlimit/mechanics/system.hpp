// How the author of a system writes it down, and what is derived from that for any scalar.
//
// A system is a struct with compile-time sizes nq, n, m and member templates on the scalar S, in
// one of two ways:
//
//   given       mass_matrix(q) -> M (n × n, s.p.d.),  force(q, v) or force(q, v, t) -> F (n)
//   Lagrangian  kinetic_coenergy(q, v) -> K*,  potential(q) -> P,  and where they exist
//               dissipation(v) -> R (Rayleigh),  applied_force(q, v) or (q, v, t) -> Q (n)
//
// and always constraint(q) -> G (m × n), the rows of the rolling contacts. Optional:
//
//   velocity_map(q) -> T (nq × n)         q' = T v; T = I if absent
//   exact_constraint(q) -> E (ne × n)     rows E v = 0 that stay ideal on both sides of the pair
//   invariants(q) -> e (ni)               functions that stay zero along every motion with E v = 0
//   potential(q) -> P                     of a given system, for its energy
//   quasi_velocities(q) -> S              ((n − ne − m) × n) natural quasi-velocities u = S(q) v
//                                         beside the sliding velocity w = G(q) v, with [S; E; G]
//                                         regular where [E; G] has full rank: docs/theory.md, 11
//   velocity(q, u, w) -> v (n)            the way back from them, [S; G]⁻¹ (u, w), where it can be
//                                         written down: compiled equations are twice as fast by it
//   accelerations(q, F) -> M⁻¹F (n)       likewise
//
// The equations of motion are (docs/theory.md, section 1), κ the multiplier of the exact rows,
//
//   q' = T(q) v,   M(q) v' = F(q, v, t) − E(q)ᵀ κ − G(q)ᵀ λ,   E(q) v = 0,   w = G(q) v.
//
// Everybody else reads a system through mechanics/equations.hpp, where its type is erased.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

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
concept HasExactConstraint = requires(const Sys& sys, const Coordinates<Sys>& q) {
  sys.exact_constraint(q);
};

template <class Sys>
concept HasInvariants = requires(const Sys& sys, const Coordinates<Sys>& q) {
  sys.invariants(q);
};

namespace detail {

/// ne and ni, read off what the functions return; 0 without them.
template <class Sys>
constexpr int count_exact_rows() {
  if constexpr (HasExactConstraint<Sys>)
    return decltype(std::declval<const Sys&>().exact_constraint(
        std::declval<const Coordinates<Sys>&>()))::RowsAtCompileTime;
  else
    return 0;
}
template <class Sys>
constexpr int count_invariants() {
  if constexpr (HasInvariants<Sys>)
    return decltype(std::declval<const Sys&>().invariants(
        std::declval<const Coordinates<Sys>&>()))::RowsAtCompileTime;
  else
    return 0;
}

}  // namespace detail

template <class Sys>
inline constexpr int exact_rows = detail::count_exact_rows<Sys>();
template <class Sys>
inline constexpr int invariant_count = detail::count_invariants<Sys>();

template <class Sys>
concept HasQuasiVelocities = requires(const Sys& sys, const Coordinates<Sys>& q) {
  {
    sys.quasi_velocities(q)
    } -> std::convertible_to<Matrix<double, Sys::n - exact_rows<Sys> - Sys::m, Sys::n>>;
};

template <class Sys>
concept HasVelocityOfQuasiVelocities = HasQuasiVelocities<Sys> &&
    requires(const Sys& sys, const Coordinates<Sys>& q, const Vector<double, Sys::n - Sys::m>& u,
             const ContactVector<Sys>& w) {
  { sys.velocity(q, u, w) } -> std::convertible_to<Velocities<Sys>>;
};

template <class Sys>
concept HasInverseMass = requires(const Sys& sys, const Coordinates<Sys>& q,
                                  const Velocities<Sys>& F) {
  { sys.accelerations(q, F) } -> std::convertible_to<Velocities<Sys>>;
};

template <class Sys>
concept HasSizes = requires {
  typename std::integral_constant<int, Sys::nq>;
  typename std::integral_constant<int, Sys::n>;
  typename std::integral_constant<int, Sys::m>;
};

template <class Sys>
concept MechanicalSystem = HasSizes<Sys> &&(Sys::nq > 0 && Sys::n > 0 && Sys::m > 0) &&
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

/// M(q), n × n; of a Lagrangian system the columns are the momenta of unit velocities, K* being
/// quadratic in v.
template <MechanicalSystem Sys, class S>
Matrix<S, Sys::n, Sys::n> mass_matrix(const Sys& sys, const Vector<S, Sys::nq>& q) {
  if constexpr (HasGivenMatrices<Sys>) {
    return sys.mass_matrix(q);
  } else {
    Matrix<S, Sys::n, Sys::n> M;
    for (int i = 0; i < Sys::n; ++i)
      M.col(i) = inertia_force(sys, q, Vector<S, Sys::n>(Vector<S, Sys::n>::Unit(i)));
    return M;
  }
}

/// F(q, v, t), n: applied, potential and velocity-quadratic inertia forces. For a Lagrangian
/// system F = Q + ∂(K* − P)/∂q − (∂²K*/∂v∂q) v − ∂R/∂v (docs/theory.md, section 7).
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

/// [E; G](q), (ne + m) × n: all rows that a rigid motion obeys, the exact ones first.
template <MechanicalSystem Sys, class S>
Matrix<S, exact_rows<Sys> + Sys::m, Sys::n> all_constraints(const Sys& sys,
                                                            const Vector<S, Sys::nq>& q) {
  if constexpr (HasExactConstraint<Sys>) {
    Matrix<S, exact_rows<Sys> + Sys::m, Sys::n> rows;
    rows << sys.exact_constraint(q), sys.constraint(q);
    return rows;
  } else {
    return sys.constraint(q);
  }
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

}  // namespace rigidlimit
