// Slow-fast differential equations at one ε, and approximate solutions on a step.
#pragma once

#include <optional>

#include "rigidlimit/certify/ball.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {

/// e z' = F(z) for z = (y, f, η), N + 2m components, e = (1, ε, ε): y is slow, and the fast f and
/// η obey ε f' = F_f(z), ε η' = f. With m = 0, y' = F(y).
struct SlowFastEquation {
  Index slow = 0, contacts = 0;  ///< N, m
  Tape rates;                    ///< (z, ε) -> F
  Tape slopes;                   ///< (z, ε) -> ∂F/∂z, column by column
  MatrixXd stiffness{};  ///< C in ε f' = A (… − C η − D f), m × m, for the norm of (f, η)
  double epsilon = 1.0;

  Index size() const { return slow + 2 * contacts; }
  /// e of a component.
  Ball scale(Index i) const { return i < slow ? Ball(1) : Ball(epsilon); }
};

/// Approximates the solution on a step of length 2b, −b ≤ s ≤ b, by the polynomial through z(−b)
/// that solves the equation at Chebyshev–Radau nodes: stiff components need no short steps.
class Collocation {
 public:
  explicit Collocation(const SlowFastEquation& equation);

  /// Coefficients of s^k, a row for each component; none if Newton's method does not converge.
  /// Nothing about them is proved.
  std::optional<BallMatrix> polynomial(const BallVector& start, const Ball& half) const;

  static constexpr Index degree = 16;

 private:
  std::optional<BallMatrix> residual(const BallMatrix& values, const Ball& half) const;
  bool factorise(const BallMatrix& values, double half, LuFactors<double>& factors) const;

  const SlowFastEquation& equation_;
  Evaluator<Ball> rates_;
  Evaluator<double> slopes_;
  BallMatrix coefficients_;  ///< of the powers of s/b, from the values at all nodes
  BallMatrix derivative_;    ///< by s/b at the nodes but the first, likewise
  MatrixXd derivative_in_double_;
};

}  // namespace rigidlimit
