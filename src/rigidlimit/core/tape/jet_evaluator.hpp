// Taylor coefficients of a tape along a curve.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {

/// Taylor coefficients of the results z = f(x, r) of a tape, for x(t) = Σ x_k t^k and fixed r, by
/// the recurrences of the elementary functions (Griewank & Walther, Evaluating Derivatives, 2008,
/// section 13.2). With [a, b]_k = Σ_{j=1}^{k−1} a_j b_{k−j} and a'_j = j a_j, for k ≥ 1:
///
///   c = a b        c_k = a_0 b_k + a_k b_0 + [a, b]_k
///   c = a / b      c_k = (a_k − c_0 b_k − [b, c]_k) / b_0
///   c = √a         c_k = (a_k − [c, c]_k) / (2 c_0)
///   c = exp a      c_k = a_k c_0 + [a', c]_k / k
///   c = log a      c_k = (a_k − [c', a]_k / k) / a_0
///   s = sin a      s_k = a_k c_0 + [a', c]_k / k,   c = cos a:   c_k = −a_k s_0 − [a', s]_k / k
///
/// The sums [a, b]_k read finished orders only. They are evaluated first, side by side in vector
/// registers. The rest is linear in the coefficients of order k: it is a tape of its own, which
/// the evaluators run as machine code. Immutable: threads may share it.
class JetEvaluator {
 public:
  /// The first `varying` inputs are x, the others r. Only the first `outputs` results are computed.
  JetEvaluator(const Tape& tape, Index varying, Index outputs);

  Index inputs() const { return inputs_; }
  Index varying() const { return varying_; }
  Index outputs() const { return outputs_; }
  /// Number of sums [a, b]_k.
  Index sums() const { return sums_; }

  /// Name of an operation on x that has no recurrence here; empty: every one has. With a name
  /// the object has no other use.
  const std::string& missing() const { return missing_; }

 private:
  friend class Jets;
  std::string missing_;
  Index inputs_, varying_, outputs_;
  Index sums_ = 0;
  Index width_ = 0;  ///< sums, rounded up to whole blocks
  Index kept_ = 0;   ///< numbers of order 0 that the higher orders read
  std::unique_ptr<const Evaluator<double>> start_;  ///< (x_0, r) -> z_0, kept numbers
  /// (kept numbers, x_k, sums, k, 1/k) -> z_k, left and right factors of the sums
  std::unique_ptr<const Evaluator<double>> next_;
};

/// Workspace of a JetEvaluator: evaluates one order after the other. Allocates at construction
/// only.
class Jets {
 public:
  /// Orders 0, …, highest. `evaluator` must stay alive, without a missing operation.
  Jets(const JetEvaluator& evaluator, int highest);

  const JetEvaluator& evaluator() const { return *evaluator_; }

  /// Where to write (x_0, r) before start(), and x_k before next(k).
  double* arguments() { return arguments_.data(); }
  double* coefficients() { return place(at_coefficients_); }

  /// z_0.
  const double* start();
  /// z_k. Orders must be evaluated one after the other, from 1 on.
  const double* next(int k);

 private:
  struct alignas(64) Line {
    double number[8] = {};
  };
  double* place(Index i) { return memory_.front().number + i; }
  double* row(int k) { return place(at_rows_ + (k - 1) * stride_); }

  const JetEvaluator* evaluator_;
  Index at_sums_, at_coefficients_, at_start_, at_rows_, stride_, factors_;
  std::vector<double> arguments_;
  /// z_0, kept numbers, x_k, sums, k, 1/k; then rows (z_k, factors). Sums and factors begin a line.
  std::vector<Line> memory_;
};

}  // namespace rigidlimit
