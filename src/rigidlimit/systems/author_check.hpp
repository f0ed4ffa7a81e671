// Checks that an author's struct has all functions of a system. It reports a mistake in one
// sentence, instead of a hundred lines of Eigen template errors.
#pragma once

#include <type_traits>

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit::detail {

/// Mistake in an author's struct; the first one that applies.
enum class AuthorMistake {
  none,
  sizes,              ///< no nq, n, m
  constraint,         ///< no constraint(q)
  equations,          ///< neither mass_matrix(q) nor kinetic_coenergy(q, v)
  force,              ///< mass_matrix(q) without force(q, v)
  potential,          ///< kinetic_coenergy(q, v) without potential(q)
  velocity_map,       ///< nq != n without velocity_map(q)
  gap,                ///< contacts() without gap(q), or gap(q) without contacts()
  constraint_scalar,  ///< constraint(q) returns doubles for every scalar of q; and so on
  mass_matrix_scalar,
  force_scalar,
  coenergy_scalar,
  potential_scalar,
  velocity_map_scalar,
  gap_scalar
};

template <class Returned>
struct ScalarOf {
  using type = std::decay_t<Returned>;
};
template <class Returned>
requires requires {
  typename std::decay_t<Returned>::Scalar;
}
struct ScalarOf<Returned> {
  using type = typename std::decay_t<Returned>::Scalar;
};

/// Whether a function of expressions returns expressions.
template <class Returned>
concept OfExpressions = std::is_same_v<typename ScalarOf<Returned>::type, Expression>;

/// Checks that a struct with sizes has every required function.
template <HasSizes Sys>
constexpr AuthorMistake missing_function() {
  using Q = Coordinates<Sys>;
  using V = Velocities<Sys>;
  constexpr bool constraint = requires(const Sys& s, const Q& q) {
    s.constraint(q);
  };
  constexpr bool mass = requires(const Sys& s, const Q& q) {
    s.mass_matrix(q);
  };
  constexpr bool coenergy = requires(const Sys& s, const Q& q, const V& v) {
    s.kinetic_coenergy(q, v);
  };
  constexpr bool force = requires(const Sys& s, const Q& q, const V& v) {
    s.force(q, v);
  }
  || requires(const Sys& s, const Q& q, const V& v) {
    s.force(q, v, 0.0);
  };
  constexpr bool potential = requires(const Sys& s, const Q& q) {
    s.potential(q);
  };
  constexpr bool map = requires(const Sys& s, const Q& q) {
    s.velocity_map(q);
  };
  if (!constraint) return AuthorMistake::constraint;
  if (!mass && !coenergy) return AuthorMistake::equations;
  if (mass && !force) return AuthorMistake::force;
  if (!mass && !potential) return AuthorMistake::potential;
  if (Sys::nq != Sys::n && !map) return AuthorMistake::velocity_map;
  constexpr bool contacts = requires(const Sys& s) {
    s.contacts();
  };
  constexpr bool gap = requires(const Sys& s, const Q& q) {
    s.gap(q);
  };
  if (contacts != gap) return AuthorMistake::gap;
  return AuthorMistake::none;
}

/// Checks that each present function is a template on the scalar.
template <HasSizes Sys>
constexpr AuthorMistake function_of_doubles() {
  using Q = Coordinates<Sys, Expression>;
  using V = Velocities<Sys, Expression>;
  // NOLINTBEGIN(readability-redundant-nested-if): first presence, then the scalar
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q) { s.constraint(q); })
    if constexpr (!requires(const Sys& s, const Q& q) {
                    { s.constraint(q) } -> OfExpressions;
                  })
      return AuthorMistake::constraint_scalar;
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q) { s.mass_matrix(q); })
    if constexpr (!requires(const Sys& s, const Q& q) {
                    { s.mass_matrix(q) } -> OfExpressions;
                  })
      return AuthorMistake::mass_matrix_scalar;
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q, const Velocities<Sys>& v) {
                  s.force(q, v);
                })
    if constexpr (!requires(const Sys& s, const Q& q, const V& v) {
                    { s.force(q, v) } -> OfExpressions;
                  })
      return AuthorMistake::force_scalar;
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q, const Velocities<Sys>& v) {
                  s.kinetic_coenergy(q, v);
                })
    if constexpr (!requires(const Sys& s, const Q& q, const V& v) {
                    { s.kinetic_coenergy(q, v) } -> OfExpressions;
                  })
      return AuthorMistake::coenergy_scalar;
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q) { s.potential(q); })
    if constexpr (!requires(const Sys& s, const Q& q) {
                    { s.potential(q) } -> OfExpressions;
                  })
      return AuthorMistake::potential_scalar;
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q) { s.velocity_map(q); })
    if constexpr (!requires(const Sys& s, const Q& q) {
                    { s.velocity_map(q) } -> OfExpressions;
                  })
      return AuthorMistake::velocity_map_scalar;
  // NOLINTEND(readability-redundant-nested-if)
  return AuthorMistake::none;
}

/// The same for the functions of contacts.
template <HasSizes Sys>
constexpr AuthorMistake contact_function_of_doubles() {
  using Q = Coordinates<Sys, Expression>;
  // NOLINTBEGIN(readability-redundant-nested-if): as above
  if constexpr (requires(const Sys& s, const Coordinates<Sys>& q) { s.gap(q); })
    if constexpr (!requires(const Sys& s, const Q& q) {
                    { s.gap(q) } -> OfExpressions;
                  })
      return AuthorMistake::gap_scalar;
  // NOLINTEND(readability-redundant-nested-if)
  return AuthorMistake::none;
}

template <class Sys>
constexpr AuthorMistake author_mistake() {
  if constexpr (!HasSizes<Sys>) {
    return AuthorMistake::sizes;
  } else {
    constexpr AuthorMistake missing = missing_function<Sys>();
    if (missing != AuthorMistake::none) return missing;
    constexpr AuthorMistake scalar = function_of_doubles<Sys>();
    return scalar != AuthorMistake::none ? scalar : contact_function_of_doubles<Sys>();
  }
}

/// Fails to compile if author_mistake<Sys>() finds a mistake, with a message how to fix it.
template <class Sys>
constexpr bool written_well() {
  constexpr AuthorMistake mistake = author_mistake<Sys>();
  static_assert(mistake != AuthorMistake::sizes,
                "a system needs `static constexpr int nq, n, m`: numbers of coordinates, "
                "velocities, contact rows");
  static_assert(mistake != AuthorMistake::constraint,
                "a system needs constraint(q), the m x n rows of its rolling contacts");
  static_assert(
      mistake != AuthorMistake::equations,
      "a system needs mass_matrix(q) and force(q, v), or kinetic_coenergy(q, v) and potential(q)");
  static_assert(mistake != AuthorMistake::force,
                "a system with mass_matrix(q) also needs force(q, v) or force(q, v, t)");
  static_assert(mistake != AuthorMistake::potential,
                "a system with kinetic_coenergy(q, v) also needs potential(q); for a free body it "
                "returns S(0)");
  static_assert(mistake != AuthorMistake::velocity_map,
                "if nq and n differ, the system needs velocity_map(q), nq x n, with q' = T(q) v");
  static_assert(mistake != AuthorMistake::gap,
                "contacts() needs gap(q) and vice versa: the gaps of all contacts, nc x 1; for a "
                "given normal force the gap may be S(0)");
  static_assert(mistake != AuthorMistake::constraint_scalar,
                "constraint must be a template on the scalar: template <class S> Matrix<S, m, n> "
                "constraint(const Vector<S, nq>& q) const");
  static_assert(mistake != AuthorMistake::mass_matrix_scalar,
                "mass_matrix must be a template on the scalar: template <class S> Matrix<S, n, n> "
                "mass_matrix(const Vector<S, nq>& q) const");
  static_assert(mistake != AuthorMistake::force_scalar,
                "force must be a template on the scalar: template <class S> Vector<S, n> "
                "force(const Vector<S, nq>& q, const Vector<S, n>& v) const");
  static_assert(mistake != AuthorMistake::coenergy_scalar,
                "kinetic_coenergy must be a template on the scalar: template <class S> S "
                "kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const");
  static_assert(mistake != AuthorMistake::potential_scalar,
                "potential must be a template on the scalar: template <class S> S "
                "potential(const Vector<S, nq>& q) const");
  static_assert(mistake != AuthorMistake::velocity_map_scalar,
                "velocity_map must be a template on the scalar: template <class S> "
                "Matrix<S, nq, n> velocity_map(const Vector<S, nq>& q) const");
  static_assert(mistake != AuthorMistake::gap_scalar,
                "gap must be a template on the scalar: template <class S> Vector<S, nc> "
                "gap(const Vector<S, nq>& q) const");
  return mistake == AuthorMistake::none && MechanicalSystem<Sys>;
}

}  // namespace rigidlimit::detail
