// Real numbers as balls [midpoint ± radius], by Arb (Johansson 2017): every operation encloses the
// exact result.
#pragma once

#include <arb.h>

#include <concepts>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/tape/number_operators.hpp"

namespace rigidlimit {

/// A comparison of two balls that overlap: the numbers in them do not agree on the answer.
struct UndecidedComparison : std::domain_error {
  UndecidedComparison() : std::domain_error("two overlapping balls were compared") {}
};

/// A set of real numbers, [midpoint ± radius], with a midpoint of `bits` bits. For x ∈ X and y ∈ Y
/// the ball X op Y contains x op y. A value type with the functions of core/tape/operation.hpp, so
/// that it is a number of tapes.
class Ball : public ComparisonOperators<Ball> {
 public:
  static constexpr slong bits = 192;

  Ball() { arb_init(x_); }
  /// The number itself, exactly.
  template <class U>
  requires std::is_arithmetic_v<U> Ball(U number) {  // NOLINT(google-explicit-constructor)
    arb_init(x_);
    if constexpr (std::is_integral_v<U>)
      arb_set_si(x_, static_cast<slong>(number));
    else
      arb_set_d(x_, static_cast<double>(number));
  }
  Ball(const Ball& other) {
    arb_init(x_);
    arb_set(x_, other.x_);
  }
  Ball(Ball&& other) noexcept {
    arb_init(x_);
    arb_swap(x_, other.x_);
  }
  ~Ball() { arb_clear(x_); }
  Ball& operator=(const Ball& other) {
    arb_set(x_, other.x_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(x_, other.x_);
    return *this;
  }

  /// [−radius, radius], for the upper bound of a ball.
  static Ball around_zero(const Ball& radius);
  /// The smallest ball that contains both.
  friend Ball hull(const Ball& a, const Ball& b);

  double lower() const;  ///< ≤ all its numbers
  double upper() const;  ///< ≥ all its numbers
  double middle() const { return arf_get_d(arb_midref(x_), ARF_RND_NEAR); }
  double radius() const { return mag_get_d(arb_radref(x_)); }
  /// The ball of its midpoint alone.
  Ball centre() const;
  /// The ball of its largest modulus alone.
  Ball magnitude() const;
  bool is_finite() const { return arb_is_finite(x_) != 0; }
  bool contains(const Ball& other) const { return arb_contains(x_, other.x_) != 0; }
  bool contains_inside(const Ball& other) const { return arb_contains_interior(x_, other.x_) != 0; }
  /// All digits that are certain, as [1.234 +/- 5.6e-7].
  std::string text(int digits) const;

  // Assignments work in place: that of AssignmentOperators would allocate another midpoint.
#define RIGIDLIMIT_OPERATOR(symbol, function)                 \
  Ball& operator symbol##=(const Ball& b) {                   \
    function(x_, x_, b.x_, bits);                             \
    return *this;                                             \
  }                                                           \
  friend Ball operator symbol(const Ball& a, const Ball& b) { \
    Ball result;                                              \
    function(result.x_, a.x_, b.x_, bits);                    \
    return result;                                            \
  }
  RIGIDLIMIT_OPERATOR(+, arb_add)
  RIGIDLIMIT_OPERATOR(-, arb_sub)
  RIGIDLIMIT_OPERATOR(*, arb_mul)
  RIGIDLIMIT_OPERATOR(/, arb_div)
#undef RIGIDLIMIT_OPERATOR
  friend Ball operator-(const Ball& a) {
    Ball result;
    arb_neg(result.x_, a.x_);
    return result;
  }
  /// this += a b, without a temporary ball.
  void add_product(const Ball& a, const Ball& b) {
    arb_addmul(x_, a.x_, b.x_, bits);
  }

  RIGIDLIMIT_DECLARE_FUNCTIONS(Ball)
  friend Ball pow(const Ball& a, const Ball& b);

  /// Throw UndecidedComparison unless all pairs of numbers give the same answer.
  friend bool operator<(const Ball& a, const Ball& b);
  friend bool operator==(const Ball& a, const Ball& b);
  friend bool operator<=(const Ball& a, const Ball& b) {
    return !(b < a);
  }

  const arb_struct* get() const {
    return x_;
  }  ///< for other functions of Arb
  arb_struct* get() {
    return x_;
  }

 private:
  arb_t x_;
};

Ball hull(const Ball& a, const Ball& b);
/// A ball that contains the numbers in both. Throws std::logic_error if there are none.
Ball common(const Ball& a, const Ball& b);

}  // namespace rigidlimit

namespace Eigen {

template <>
struct NumTraits<rigidlimit::Ball> : NumTraits<double> {
  using Real = rigidlimit::Ball;
  using NonInteger = rigidlimit::Ball;
  using Nested = rigidlimit::Ball;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 8,
    AddCost = 32,
    MulCost = 64
  };
};

namespace internal {

/// Products of matrices of balls, entry by entry: no vector instruction has balls, for which
/// Eigen's blocked kernels are made, and these kernels are most of the code of a file with a
/// product.
template <class L, class R>
requires std::is_same_v<typename L::Scalar, rigidlimit::Ball>
struct generic_product_impl<L, R, DenseShape, DenseShape, GemvProduct>
    : generic_product_impl<L, R, DenseShape, DenseShape, CoeffBasedProductMode> {
};
template <class L, class R>
requires std::is_same_v<typename L::Scalar, rigidlimit::Ball>
struct generic_product_impl<L, R, DenseShape, DenseShape, GemmProduct>
    : generic_product_impl<L, R, DenseShape, DenseShape, CoeffBasedProductMode> {
};

}  // namespace internal

}  // namespace Eigen

namespace rigidlimit {

using BallVector = VectorX<Ball>;
using BallMatrix = MatrixX<Ball>;

/// X⁻¹ of every matrix in X. Throws std::domain_error if one may be singular.
BallMatrix inverse(const BallMatrix& X);
/// Whether every symmetric matrix in X is positive definite, shown by its Cholesky factor.
bool is_positive_definite(const BallMatrix& X);
/// Entries |x|, as balls of a single number.
BallMatrix magnitudes(const BallMatrix& X);
/// e^X of every matrix in X.
BallMatrix exponential(const BallMatrix& X);
/// ≥ |X|₂ of every matrix in X, a single number.
Ball norm_bound(const BallMatrix& X);
/// The larger ones of |a_i| and |b_i|, as balls of a single number.
BallVector larger(const BallVector& a, const BallVector& b);
/// [−size, size] for the entries of sizes.
BallVector around(const BallVector& sizes);
/// Whether |x_i| < limit_i for all i.
bool below(const BallVector& x, const BallVector& limit);
/// The entries are numbers of double.
BallMatrix balls(const MatrixXd& X);
/// The midpoints, rounded to double.
MatrixXd middles(const BallMatrix& X);

}  // namespace rigidlimit
