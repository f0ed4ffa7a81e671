// The terms of a system's equations of motion by dual numbers, independent of the program's
// recording (mechanics/recorded_system.cpp).
#pragma once

#include "rigidlimit/mechanics/system.hpp"
#include "support/derivative.hpp"

namespace rigidlimit {

/// ∂K*/∂v at (q, v), n: the generalised momentum of a Lagrangian system.
template <HasLagrangian Sys, class S>
Vector<S, Sys::n> momentum(const Sys& sys, const Vector<S, Sys::nq>& q,
                           const Vector<S, Sys::n>& v) {
  using D = Dual<S, Sys::n>;
  return gradient(D(sys.kinetic_coenergy(as_constants<D>(q), as_variables<D>(v))));
}

/// M(q) a, n. K* is quadratic in v, so that M a is the difference of two momenta. It needs no
/// second derivatives and a tenth of the cost inside a Jacobian.
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

/// M(q), n × n. For a Lagrangian system the columns are the momenta of unit velocities, because K*
/// is quadratic in v.
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

    // (∂²K*/∂v∂q) v: the derivative of the momentum along q' = v at fixed v.
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

/// [E; G](q), (ne + m) × n: all rows of a rigid motion, the exact rows first.
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

/// (∂q G[T v]) v, m: the part of d(G v)/dt without v'.
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
