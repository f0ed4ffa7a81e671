// Constrained mechanical systems, written once as M, F and g: their equations as DAEs of index 3, 2
// and 1 and as an ODE follow, by automatic differentiation of g alone.
//
//   q' = v,   M(q) v' = F(t, q, v) − G(t, q)ᵀ λ,   0 = g(t, q),   G = ∂g/∂q
#pragma once

#include <algorithm>
#include <array>
#include <concepts>

#include "rigidlimit/core/dual.hpp"
#include "rigidlimit/core/elimination.hpp"

namespace rigidlimit {

/// What a file of this room writes down: sizes n of q and v, m of g and λ, and
///
///   static constexpr bool autonomous      neither F nor g depends on t
///   static constexpr bool constant_mass   M is diagonal and does not depend on q
///   template <class S> void mass(const S* q, S* M) const                             n × n
///   template <class S> void force(const S& t, const S* q, const S* v, S* F) const    n
///   template <class S> void constraint(const S& t, const S* q, S* g) const           m
template <class P>
concept Mechanism = requires(const P& p, const double* in, double* out) {
  { P::n } -> std::convertible_to<int>;
  { P::m } -> std::convertible_to<int>;
  { P::autonomous } -> std::convertible_to<bool>;
  { P::constant_mass } -> std::convertible_to<bool>;
  p.mass(in, out);
  p.force(*in, in, in, out);
  p.constraint(*in, in, out);
};

/// Which derivative in time of g = 0 a formulation asks for: its index is 3 − level.
enum class ConstraintLevel { position = 0, velocity = 1, acceleration = 2 };

template <class S, std::size_t n>
using Numbers = std::array<S, n>;

/// G (m × n, row by row) at (t, q).
template <class S, Mechanism P>
void constraint_rows(const P& p, const S& t, const S* q, S* G) {
  using D = Dual<S, P::n>;
  Numbers<D, P::n> x;
  Numbers<D, P::m> g;
  for (int i = 0; i < P::n; ++i) x[static_cast<std::size_t>(i)] = D::variable(q[i], i);
  p.constraint(D(t), x.data(), g.data());
  for (const D& row : g) G = std::copy(row.derivative.begin(), row.derivative.end(), G);
}

/// g, dg/dt or d²g/dt² (m), as the level says, along q + v τ + ½ w τ². w is used by the last alone.
template <class S, Mechanism P>
void constraint_at(ConstraintLevel level, const P& p, const S& t, const S* q, const S* v,
                   const S* w, S* out) {
  if (level == ConstraintLevel::position) return p.constraint(t, q, out);
  using Once = Dual<S, 1>;
  if (level == ConstraintLevel::velocity) {
    Numbers<Once, P::n> x;
    Numbers<Once, P::m> g;
    for (std::size_t i = 0; i < P::n; ++i) {
      x[i] = Once(q[i]);
      x[i].derivative[0] = v[i];
    }
    p.constraint(Once::variable(t, 0), x.data(), g.data());
    for (std::size_t i = 0; i < P::m; ++i) out[i] = g[i].derivative[0];
    return;
  }
  using Twice = Dual<Once, 1>;
  Numbers<Twice, P::n> x;
  Numbers<Twice, P::m> g;
  for (std::size_t i = 0; i < P::n; ++i) {
    x[i].value = Once(q[i]);
    x[i].value.derivative[0] = v[i];
    x[i].derivative[0] = Once(v[i]);
    x[i].derivative[0].derivative[0] = w[i];
  }
  p.constraint(Twice::variable(Once::variable(t, 0), 0), x.data(), g.data());
  for (std::size_t i = 0; i < P::m; ++i) out[i] = g[i].derivative[0].derivative[0];
}

/// v' (n) and λ (m) of the motion through (t, q, v): the equations of motion with d²g/dt² = 0. G
/// must have full rank, else they are not finite.
template <class S, Mechanism P>
void accelerations_and_multipliers(const P& p, const S& t, const S* q, const S* v, S* w,
                                   S* lambda) {
  constexpr int n = P::n, m = P::m;
  Numbers<S, n * n> M;
  Numbers<S, n> F, rest;
  Numbers<S, m * n> G;
  Numbers<S, m> turning;
  p.mass(q, M.data());
  p.force(t, q, v, F.data());
  constraint_rows(p, t, q, G.data());
  rest.fill(S(0.0));
  constraint_at(ConstraintLevel::acceleration, p, t, q, v, rest.data(), turning.data());
  MatrixX<S> X(n + m, n + m);
  VectorX<S> b(n + m);
  for (int i = 0; i < n + m; ++i) {
    b(i) = i < n ? F[static_cast<std::size_t>(i)] : -turning[static_cast<std::size_t>(i - n)];
    for (int k = 0; k < n + m; ++k) {
      const bool mass = i < n && k < n, none = i >= n && k >= n;
      const int row = std::max(i, k) - n, column = std::min(i, k);
      X(i, k) = none   ? S(0.0)
                : mass ? M[static_cast<std::size_t>(i * n + k)]
                       : G[static_cast<std::size_t>(row * n + column)];
    }
  }
  const VectorX<S> x = solved_by_elimination<S>(X, b);
  for (int i = 0; i < n; ++i) w[i] = x(i);
  for (int i = 0; i < m; ++i) lambda[i] = x(n + i);
}

/// The ODE for (q, v): OdeEquations of size 2 n.
template <Mechanism P>
struct MechanismOde {
  static constexpr int size = 2 * P::n;
  static constexpr bool autonomous = P::autonomous;
  P mechanism;

  template <class S>
  void rate(const S& t, const S* y, S* dydt) const {
    Numbers<S, P::m> lambda;
    std::copy(y + P::n, y + 2 * P::n, dydt);
    accelerations_and_multipliers(mechanism, t, y, y + P::n, dydt + P::n, lambda.data());
  }
};

/// The DAE's right-hand side. Unknowns (q, v, w, λ) with w = v', as M may depend on q and a mass
/// matrix may not:
///
///   q' = v,   v' = w,   0 = M w − F + Gᵀ λ,   0 = the constraint of the level
///
/// With constant_mass (q, v, λ): q' = v, M v' = F − Gᵀ λ, 0 = the constraint.
template <Mechanism P>
struct MechanismDae {
  static constexpr int n = P::n, m = P::m;
  static constexpr int at_lambda = P::constant_mass ? 2 * n : 3 * n;
  static constexpr int size = at_lambda + m;
  static constexpr bool autonomous = P::autonomous;
  P mechanism;
  ConstraintLevel level;

  template <class S>
  void rate(const S& t, const S* y, S* f) const {
    const S *q = y, *v = y + n, *lambda = y + at_lambda;
    Numbers<S, n * n> M;
    Numbers<S, n> push;  // F − Gᵀ λ
    Numbers<S, m * n> G;
    mechanism.mass(q, M.data());
    mechanism.force(t, q, v, push.data());
    constraint_rows(mechanism, t, q, G.data());
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < m; ++k)
        push[static_cast<std::size_t>(i)] -= G[static_cast<std::size_t>(k * n + i)] * lambda[k];
    std::copy(v, v + n, f);
    if constexpr (P::constant_mass) {
      std::copy(push.begin(), push.end(), f + n);
      for (int i = 0; i < n; ++i)
        push[static_cast<std::size_t>(i)] /= M[static_cast<std::size_t>(i * n + i)];
      constraint_at(level, mechanism, t, q, v, push.data(), f + at_lambda);
    } else {
      const S* w = y + 2 * n;
      std::copy(w, w + n, f + n);
      for (int i = 0; i < n; ++i) {
        S sum = -push[static_cast<std::size_t>(i)];
        for (int k = 0; k < n; ++k) sum += M[static_cast<std::size_t>(i * n + k)] * w[k];
        f[2 * n + i] = sum;
      }
      constraint_at(level, mechanism, t, q, v, w, f + at_lambda);
    }
  }
};

}  // namespace rigidlimit
