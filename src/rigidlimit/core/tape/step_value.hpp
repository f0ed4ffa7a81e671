// The value of one operation in a real type.
#pragma once

#include <cmath>

#include "rigidlimit/core/tape/number_operators.hpp"

namespace rigidlimit {

/// operation(a, b, c); unused operands are ignored.
template <class T>
T step_value(Operation operation, const T& a, const T& b, const T& c) {
  RIGIDLIMIT_USE_STANDARD_FUNCTIONS
  switch (operation) {
#define RIGIDLIMIT_CASE(name, operands, value) \
  case Operation::name: return value;
    RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
#define RIGIDLIMIT_CASE(name, ...) \
  case Operation::name: return name(a);
    RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
#define RIGIDLIMIT_CASE(name, condition) \
  case Operation::name: return T((condition) ? 1 : 0);
    RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
    case Operation::atan2: return atan2(a, b);
    case Operation::power: return pow(a, b);
    case Operation::select: return a != T(0) ? b : c;
    default: return T(0);  // constants and inputs are no operations
  }
}

}  // namespace rigidlimit
