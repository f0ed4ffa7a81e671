#include "rigidlimit/certify/recorded_pair.hpp"

#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {

ExpressionMatrix recorded(const MatrixXd& A) {
  return A.unaryExpr([](double x) { return Expression(x); });
}

ExpressionMatrix of_independent(const MatrixXd& X, const RationalRows& rows) {
  if (rows.empty()) return recorded(X);
  const ExpressionMatrix H = matrix_of<Expression>(rows);
  return product_of_matrices(H.transpose(), product_of_matrices(recorded(X), H));
}

RecordedPair::Slip RecordedPair::slip(V y) const {
  const ExpressionMatrix E = rows(y).topRows(system_.ne), G = rows(y).bottomRows(system_.m);
  const ExpressionMatrix W =
      solved_constrained(mass(y), E, G.transpose(), ExpressionMatrix::Zero(system_.ne, system_.m))
          .topRows(system_.n);
  const ExpressionMatrix A = product_of_matrices(G, W);
  return {W, A, solved_definite(A, W.transpose()).transpose()};
}

/// The acceleration of rolling (n), then Λ (m), at the velocity v.
ExpressionVector RecordedPair::rolling(V y, V v) const {
  const Index n = system_.n, ne = system_.ne, m = system_.m;
  const ExpressionVector q = coordinates(y);
  const ExpressionVector drift = inlined(system_.constraint_drift, joined(q, rate(y, v), v));
  const Expression t = explicit_time_ ? y(size() - 1) : Expression(0.0);
  const ExpressionVector force =
      inlined(system_.force, joined(q, v, ExpressionVector::Constant(1, t)));
  const ExpressionVector free =
      solved_constrained(mass(y), rows(y).topRows(ne), force, ExpressionMatrix(-drift.head(ne)))
          .col(0)
          .head(n);
  const Slip at = slip(y);
  const ExpressionVector Lambda =
      solved_definite(at.delassus, product(rows(y).bottomRows(m), free) + drift.tail(m));
  return joined(ExpressionVector(free - product(at.response, Lambda)), Lambda);
}

ExpressionVector RecordedPair::rates(V y, V w) const {
  const ExpressionMatrix S = slip(y).directions;
  const ExpressionVector v = velocity(y, S, w), along = rate(y, v);
  ExpressionVector all = ExpressionVector::Constant(size(), Expression(1.0));
  all.head(system_.nq) = along;
  all.segment(system_.nq, system_.n) =
      rolling(y, v).head(system_.n) - product(derivative(S, coordinates(y), along), w);
  return all;
}

ExpressionVector RecordedPair::rates(V y) const {
  return rates(y, none());
}

ExpressionVector RecordedPair::load(V y, V w) const {
  return rolling(y, velocity(y, w)).tail(system_.m);
}

ExpressionVector RecordedPair::load(V y) const {
  return load(y, none());
}

ExpressionVector RecordedPair::velocity(V y, V w) const {
  return velocity(y, slip(y).directions, w);
}

ExpressionVector RecordedPair::start(V given) const {
  const ExpressionVector w =
      velocity_along(system_, rows(given), given.segment(system_.nq, system_.n)).tail(system_.m);
  ExpressionVector y = given;
  y.segment(system_.nq, system_.n) = velocity(given, -w);
  return joined(y, w);
}

ExpressionMatrix RecordedPair::sliding_rates(V y, V w) const {
  const ExpressionVector any = Recording::current().unknowns(system_.m);
  return substituted(jacobian_of(rates(y, any), any), any, w);
}

ExpressionMatrix RecordedPair::shift(V y) const {
  return sliding_rates(y, none());
}

ExpressionMatrix RecordedPair::bracket(V y) const {
  const ExpressionVector X = rates(y);
  const ExpressionMatrix Z = shift(y);
  return product_of_matrices(jacobian_of(X, y), Z) - derivative(Z, y, X);
}

ExpressionMatrix RecordedPair::derivative(const ExpressionMatrix& A, V x, V direction) {
  return tangents_of(A.reshaped(), x, direction).reshaped(A.rows(), A.cols());
}

ExpressionMatrix RecordedPair::mass(V y) const {
  return inlined(system_.mass_matrix, coordinates(y)).reshaped(system_.n, system_.n);
}

ExpressionMatrix RecordedPair::rows(V y) const {
  return inlined(system_.constraints, coordinates(y)).reshaped(system_.ne + system_.m, system_.n);
}

ExpressionVector RecordedPair::velocity(V y, const ExpressionMatrix& S, V w) const {
  return y.segment(system_.nq, system_.n) + product(S, w);
}

ExpressionVector RecordedPair::rate(V y, V v) const {
  return inlined(system_.coordinate_rate, joined(coordinates(y), v));
}

}  // namespace rigidlimit
