// The operations of recorded equations, in one table.
//
// A new function is one line of RIGIDLIMIT_FUNCTIONS: enumerator, expression, derivative,
// interpreters and machine code follow from it. Lists of macros, because the interpreters jump to
// labels and the code is text.
#pragma once

#include <array>
#include <cstdint>

namespace rigidlimit {

// clang-format off

/// X(name, operands, value): value in C and C++ of operands a, b; one instruction of a processor.
#define RIGIDLIMIT_ARITHMETIC(X) \
  X(add, 2, a + b)               \
  X(subtract, 2, a - b)          \
  X(multiply, 2, a * b)          \
  X(divide, 2, a / b)            \
  X(negate, 1, -a)               \
  X(sqrt, 1, sqrt(a))

/// X(name, symmetry, x0, y0, slope, lanes) of functions y = name(a):
///
///   symmetry  even: f(−a) = f(a), odd: f(−a) = −f(a), as simplified when recorded; none
///   x0, y0    f(x0) = y0 exactly
///   slope     dy/da
///   lanes     in packs: vector (a function of xsimd), scalar (lane by lane), or its own form
#define RIGIDLIMIT_FUNCTIONS(X)                     \
  X(exp, none, 0, 1, y, exponential)                \
  X(log, none, 1, 0, 1 / a, vector)                 \
  X(sin, odd, 0, 0, cos(a), sine)                   \
  X(cos, even, 0, 1, -sin(a), cosine)               \
  X(tan, none, 0, 0, 1 + y * y, vector)             \
  X(asin, none, 0, 0, 1 / sqrt(1 - a * a), scalar)  \
  X(acos, none, 1, 0, -1 / sqrt(1 - a * a), scalar) \
  X(atan, none, 0, 0, 1 / (1 + a * a), vector)      \
  X(sinh, none, 0, 0, cosh(a), scalar)              \
  X(cosh, none, 0, 1, sinh(a), scalar)              \
  X(tanh, none, 0, 0, 1 - y * y, scalar)            \
  X(abs, even, 0, 0, select(a < 0, -1, 1), scalar)

/// X(name, condition): 1 where the condition holds, else 0.
#define RIGIDLIMIT_CONDITIONS(X) \
  X(less, a < b)                 \
  X(less_equal, a <= b)          \
  X(equal, a == b)

/// Operation of a recorded step on its operands a, b, c.
#define RIGIDLIMIT_NAME(name, ...) name,
enum class Operation : std::uint8_t {
  constant,  ///< no operand: a number
  input,     ///< no operand: an argument
  RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_NAME)
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_NAME)
  atan2,  ///< atan2(a, b)
  power,  ///< a^b, b a constant
  RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_NAME)
  select  ///< b where a ≠ 0, else c; both have been computed
};
#undef RIGIDLIMIT_NAME

// clang-format on

/// Number of operands among a, b, c.
constexpr int operands_of(Operation operation) {
#define RIGIDLIMIT_OPERANDS(name, operands, ...) operands,
#define RIGIDLIMIT_ONE(name, ...) 1,
#define RIGIDLIMIT_TWO(name, ...) 2,
  constexpr std::array counts{
      0, 0, RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_OPERANDS) RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_ONE) 2, 2,
      RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_TWO) 3};
#undef RIGIDLIMIT_OPERANDS
#undef RIGIDLIMIT_ONE
#undef RIGIDLIMIT_TWO
  return counts[static_cast<std::size_t>(operation)];
}

}  // namespace rigidlimit
