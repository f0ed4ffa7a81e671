// Checks the sizes of the return values of an author's functions.
#pragma once

#include <fmt/format.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"

namespace rigidlimit::detail {

/// Compile-time sizes must fit; Dynamic ones are checked when the system is made.
template <class Returned, int Rows, int Cols>
inline constexpr bool may_fit = (int(Returned::RowsAtCompileTime) == Rows ||
                                 int(Returned::RowsAtCompileTime) == Eigen::Dynamic) &&
                                (int(Returned::ColsAtCompileTime) == Cols ||
                                 int(Returned::ColsAtCompileTime) == Eigen::Dynamic);

template <class Returned>
void require_shape(const std::string& name, const char* function, const char* expected,
                   const Returned& value, Index rows, Index cols) {
  if (value.rows() == rows && value.cols() == cols) return;
  throw InputError(fmt::format("{}: {} returns {} x {} entries, not {} = {} x {}", name, function,
                               value.rows(), value.cols(), expected, rows, cols));
}

/// check_shapes() for the functions of contacts; also checks that a given normal force exists.
template <FrictionalMechanicalSystem Sys>
void check_contact_shapes(const Sys& sys, const std::string& name,
                          const Coordinates<Sys, Expression>& q,
                          const Velocities<Sys, Expression>& v, const Expression& t) {
  using Gap = std::decay_t<decltype(sys.gap(q))>;
  static_assert(int(Gap::RowsAtCompileTime) > 0 && int(Gap::ColsAtCompileTime) == 1,
                "gap(q) must return a column with its number of contacts in its type");
  if constexpr (requires { sys.normal_force(q, v, t); })
    require_shape(name, "normal_force(q, v, t)", "nc x 1", sys.normal_force(q, v, t),
                  Gap::RowsAtCompileTime, 1);
  else
    for (const ContactPoint& contact : sys.contacts())
      if (contact.normal == Normal::given)
        throw InputError(
            fmt::format("{}: the normal force of contact '{}' is given, but the struct has no "
                        "normal_force(q, v, t)",
                        name, contact.name));
}

/// Throws InputError with the function's name and both sizes; wrong compile-time sizes do not
/// compile.
template <class Sys>
void check_shapes(const Sys& sys, const std::string& name) {
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m;
  Recording recording;
  const Coordinates<Sys, Expression> q = recording.inputs(nq);
  const Velocities<Sys, Expression> v = recording.inputs(n);
  const Expression t = recording.input();
  using G = std::decay_t<decltype(sys.constraint(q))>;
  static_assert(may_fit<G, m, n>, "constraint(q) must return an m x n matrix");
  require_shape(name, "constraint(q)", "m x n", sys.constraint(q), m, n);
  if constexpr (requires { sys.mass_matrix(q); }) {
    using M = std::decay_t<decltype(sys.mass_matrix(q))>;
    static_assert(may_fit<M, n, n>, "mass_matrix(q) must return an n x n matrix");
    require_shape(name, "mass_matrix(q)", "n x n", sys.mass_matrix(q), n, n);
  }
  if constexpr (requires { sys.force(q, v); })
    require_shape(name, "force(q, v)", "n x 1", sys.force(q, v), n, 1);
  else if constexpr (requires { sys.force(q, v, t); })
    require_shape(name, "force(q, v, t)", "n x 1", sys.force(q, v, t), n, 1);
  if constexpr (requires { sys.applied_force(q, v); })
    require_shape(name, "applied_force(q, v)", "n x 1", sys.applied_force(q, v), n, 1);
  else if constexpr (requires { sys.applied_force(q, v, t); })
    require_shape(name, "applied_force(q, v, t)", "n x 1", sys.applied_force(q, v, t), n, 1);
  if constexpr (requires { sys.velocity_map(q); })
    require_shape(name, "velocity_map(q)", "nq x n", sys.velocity_map(q), nq, n);
  if constexpr (requires { sys.exact_constraint(q); }) {
    using E = std::decay_t<decltype(sys.exact_constraint(q))>;
    static_assert(int(E::RowsAtCompileTime) != Eigen::Dynamic,
                  "exact_constraint(q) must return a matrix with its number of rows in its type");
    static_assert(may_fit<E, exact_rows<Sys>, n>, "exact_constraint(q) must have n columns");
  }
  if constexpr (FrictionalMechanicalSystem<Sys>) {
    check_contact_shapes(sys, name, q, v, t);
  } else if constexpr (requires { sys.quasi_velocities(q); }) {
    require_shape(name, "quasi_velocities(q)", "(n - ne - m) x n", sys.quasi_velocities(q),
                  n - exact_rows<Sys> - m, n);
  }
}

}  // namespace rigidlimit::detail
