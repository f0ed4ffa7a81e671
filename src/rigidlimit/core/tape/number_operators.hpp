// Operators and functions that the number types of tapes share: Expression, Pack, Ball,
// TaylorModel, and the Dual of the tests.
#pragma once

#include "rigidlimit/core/tape/operation.hpp"

namespace rigidlimit {

/// Base of a number type T with + − · /: its += −= ·= /= and unary +.
///
/// Always inlined, for Pack: by default a compiler stops inlining at some size of the unit.
template <class T>
struct AssignmentOperators {
  [[gnu::always_inline]] friend T& operator+=(T& a, const T& b) { return a = a + b; }
  [[gnu::always_inline]] friend T& operator-=(T& a, const T& b) { return a = a - b; }
  [[gnu::always_inline]] friend T& operator*=(T& a, const T& b) { return a = a * b; }
  [[gnu::always_inline]] friend T& operator/=(T& a, const T& b) { return a = a / b; }
  [[gnu::always_inline]] friend T operator+(const T& a) { return a; }
};

/// Base of a number type T with <, <= and ==, of any result that has `!`: its >, >= and !=.
///
/// No comparison is the negation of its opposite: a ≤ b and ¬(b < a) differ where a number is NaN.
template <class T>
struct ComparisonOperators {
  friend auto operator>(const T& a, const T& b) { return b < a; }
  friend auto operator>=(const T& a, const T& b) { return b <= a; }
  friend auto operator!=(const T& a, const T& b) { return !(a == b); }
};

}  // namespace rigidlimit

// clang-format off

/// In the class of a number type: declares sqrt, the functions of the table and atan2 as friends.
/// The type defines each, so that a function without a definition does not link.
#define RIGIDLIMIT_DECLARE_FUNCTIONS(type)                    \
  using Number = type;                                        \
  friend Number sqrt(const Number& a);                        \
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_DECLARE_FUNCTION)           \
  friend Number atan2(const Number& y, const Number& x);
#define RIGIDLIMIT_DECLARE_FUNCTION(name, ...) friend Number name(const Number& a);

/// In a function template: the same functions and pow of double, beside those of number types.
#define RIGIDLIMIT_USE_STANDARD_FUNCTIONS         \
  using std::sqrt, std::atan2, std::pow;          \
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_USE_FUNCTION)
#define RIGIDLIMIT_USE_FUNCTION(name, ...) using std::name;

// clang-format on
