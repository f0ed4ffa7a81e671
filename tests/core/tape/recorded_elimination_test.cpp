// Tests recorded elimination: its solutions, also where every fixed row order has a zero pivot, and
// their derivative.
#include "rigidlimit/core/tape/recorded_elimination.hpp"

#include <gmock/gmock.h>

#include <array>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

constexpr Index size = 4;

/// Rows that rotate into each other: in every row order, each pivot is 0 for some angle.
ExpressionMatrix turning(const Expression& angle) {
  ExpressionMatrix X = ExpressionMatrix::Zero(size, size);
  const Expression c = cos(angle), s = sin(angle);
  for (const Index first : {0, 2}) {
    X(first, first) = c;
    X(first, first + 1) = -s;
    X(first + 1, first) = s;
    X(first + 1, first + 1) = c;
  }
  X(0, 2) = 0.5;
  X(3, 1) = angle;
  return X;
}
ExpressionVector right_side(const Expression& angle) {
  ExpressionVector b(size);
  b << 1.0, angle, -2.0, angle * angle;
  return b;
}

/// Values of a tape of one argument.
MatrixXd evaluated(const Tape& tape, double x, Index columns = 1) {
  MatrixXd result(static_cast<Index>(tape.outputs.size()) / columns, columns);
  const Evaluator<double> evaluate(tape);
  evaluate(into(result), std::span(&x, 1));
  return result;
}
using V = const ExpressionVector&;
Tape matrix_tape() {
  return tape_of([](V x) { return turning(x(0)); }, 1);
}
Tape right_tape() {
  return tape_of([](V x) { return right_side(x(0)); }, 1);
}
Tape solution_tape() {
  return tape_of([](V x) { return solved_by_pivoting(turning(x(0)), right_side(x(0))); }, 1);
}

constexpr std::array angles = {0.0, 0.3, 0.785, M_PI_2, 2.0, M_PI, 4.0};

// Row pivoting is backward stable: |X x − b| is below 8 N³ u growth |X| |x|, and no entry grows by
// more than 2^(N−1) = 8.
TEST(RecordedElimination, SolvesWithPivotingWhereEveryOrderHasAZeroPivot) {
  int failed = 0;
  for (const double angle : angles) {
    const MatrixXd X = evaluated(matrix_tape(), angle, size);
    const VectorXd b = evaluated(right_tape(), angle), x = evaluated(solution_tape(), angle);
    const double bound = 8.0 * 64.0 * unit_roundoff * 8.0 * X.norm() * x.norm();
    EXPECT_LE((X * x - b).norm(), bound) << angle;
    const Tape in_order = tape_of(
        [](V t) {
          const std::array<Index, size> order = {0, 1, 2, 3};
          return eliminated(turning(t(0)), right_side(t(0)), order).x;
        },
        1);
    const VectorXd without = evaluated(in_order, angle);
    if (!((X * without - b).norm() <= bound)) ++failed;
  }
  EXPECT_GT(failed, 0) << "negative control: the given order serves everywhere";
}

TEST(RecordedElimination, DerivativeOfASolutionMatchesCentralDifferences) {
  const Tape derivative =
      tape_of([](V x) { return jacobian_of_solution(turning(x(0)), right_side(x(0)), x); }, 1);
  const Tape of_right_side = tape_of(
      [](V x) { return solved_by_pivoting(turning(x(0)), jacobian_of(right_side(x(0)), x)); }, 1);
  const auto solution = [](double x) -> VectorXd { return evaluated(solution_tape(), x); };
  for (const double angle : angles) {
    const auto numerical = test::central_difference(solution, angle, 1e-2);
    EXPECT_LE((evaluated(derivative, angle) - numerical.value).norm(), 2.0 * numerical.bound);
    EXPECT_GT((evaluated(of_right_side, angle) - numerical.value).norm(), 1e-3)
        << "negative control: X moves too";
  }
}

/// M = [1 2; 2 4] ⊕ (3) is singular; M is positive on ker E for rows E off the null vector (2, −1,
/// 0).
Tape constrained_tape(bool constrained) {
  return tape_of(
      [=](V x) {
        ExpressionMatrix M = ExpressionMatrix::Zero(3, 3), E(1, 3), b(3, 2), d(1, 2);
        M.topLeftCorner(2, 2) << 1.0, 2.0, 2.0, 4.0;
        M(2, 2) = 3.0;
        E << x(0), -1.0, 0.5;
        b << 1.0, x(0), 2.0, -1.0, 0.5, 3.0;
        d << 0.25, x(0);
        return constrained ? solved_constrained(M, E, b, d) : solved_definite(M, b);
      },
      1);
}

// M a + Eᵀκ = b and E a = d for two right-hand sides. The condition number of the two definite
// systems is below 1e4 here: 1e4 · 100 roundings.
TEST(RecordedElimination, SolvesUnderConstraintsWhereMIsDefiniteOnTheirKernelOnly) {
  MatrixXd M = MatrixXd::Zero(3, 3);
  M.topLeftCorner(2, 2) << 1.0, 2.0, 2.0, 4.0;
  M(2, 2) = 3.0;
  for (const double x : {0.3, 1.0, 4.0}) {
    const MatrixXd solution = evaluated(constrained_tape(true), x, 2);
    MatrixXd E(1, 3), b(3, 2), d(1, 2);
    E << x, -1.0, 0.5;
    b << 1.0, x, 2.0, -1.0, 0.5, 3.0;
    d << 0.25, x;
    const double tolerance = 1e6 * unit_roundoff * (1.0 + solution.norm());
    EXPECT_LE((M * solution.topRows(3) + E.transpose() * solution.bottomRows(1) - b).norm(),
              tolerance)
        << x;
    EXPECT_LE((E * solution.topRows(3) - d).norm(), tolerance) << x;
  }
  EXPECT_FALSE(evaluated(constrained_tape(false), 1.0, 2).allFinite())
      << "negative control: M alone can be inverted";
}

/// M = [B A; A 0] of a tangent lift, A = [2 x; x 3], and a row E of it, [1 −x; 0 0] on both halves.
struct Lifted {
  explicit Lifted(const Expression& x, bool with_zero = true) : M(4, 4), E(2, 4), b(4, 1), d(2, 1) {
    M << x, 0.5, 2.0, x, 0.5, -1.0, x, 3.0, 2.0, x, 0.0, 0.0, x, 3.0, 0.0, 0.0;
    if (!with_zero) M(3, 3) = x * x - x * x + 0.25 * x;
    E << 0.3, x, 1.0, -x, 1.0, -x, 0.0, 0.0;
    b << 1.0, x, -0.5, 2.0;
    d << 0.25, x;
  }
  ExpressionMatrix M, E, b, d;
};
MatrixXd values_of(ExpressionMatrix Lifted::*part, double x, Index columns) {
  return evaluated(tape_of([&](V t) { return Lifted(t(0)).*part; }, 1), x, columns);
}

// Condition numbers below 1e2: 1e4 roundings.
TEST(RecordedElimination, SolvesWithTheZeroBlockOfALift) {
  for (const double x : {0.0, 0.3, 1.0, -1.5}) {
    const VectorXd a = evaluated(
        tape_of([](V t) { return solved_definite(Lifted(t(0)).M, Lifted(t(0)).b); }, 1), x);
    const VectorXd held = evaluated(tape_of(
                                        [](V t) {
                                          const Lifted at(t(0));
                                          return solved_constrained(at.M, at.E, at.b, at.d);
                                        },
                                        1),
                                    x);
    const MatrixXd M = values_of(&Lifted::M, x, 4), E = values_of(&Lifted::E, x, 4);
    const VectorXd b = values_of(&Lifted::b, x, 1), d = values_of(&Lifted::d, x, 1);
    EXPECT_LE((M * a - b).norm(), 1e4 * unit_roundoff) << x;
    EXPECT_LE((M * held.head(4) + E.transpose() * held.tail(2) - b).norm(), 1e4 * unit_roundoff)
        << x;
    EXPECT_LE((E * held.head(4) - d).norm(), 1e4 * unit_roundoff) << x;
  }
  const ExpressionMatrix none(0, 0);
  EXPECT_FALSE(has_zero_block(none));
  Recording recording;
  const Expression x = recording.input();
  EXPECT_TRUE(has_zero_block(Lifted(x).M));
  EXPECT_FALSE(has_zero_block(Lifted(x, false).M)) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
