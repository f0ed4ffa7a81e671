#include "rigidlimit/mechanics/recorded_system.hpp"

#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

/// q' = T v.
ExpressionVector coordinate_rate(const AuthoredSystem& author, const ExpressionVector& q,
                                 const ExpressionVector& v) {
  return product(author.velocity_map(q), v);
}

/// −γ (∂e/∂q)⁺ e.
ExpressionVector restoring_rate(const ExpressionVector& e, const ExpressionVector& q) {
  constexpr double gamma = 10.0;  // 1/s
  const ExpressionMatrix J = jacobian_of(e, q);
  ExpressionMatrix gram = ExpressionMatrix::Zero(e.size(), e.size());
  for (Index i = 0; i < e.size(); ++i) gram.col(i) = product(J, J.row(i).transpose());
  return product(J.transpose(), solved_definite(gram, -gamma * e));
}

/// ∂K*/∂v at (q, v): the generalised momentum.
ExpressionVector momentum(const AuthoredSystem& author, const ExpressionVector& q,
                          const ExpressionVector& v) {
  return jacobian_of(ExpressionVector::Constant(1, author.kinetic_coenergy(q, v)), v).transpose();
}

/// M a. K* is quadratic in v, so that M a is the difference of two momenta.
ExpressionVector inertia_force(const AuthoredSystem& author, const ExpressionVector& q,
                               const ExpressionVector& a) {
  if (!author.lagrangian) return product(author.mass_matrix(q), a);
  const ExpressionVector p = momentum(author, q, a);
  return p - substituted(p, a, ExpressionVector::Zero(a.size()));
}

/// The columns are the inertia forces of unit accelerations.
ExpressionMatrix mass_matrix(const AuthoredSystem& author, const ExpressionVector& q) {
  if (!author.lagrangian) return author.mass_matrix(q);
  const ExpressionVector a = Recording::current().unknowns(author.n);
  const ExpressionVector Ma = inertia_force(author, q, a);
  ExpressionMatrix M(author.n, author.n);
  for (Index i = 0; i < author.n; ++i)
    M.col(i) = substituted(Ma, a, ExpressionVector::Unit(author.n, i));
  return M;
}

/// The bracket terms of the Boltzmann–Hamel equations for q' = T v: component j is p · c_j with
/// T c_j = [T v, T_j], the Lie bracket of the vector fields T v (v fixed) and column j of T,
///
///   [X, Y] = (∂Y/∂q) X − (∂X/∂q) Y.
///
/// With z = T (TᵀT)⁻¹ p the component is z · [T v, T_j]. Zero for T = I. Source: Bloch, Marsden and
/// Zenkov, Quasivelocities and symmetries in nonholonomic systems, Dyn. Syst. 24 (2009).
ExpressionVector bracket_force(const AuthoredSystem& author, const ExpressionVector& q,
                               const ExpressionVector& v, const ExpressionVector& p) {
  const ExpressionMatrix T = author.velocity_map(q), columns = T.transpose();
  const ExpressionVector z = product(T, solved_definite(product_of_matrices(columns, T), p));
  const ExpressionVector fixed = Recording::current().unknowns(author.nq);
  const ExpressionVector q_rate = product(T, v);
  const ExpressionVector bracket =
      tangents_of(product(columns, fixed), q, q_rate) -
      product(columns, gradient_of(product(fixed.transpose(), q_rate)(0), q));
  return substituted(bracket, fixed, z);
}

/// F of a Lagrangian system, with p = ∂K*/∂v:
///
///   F = Q + Tᵀ ∂(K* − P)/∂q − (∂p/∂q) T v − ∂R/∂v + bracket_force
ExpressionVector force(const AuthoredSystem& author, const ExpressionVector& q,
                       const ExpressionVector& v, const Expression& t) {
  if (!author.lagrangian) return author.force(q, v, t);
  const auto slope = [](const Expression& y, const ExpressionVector& x) -> ExpressionVector {
    return jacobian_of(ExpressionVector::Constant(1, y), x).transpose();
  };
  const ExpressionVector p = momentum(author, q, v);
  ExpressionVector F = slope(author.kinetic_coenergy(q, v) - author.potential(q), q);
  if (author.lagrange_coordinates) {
    F -= tangents_of(p, q, v);
  } else {
    F = product(author.velocity_map(q).transpose(), F);
    F -= tangents_of(p, q, coordinate_rate(author, q, v));
    F += bracket_force(author, q, v, p);
  }
  F -= slope(author.dissipation(v), v);
  F += author.applied_force(q, v, t);
  return F;
}

/// (∂q X[q']) v of the rows X.
ExpressionVector drift(const ExpressionMatrix& rows, const ExpressionVector& q,
                       const ExpressionVector& q_rate, const ExpressionVector& v) {
  const ExpressionVector rate = tangents_of(rows.reshaped(), q, q_rate);
  return product(rate.reshaped(rows.rows(), rows.cols()), v);
}

/// g' = (∂g/∂q) T v.
ExpressionVector gap_rate(const AuthoredSystem& author, const ExpressionVector& q,
                          const ExpressionVector& v) {
  return tangents_of(author.gap(q), q, coordinate_rate(author, q, v));
}

}  // namespace

ExpressionMatrix normal_rows(const AuthoredSystem& author, const ExpressionVector& q) {
  ExpressionMatrix N(author.nc, author.n);
  for (Index k = 0; k < author.n; ++k)
    N.col(k) = gap_rate(author, q, ExpressionVector::Unit(author.n, k));
  return N;
}

ExpressionVector velocity_along(const RecordedSystem& system, const ExpressionMatrix& X,
                                const ExpressionVector& v) {
  ExpressionVector velocity = product(X, v);
  velocity.head(system.ne) -= system.exact_rates.cast<Expression>();
  return velocity;
}

RecordedSystem recorded_system(const AuthoredSystem& author) {
  const Index nq = author.nq, n = author.n;
  RecordedSystem r;
  r.nq = nq;
  r.n = n;
  r.m = author.m;
  r.ne = author.ne;
  r.ni = author.ni;
  r.nc = author.nc;
  r.np = author.np;
  r.exact_rates = VectorXd::Zero(author.ne);
  r.exact_rates.head(author.exact_rates.size()) = author.exact_rates;
  r.clock = author.clock;
  using V = const ExpressionVector&;
  r.coordinate_rate = tape_of([&](V q, V v) { return coordinate_rate(author, q, v); }, nq, n);
  r.restoring_rate = tape_of([&](V q) { return restoring_rate(author.invariants(q), q); }, nq);
  r.invariants = tape_of([&](V q) { return author.invariants(q); }, nq);
  if (r.np > 0) r.positions = tape_of([&](V q) { return author.positions(q); }, nq);
  r.mass_matrix = tape_of([&](V q) { return mass_matrix(author, q); }, nq);
  r.inertia_force = tape_of([&](V q, V a) { return inertia_force(author, q, a); }, nq, n);
  r.force = tape_of([&](V q, V v, V t) { return force(author, q, v, t(0)); }, nq, n, 1);
  r.potential =
      tape_of([&](V q) { return ExpressionVector::Constant(1, author.potential(q)); }, nq);
  r.constraints = tape_of([&](V q) { return author.constraints(q); }, nq);
  r.constraint_drift = tape_of(
      [&](V q, V q_rate, V v) { return drift(author.constraints(q), q, q_rate, v); }, nq, nq, n);
  r.quasi_velocities = tape_of([&](V q) { return author.quasi_velocities(q); }, nq);
  r.quasi_velocity_drift =
      tape_of([&](V q, V q_rate, V v) { return drift(author.quasi_velocities(q), q, q_rate, v); },
              nq, nq, n);
  if (author.nc == 0) return r;
  r.gap = tape_of([&](V q) { return author.gap(q); }, nq);
  r.normal_rows = tape_of([&](V q) { return normal_rows(author, q); }, nq);
  r.normal_drift = tape_of(
      [&](V q, V v) {
        return tangents_of(gap_rate(author, q, v), q, coordinate_rate(author, q, v));
      },
      nq, n);
  r.normal_force =
      tape_of([&](V q, V v, V t) { return author.normal_force(q, v, t(0)); }, nq, n, 1);
  return r;
}

RecordedSystem with_rigid_joints(const AuthoredSystem& author, RecordedSystem recorded) {
  const auto kept = [&](const ExpressionVector& q) {
    ExpressionVector all(author.ni + author.np);
    all << author.invariants(q), author.positions(q);
    return all;
  };
  recorded.ni = author.ni + author.np;
  recorded.invariants = tape_of(kept, author.nq);
  recorded.restoring_rate =
      tape_of([&](const ExpressionVector& q) { return restoring_rate(kept(q), q); }, author.nq);
  return recorded;
}

}  // namespace rigidlimit
