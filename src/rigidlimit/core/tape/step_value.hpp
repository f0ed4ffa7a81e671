// The value of one operation in double.
#pragma once

#include <cmath>

#include "rigidlimit/core/tape/operation.hpp"

namespace rigidlimit {

/// operation(a, b, c); unused operands are ignored.
inline double step_value(Operation operation, double a, double b, double c) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
      std::log, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
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
  case Operation::name: return condition ? 1.0 : 0.0;
    RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
    case Operation::atan2: return atan2(a, b);
    case Operation::power: return std::pow(a, b);
    case Operation::select: return a != 0.0 ? b : c;
    default: return 0.0;  // constants and inputs are no operations
  }
}

}  // namespace rigidlimit
