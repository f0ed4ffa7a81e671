// The operations of recorded equations.
#pragma once

#include <cstdint>

namespace rigidlimit {

/// Operation of a recorded step on its operands a, b, c.
enum class Operation : std::uint8_t {
  constant,  ///< no operand: a number
  input,     ///< no operand: an argument
  add,       ///< a + b
  subtract,  ///< a − b
  multiply,  ///< a b
  divide,    ///< a/b
  negate,    ///< −a
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  abs,
  atan2,       ///< the angle of (b, a): atan2(a, b)
  power,       ///< a^b, b a constant
  less,        ///< 1 where a < b, else 0
  less_equal,  ///< 1 where a ≤ b, else 0
  equal,       ///< 1 where a = b, else 0
  select       ///< b where a ≠ 0, else c; both have been computed
};

/// Number of operands among a, b, c.
constexpr int operands_of(Operation operation) {
  if (operation <= Operation::input) return 0;
  if (operation <= Operation::divide) return 2;
  if (operation <= Operation::abs) return 1;
  return operation == Operation::select ? 3 : 2;
}

}  // namespace rigidlimit
