#include "rigidlimit/certify/pair_tapes.hpp"

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

ExpressionMatrix recorded(const MatrixXd& A) {
  return A.unaryExpr([](double x) { return Expression(x); });
}

/// The equations of both motions in the active Recording.
class RecordedPair {
 public:
  RecordedPair(const RecordedSystem& system, bool explicit_time, const MatrixXd& stiffness,
               const MatrixXd& damping)
      : system_(system),
        explicit_time_(explicit_time),
        stiffness_(recorded(stiffness)),
        damping_(recorded(damping)) {}

  Index size() const { return system_.nq + system_.n + (explicit_time_ ? 1 : 0); }

  /// W = M⁻¹Gᵀ on ker E, with A = G W; S = W A⁻¹.
  struct Slip {
    ExpressionMatrix response, delassus, directions;
  };
  Slip slip(V y) const {
    const ExpressionMatrix E = rows(y).topRows(system_.ne), G = rows(y).bottomRows(system_.m);
    const ExpressionMatrix W =
        solved_constrained(mass(y), E, G.transpose(), ExpressionMatrix::Zero(system_.ne, system_.m))
            .topRows(system_.n);
    const ExpressionMatrix A = product_of_matrices(G, W);
    return {W, A, solved_definite(A, W.transpose()).transpose()};
  }

  /// The acceleration of rolling (n), then Λ (m), at the velocity v.
  ExpressionVector rolling(V y, V v) const {
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

  /// R(y, w).
  ExpressionVector rates(V y, V w) const {
    const ExpressionMatrix S = slip(y).directions;
    const ExpressionVector v = velocity(y, S, w), along = rate(y, v);
    ExpressionVector all = ExpressionVector::Constant(size(), Expression(1.0));
    all.head(system_.nq) = along;
    all.segment(system_.nq, system_.n) =
        rolling(y, v).head(system_.n) - product(derivative(S, coordinates(y), along), w);
    return all;
  }
  ExpressionVector rates(V y) const { return rates(y, ExpressionVector::Zero(system_.m)); }

  /// Λ(q, r + S w, t).
  ExpressionVector load(V y, V w) const {
    return rolling(y, velocity(y, slip(y).directions, w)).tail(system_.m);
  }
  ExpressionVector load(V y) const { return load(y, ExpressionVector::Zero(system_.m)); }

  ExpressionVector projected(V y) const {
    const ExpressionVector w =
        velocity_along(system_, rows(y), y.segment(system_.nq, system_.n)).tail(system_.m);
    ExpressionVector all = y;
    all.segment(system_.nq, system_.n) = velocity(y, slip(y).directions, -w);
    return all;
  }

  /// ∂R/∂w at w, N × m.
  ExpressionMatrix sliding_rates(V y, V w) const {
    const ExpressionVector any = Recording::current().unknowns(system_.m);
    return substituted(jacobian_of(rates(y, any), any), any, w);
  }
  ExpressionMatrix shift(V y) const { return sliding_rates(y, ExpressionVector::Zero(system_.m)); }

  /// E, N × m.
  ExpressionMatrix bracket(V y) const {
    const ExpressionVector X = rates(y);
    const ExpressionMatrix Z = shift(y);
    return product_of_matrices(jacobian_of(X, y), Z) - derivative(Z, y, X);
  }

  ExpressionVector deflection(V force) const { return solved_definite(stiffness_, force); }
  ExpressionVector lag(V rate) const { return deflection(product(damping_, rate)); }

  /// (∂A/∂x)[direction], of the shape of A.
  static ExpressionMatrix derivative(const ExpressionMatrix& A, V x, V direction) {
    return tangents_of(A.reshaped(), x, direction).reshaped(A.rows(), A.cols());
  }

 private:
  ExpressionVector coordinates(V y) const { return y.head(system_.nq); }
  ExpressionMatrix mass(V y) const {
    return inlined(system_.mass_matrix, coordinates(y)).reshaped(system_.n, system_.n);
  }
  ExpressionMatrix rows(V y) const {
    return inlined(system_.constraints, coordinates(y)).reshaped(system_.ne + system_.m, system_.n);
  }
  ExpressionVector velocity(V y, const ExpressionMatrix& S, V w) const {
    return y.segment(system_.nq, system_.n) + product(S, w);
  }
  ExpressionVector rate(V y, V v) const {
    return inlined(system_.coordinate_rate, joined(coordinates(y), v));
  }

  const RecordedSystem& system_;
  bool explicit_time_;
  ExpressionMatrix stiffness_, damping_;
};

}  // namespace

PairTapes::PairTapes(const RecordedSystem& system, bool explicit_time, const MatrixXd& stiffness,
                     const MatrixXd& damping)
    : nq(system.nq), n(system.n), m(system.m) {
  const RecordedPair pair(system, explicit_time, stiffness, damping);
  size = pair.size();
  start = tape_of([&](V y) -> ExpressionMatrix { return pair.projected(y); }, size);
  rigid = tape_of([&](V y) -> ExpressionMatrix { return pair.rates(y); }, size);
  fields = tape_of(
      [&](V y) -> ExpressionMatrix {
        const ExpressionVector X = pair.rates(y), Lambda = pair.load(y),
                               eta = pair.deflection(Lambda),
                               eta_rate =
                                   pair.deflection(RecordedPair::derivative(Lambda, y, X).col(0));
        const ExpressionMatrix E = pair.bracket(y);
        return joined(
            jacobian_of(X, y), product(E, eta), ExpressionVector(-product(E, pair.lag(eta_rate))),
            product(pair.shift(y), eta), product(pair.slip(y).directions, eta_rate), Lambda);
      },
      size);
  terms = tape_of(
      [&](V y, V w, V d, V eta, V f) -> ExpressionMatrix {
        const auto along = [](V g, V x, V direction) -> ExpressionVector {
          return RecordedPair::derivative(g, x, direction).col(0);
        };
        const ExpressionVector X = pair.rates(y), first = along(X, y, d), Lambda = pair.load(y),
                               load_rate = along(Lambda, y, X);
        const ExpressionMatrix E = pair.bracket(y), Z = pair.shift(y);
        const RecordedPair::Slip slip = pair.slip(y);
        const ExpressionMatrix& S = slip.directions;
        const ExpressionVector shifted = product(Z, eta),
                               sliding = product(pair.sliding_rates(y, w), f);
        const ExpressionMatrix& A = slip.delassus;
        return joined(along(first, y, d),
                      ExpressionVector(along(product(E, eta), y, d) - along(first, y, shifted)),
                      jacobian_of(pair.sliding_rates(y, w).reshaped(), w),
                      along(shifted, y, sliding), E, Z, along(shifted, y, d), S,
                      along(product(S, f), y, d), A,
                      product_of_matrices(A, jacobian_of(pair.load(y, w), w)), along(Lambda, y, d),
                      Lambda, load_rate, along(load_rate, y, X));
      },
      size, m, size, m, m);
}

PairTapes::Terms terms_at(const PairTapes& tapes, const Evaluator<Ball>& evaluator,
                          const BallVector& y, const BallVector& w, const BallVector& d,
                          const BallVector& eta, const BallVector& f) {
  BallVector all(std::ssize(evaluator.tape().outputs));
  evaluator(into(all), y, w, d, eta, f);
  Index next = 0;
  const auto take = [&all, &next](Index rows, Index columns) -> BallMatrix {
    const BallMatrix part = all.segment(next, rows * columns).reshaped(rows, columns);
    next += rows * columns;
    return part;
  };
  const Index N = tapes.size, n = tapes.n, m = tapes.m;
  PairTapes::Terms terms;
  terms.curvature = take(N, 1);
  terms.bracket_change = take(N, 1);
  terms.sliding_squared = take(N * m, m);
  terms.substitution = take(N, 1);
  terms.bracket = take(N, m);
  terms.shift = take(N, m);
  terms.shift_change = take(N, 1);
  terms.slip = take(n, m);
  terms.slip_change = take(n, 1);
  terms.delassus = take(m, m);
  terms.sliding_load = take(m, m);
  terms.load_change = take(m, 1);
  terms.load = take(m, 1);
  terms.load_rate = take(m, 1);
  terms.load_curvature = take(m, 1);
  return terms;
}

}  // namespace rigidlimit
