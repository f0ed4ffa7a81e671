// A number that records how it was computed. It is the scalar type with which the equations of a
// system are recorded once, then evaluated in any numbers and differentiated.
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
#include "rigidlimit/core/tape/number_operators.hpp"
#include "rigidlimit/core/tape/operation.hpp"
#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

class Condition;

/// A constant, or a node of the Recording of this thread. A value type, cheap to copy.
///
/// Simplifications are applied at once. Constants are folded if that is exact in double (only then
/// does 113 bits give the same); x + 0, x · 1, x · 0, x − x and 0/x are simplified; signs move
/// outwards; the operands of + and · are sorted; common subexpressions are shared. None of this
/// changes a bit of a result, apart from the sign of a zero, and x · 0 and x − x of infinite x.
class Expression : public AssignmentOperators<Expression>, public ComparisonOperators<Expression> {
 public:
  Expression() = default;
  /// Implicit, as for any number type.
  template <class U>
  requires std::is_arithmetic_v<U> Expression(U constant)
      : value_(static_cast<double>(constant)) {}  // NOLINT(google-explicit-constructor)

  bool is_constant() const { return node_ == none; }
  /// The constant; 0 if the expression is not constant.
  double constant() const { return value_; }

  friend Expression operator+(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Expression& b);
  friend Expression operator/(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a);

  RIGIDLIMIT_DECLARE_FUNCTIONS(Expression)
  friend Expression pow(const Expression& x, double p);

  friend Condition operator<(const Expression& a, const Expression& b);
  friend Condition operator<=(const Expression& a, const Expression& b);
  friend Condition operator==(const Expression& a, const Expression& b);
  friend Expression select(const Condition& condition, const Expression& yes, const Expression& no);

 private:
  friend class Recording;
  friend class Condition;
  static constexpr std::uint32_t none = UINT32_MAX;

  double value_ = 0.0;
  std::uint32_t node_ = none;
};

/// Result of a comparison of expressions. Its value is known only on evaluation, so that an `if`
/// cannot use it; `select` can.
class Condition {
 public:
  Condition(bool known) : value_(known ? 1.0 : 0.0) {}  // NOLINT(google-explicit-constructor)
  /// An expression with value 1 or 0.
  explicit Condition(const Expression& one_or_zero) : value_(one_or_zero) {}

  friend Condition operator!(const Condition& a);
  friend Condition operator&&(const Condition& a, const Condition& b);
  friend Condition operator||(const Condition& a, const Condition& b);
  /// `yes` where the condition holds, else `no`. Both are computed; a non-finite value of one does
  /// not affect the other.
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

/// The constant 0.
inline bool is_zero(const Expression& x) {
  return x.is_constant() && x.constant() == 0.0;
}
/// Every entry is the constant 0.
bool is_zero(const ExpressionMatrix& A);

/// The operation with all simplifications.
Expression applied(Operation operation, const Expression& a, const Expression& b,
                   const Expression& c);

/// Records the computations of this thread from its construction to its destruction. If recordings
/// are nested, the innermost one records. Expressions must not outlive it, nor be used in another
/// recording.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The next arguments of the tapes, in the order of the calls.
  Expression input();
  ExpressionVector inputs(Index count);

  /// Placeholders for numbers that are substituted later. They are not arguments of a tape, and a
  /// tape must not depend on them.
  ExpressionVector unknowns(Index count);

  /// Tape of the outputs, column by column, as a function of all inputs made so far. It holds only
  /// the operations that the outputs need. Throws std::logic_error if they depend on an unknown.
  Tape tape(const ExpressionMatrix& outputs) const;

  /// Whether the outputs depend on an unknown.
  bool depends_on_unknowns(const ExpressionMatrix& outputs) const;

  /// The active recording of this thread. Throws std::logic_error without one.
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
    /// Operands, as many as the operation has; for an input, its number and whether it is an
    /// unknown.
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

// The results of the following functions are recorded too. The inputs of a derivative may be any
// non-constant expressions; the derivative treats them as independent.

/// (∂outputs/∂inputs) directions in forward mode: one column for each direction. Constant 0 where
/// an output does not depend on a direction.
ExpressionMatrix tangents_of(const ExpressionVector& outputs, const ExpressionVector& inputs,
                             const ExpressionMatrix& directions);

/// ∂outputs/∂inputs, a row for each output.
ExpressionMatrix jacobian_of(const ExpressionVector& outputs, const ExpressionVector& inputs);

/// The gradient of one output in reverse mode: about four times the operations of the output at
/// most, for any number of inputs. A side of a `select` that is not taken must be finite.
ExpressionVector gradient_of(const Expression& output, const ExpressionVector& inputs);

/// The outputs recomputed with other inputs.
ExpressionMatrix substituted(const ExpressionMatrix& outputs, const ExpressionVector& inputs,
                             const ExpressionVector& values);

/// The results of a tape at these arguments, recorded here: composes tapes.
ExpressionVector inlined(const Tape& tape, const ExpressionVector& arguments);

/// The tape of function(x, y, …), vectors of these sizes, which returns a matrix.
template <class Function, std::convertible_to<Index>... Size>
Tape tape_of(const Function& function, Size... sizes) {
  Recording recording;
  // Braces guarantee the order of evaluation.
  const std::tuple inputs{recording.inputs(static_cast<Index>(sizes))...};
  return recording.tape(std::apply(function, inputs));
}

}  // namespace rigidlimit
