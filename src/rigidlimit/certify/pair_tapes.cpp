#include "rigidlimit/certify/pair_tapes.hpp"

#include "rigidlimit/certify/recorded_pair.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
PairTapes::PairTapes(const MotionPair& motions)
    : nq(motions.system->nq), n(motions.system->n), m(motions.system->m) {
  using V = RecordedPair::V;
  motions.check_stiffness();
  const RecordedPair pair(*motions.system, motions.explicit_time);
  const auto deflection = [&](V force) -> ExpressionVector {
    return solved_definite(of_independent(motions.stiffness, motions.combination), force);
  };
  const auto lag = [&](V rate) -> ExpressionVector {
    return deflection(product(of_independent(motions.damping, motions.combination), rate));
  };
  size = pair.size();
  start = tape_of([&](V y) -> ExpressionMatrix { return pair.start(y).head(size); }, size);
  rigid = tape_of([&](V y) -> ExpressionMatrix { return pair.rates(y); }, size);
  fields = tape_of(
      [&](V y) -> ExpressionMatrix {
        const ExpressionVector X = pair.rates(y), Lambda = pair.load(y), eta = deflection(Lambda),
                               eta_rate = deflection(RecordedPair::derivative(Lambda, y, X).col(0));
        const ExpressionMatrix E = pair.bracket(y);
        return joined(jacobian_of(X, y), product(E, eta),
                      ExpressionVector(-product(E, lag(eta_rate))), product(pair.shift(y), eta),
                      product(pair.slip(y).directions, eta_rate), Lambda);
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
    BallMatrix part = all.segment(next, rows * columns).reshaped(rows, columns);
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
