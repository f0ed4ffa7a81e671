// How an author writes a system.
//
// A system is a struct with compile-time sizes nq, n, m and member templates on the scalar S, in
// one of two ways:
//
//   given       mass_matrix(q) -> M (n × n, s.p.d.),  force(q, v) or force(q, v, t) -> F (n)
//   Lagrangian  kinetic_coenergy(q, v) -> K*,  potential(q) -> P,  and where they exist
//               dissipation(v) -> R (Rayleigh),  applied_force(q, v) or (q, v, t) -> Q (n);
//               with velocity_map, K* is a function of the quasi-velocities v, and F contains the
//               bracket terms of the Boltzmann–Hamel equations
//
// Always required: constraint(q) -> G (m × n), the rows of the contacts, which roll. Further
// functions (mechanics/frictional_system.hpp) let the contacts slip as well. Optional:
//
//   velocity_map(q) -> T (nq × n)         q' = T v; T = I if absent
//   exact_constraint(q) -> E (ne × n)     rows E v = 0 that stay ideal on both sides of the pair
//   exact_rates() -> e (ne)               E v = e, for surfaces that move: the last coordinate
//                                         is t, the last velocity 1, the last exact row that
//                                         velocity, and e = (0, …, 0, 1). In its column G has
//                                         b of w = G v + b, T has r of q' = T v + r, M and F
//                                         have 0 (docs/theory.md, section 16)
//   invariants(q) -> e (ni)               functions that stay zero along every motion with E v = 0
//   potential(q) -> P                     of a given system, for its energy
//   quasi_velocities(q) -> S              ((n − ne − m) × n) natural quasi-velocities u = S(q) v
//                                         beside the sliding velocity w = G(q) v, with [S; E; G]
//                                         regular where [E; G] has full rank: docs/theory.md, 11;
//                                         the normals of bilateral contacts are rows of E here
//   switching_times() -> std::vector<double>  instants (s, increasing) at which the force jumps or
//                                         has a kink. Those of select(), abs() and comparisons of
//                                         q, v and t are found without it (mechanics/switches.hpp)
//
// The equations of motion are (docs/theory.md, section 1), κ the multiplier of the exact rows,
//
//   q' = T(q) v,   M(q) v' = F(q, v, t) − E(q)ᵀ κ − G(q)ᵀ λ,   E(q) v = 0,   w = G(q) v.
//
// The functions are called once, with expressions (mechanics/equations_of.hpp), so a branch on a
// value is select(condition, a, b). All other code reads a system through mechanics/equations.hpp.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "rigidlimit/core/linear.hpp"

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
concept HasAppliedForce = requires(const Sys& sys, const Coordinates<Sys>& q,
                                   const Velocities<Sys>& v) {
  sys.applied_force(q, v);
}
|| requires(const Sys& sys, const Coordinates<Sys>& q, const Velocities<Sys>& v) {
  sys.applied_force(q, v, 0.0);
};

template <class Sys>
concept HasDissipation = requires(const Sys& sys, const Velocities<Sys>& v) {
  sys.dissipation(v);
};

template <class Sys>
concept HasNormalForce = requires(const Sys& sys, const Coordinates<Sys>& q,
                                  const Velocities<Sys>& v) {
  sys.normal_force(q, v, 0.0);
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

/// ne and ni, deduced from the return types; 0 without these functions.
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
  { sys.quasi_velocities(q) } -> std::convertible_to<Matrix<double, Eigen::Dynamic, Sys::n>>;
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
                           (HasGivenMatrices<Sys> ||
                            HasLagrangian<Sys>)&&requires(const Sys& sys,
                                                          const Coordinates<Sys>& q) {
  { sys.constraint(q) } -> std::convertible_to<Matrix<double, Sys::m, Sys::n>>;
};

}  // namespace rigidlimit
