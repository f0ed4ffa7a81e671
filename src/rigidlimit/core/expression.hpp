// A number that remembers how it was computed: the scalar with which a system's equations are
// recorded, once, to be evaluated in any numbers and differentiated afterwards.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/operation.hpp"
#include "rigidlimit/core/tape.hpp"

namespace rigidlimit {

class Condition;

/// A constant, or a place in the Recording of this thread. Values, as doubles are: cheap to copy.
///
/// What is known is done at once: constants are folded where that is exact in double (only then
/// does 113 bits want the same), x + 0, x · 1, x · 0, x − x and 0/x are gone, signs move outwards,
/// the operands of + and · are put in order, and what was computed before is not computed again.
/// Apart from the sign of a zero, and from x · 0 and x − x of infinite x, none of this changes a
/// bit of a result.
class Expression {
 public:
  Expression() = default;
  /// Implicit, as for any number type.
  template <class U>
  requires std::is_arithmetic_v<U> Expression(U constant)
      : value_(static_cast<double>(constant)) {}  // NOLINT(google-explicit-constructor)

  bool is_constant() const { return node_ == none; }
  /// The constant; 0 where it is none.
  double constant() const { return value_; }

  Expression& operator+=(const Expression& b) { return *this = *this + b; }
  Expression& operator-=(const Expression& b) { return *this = *this - b; }
  Expression& operator*=(const Expression& b) { return *this = *this * b; }
  Expression& operator/=(const Expression& b) { return *this = *this / b; }

  friend Expression operator+(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Expression& b);
  friend Expression operator/(const Expression& a, const Expression& b);
  friend Expression operator+(const Expression& a) { return a; }
  friend Expression operator-(const Expression& a);

  friend Expression sqrt(const Expression& x);
  friend Expression exp(const Expression& x);
  friend Expression log(const Expression& x);
  friend Expression sin(const Expression& x);
  friend Expression cos(const Expression& x);
  friend Expression tan(const Expression& x);
  friend Expression asin(const Expression& x);
  friend Expression acos(const Expression& x);
  friend Expression atan(const Expression& x);
  friend Expression atan2(const Expression& y, const Expression& x);
  friend Expression sinh(const Expression& x);
  friend Expression cosh(const Expression& x);
  friend Expression tanh(const Expression& x);
  friend Expression pow(const Expression& x, double p);
  friend Expression abs(const Expression& x);

  friend Condition operator<(const Expression& a, const Expression& b);
  friend Condition operator<=(const Expression& a, const Expression& b);
  friend Condition operator>(const Expression& a, const Expression& b);
  friend Condition operator>=(const Expression& a, const Expression& b);
  friend Condition operator==(const Expression& a, const Expression& b);
  friend Condition operator!=(const Expression& a, const Expression& b);
  friend Expression select(const Condition& condition, const Expression& yes, const Expression& no);

 private:
  friend class Recording;
  friend class Condition;
  static constexpr std::uint32_t none = UINT32_MAX;

  double value_ = 0.0;
  std::uint32_t node_ = none;
};

/// What a comparison of expressions gives: true or false is known only when they are evaluated, so
/// that an `if` cannot ask. `select` can.
class Condition {
 public:
  Condition(bool known) : value_(known ? 1.0 : 0.0) {}  // NOLINT(google-explicit-constructor)
  /// What is 1 or 0.
  explicit Condition(const Expression& one_or_zero) : value_(one_or_zero) {}

  friend Condition operator!(const Condition& a);
  friend Condition operator&&(const Condition& a, const Condition& b);
  friend Condition operator||(const Condition& a, const Condition& b);
  /// `yes` where the condition holds, else `no`. Both are computed; no error of one spoils the
  /// other.
  friend Expression select(const Condition& condition, const Expression& yes, const Expression& no);

 private:
  Expression value_;  ///< 1 or 0
};

}  // namespace rigidlimit

namespace Eigen {

template <>
struct NumTraits<rigidlimit::Expression> : NumTraits<double> {
  using Real = rigidlimit::Expression;
  using NonInteger = rigidlimit::Expression;
  using Nested = rigidlimit::Expression;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};

// Products of a matrix of numbers and one of expressions are matrices of expressions.
template <class Operation>
struct ScalarBinaryOpTraits<rigidlimit::Expression, double, Operation> {
  using ReturnType = rigidlimit::Expression;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, rigidlimit::Expression, Operation> {
  using ReturnType = rigidlimit::Expression;
};

}  // namespace Eigen

namespace rigidlimit {

using ExpressionVector = VectorX<Expression>;
using ExpressionMatrix = MatrixX<Expression>;

/// The operation with all simplifications, by its name.
Expression applied(Operation operation, const Expression& a, const Expression& b,
                   const Expression& c);

/// The computations of this thread from its construction to its destruction, or until another one
/// is made: of nested ones the innermost records. Expressions must not outlive it, nor go from one
/// to the other.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The next arguments of the tapes, in the order in which they are asked for.
  Expression input();
  ExpressionVector inputs(Index count);

  /// Stand for any numbers until others are substituted for them: no arguments of a tape, which
  /// must not need them.
  ExpressionVector unknowns(Index count);

  /// What the outputs need, and nothing else, as a function of all inputs made so far. Column by
  /// column. Throws std::logic_error where they need an unknown.
  Tape tape(const ExpressionMatrix& outputs) const;

  /// The one that records in this thread. Throws std::logic_error where there is none.
  static Recording& current();

  /// y where x is recorded as −y.
  std::optional<Expression> operand_of_negation(const Expression& x) const;

 private:
  friend Expression recorded(Operation operation, const Expression& a, const Expression& b,
                             const Expression& c);
  friend ExpressionMatrix tangents_of(const ExpressionVector& outputs,
                                      const ExpressionVector& inputs,
                                      const ExpressionMatrix& directions);
  friend ExpressionVector gradient_of(const Expression& output, const ExpressionVector& inputs);
  friend ExpressionMatrix substituted(const ExpressionMatrix& outputs,
                                      const ExpressionVector& inputs,
                                      const ExpressionVector& values);

  struct Node {
    Operation operation = Operation::constant;
    /// Operands, as many as the operation has; of an input its number, and whether it is unknown.
    std::array<std::uint32_t, 3> abc{};
    double value = 0.0;  ///< of a constant, 0 else

    std::span<const std::uint32_t> operands() const {
      return std::span(abc).first(static_cast<std::size_t>(operands_of(operation)));
    }
    bool operator==(const Node& other) const;
  };
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  std::uint32_t place_of(const Node& node);
  std::uint32_t place_of(const Expression& x);
  Expression at(std::uint32_t place) const;
  std::vector<std::uint32_t> needed(const ExpressionMatrix& outputs) const;
  class Sweep;
  class Writer;

  std::vector<Node> nodes_;
  std::unordered_map<Node, std::uint32_t, Hash> places_;
  std::uint32_t input_count_ = 0, unknown_count_ = 0;
  Recording* outer_;
};

// What follows is recorded itself. The inputs of a derivative may be any expressions that are no
// constants: it is taken as if they were independent.

/// (∂outputs/∂inputs) directions: one column for each direction, forwards. Constant 0
/// where nothing depends on a direction.
ExpressionMatrix tangents_of(const ExpressionVector& outputs, const ExpressionVector& inputs,
                             const ExpressionMatrix& directions);

/// ∂outputs/∂inputs, a row for each output.
ExpressionMatrix jacobian_of(const ExpressionVector& outputs, const ExpressionVector& inputs);

/// The gradient of one output, backwards: at most some four times the operations of the output,
/// however many inputs. Where a side of a `select` is not finite it must be the side that is taken.
ExpressionVector gradient_of(const Expression& output, const ExpressionVector& inputs);

/// The outputs as functions of other inputs, computed anew.
ExpressionMatrix substituted(const ExpressionMatrix& outputs, const ExpressionVector& inputs,
                             const ExpressionVector& values);

/// The results of a tape at these arguments, recorded here: how tapes are put together.
ExpressionVector inlined(const Tape& tape, const ExpressionVector& arguments);

/// The tape of function(x, y, …), vectors of these sizes, which returns a matrix.
template <class Function, std::convertible_to<Index>... Size>
Tape tape_of(const Function& function, Size... sizes) {
  Recording recording;
  // In braces: one after the other.
  const std::tuple inputs{recording.inputs(static_cast<Index>(sizes))...};
  return recording.tape(std::apply(function, inputs));
}

}  // namespace rigidlimit
