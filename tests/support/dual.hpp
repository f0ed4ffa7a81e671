// Forward-mode automatic differentiation with a compile-time number of directions.
//
// Rejected: Eigen's AutoDiffScalar and boost::math::differentiation. With an expression-template
// scalar, `auto a = x * y;` of a system's author is a dangling reference. We also nest scalars
// (second derivatives of a kinetic co-energy inside a Jacobian) over any base scalar, including
// 113-bit. With values instead of expressions both are safe.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "rigidlimit/core/tape/number_operators.hpp"
#include "support/select.hpp"

namespace rigidlimit {

/// a + Σ_i derivative[i] dx_i: the value of an expression and its first derivatives in N
/// directions. T is double, an extended-precision real, or itself a Dual (second derivatives).
template <class T, int N>
struct Dual : AssignmentOperators<Dual<T, N>>, ComparisonOperators<Dual<T, N>> {
  T value{};
  std::array<T, N> derivative{};

  Dual() = default;
  /// A constant: zero derivatives. Implicit, as for any number type.
  template <class U>
  requires(std::is_arithmetic_v<U> || std::same_as<U, T>) Dual(const U& constant)
      : value(constant) {}  // NOLINT(google-explicit-constructor)

  /// The independent variable number `direction`.
  static Dual variable(const T& at, int direction) {
    Dual x(at);
    x.derivative[static_cast<std::size_t>(direction)] = T(1);
    return x;
  }

  /// f(x) with f'(x) = slope, by the chain rule.
  static Dual chain(const T& f, const T& slope, const Dual& x) {
    Dual y(f);
    for (std::size_t i = 0; i < N; ++i) y.derivative[i] = slope * x.derivative[i];
    return y;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual c(T(a.value + b.value));
    for (std::size_t i = 0; i < N; ++i) c.derivative[i] = a.derivative[i] + b.derivative[i];
    return c;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual c(T(a.value - b.value));
    for (std::size_t i = 0; i < N; ++i) c.derivative[i] = a.derivative[i] - b.derivative[i];
    return c;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual c(T(a.value * b.value));
    for (std::size_t i = 0; i < N; ++i)
      c.derivative[i] = a.derivative[i] * b.value + a.value * b.derivative[i];
    return c;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual c(T(a.value / b.value));
    for (std::size_t i = 0; i < N; ++i)
      c.derivative[i] = (a.derivative[i] - c.value * b.derivative[i]) / b.value;
    return c;
  }
  friend Dual operator-(const Dual& a) { return chain(-a.value, T(-1), a); }

  // Ordered by value: a branch has the derivative of its side. The result has the type of T's
  // comparison, bool for scalars with a known value.
  friend auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }

  /// The chosen side, with its derivatives.
  template <class Known>
  friend Dual select(const Known& condition, const Dual& yes, const Dual& no) {
    Dual chosen(T(select(condition, yes.value, no.value)));
    for (std::size_t i = 0; i < N; ++i)
      chosen.derivative[i] = select(condition, yes.derivative[i], no.derivative[i]);
    return chosen;
  }

  friend Dual sqrt(const Dual& x) {
    using std::sqrt;
    const T root = sqrt(x.value);
    return chain(root, T(0.5) / root, x);
  }
  friend Dual exp(const Dual& x) {
    using std::exp;
    const T e = exp(x.value);
    return chain(e, e, x);
  }
  friend Dual log(const Dual& x) {
    using std::log;
    return chain(log(x.value), T(1) / x.value, x);
  }
  friend Dual sin(const Dual& x) {
    using std::cos, std::sin;
    return chain(sin(x.value), cos(x.value), x);
  }
  friend Dual cos(const Dual& x) {
    using std::cos, std::sin;
    return chain(cos(x.value), -sin(x.value), x);
  }
  friend Dual tan(const Dual& x) {
    using std::tan;
    const T t = tan(x.value);
    return chain(t, T(1) + t * t, x);
  }
  friend Dual asin(const Dual& x) {
    using std::asin, std::sqrt;
    return chain(asin(x.value), T(1) / sqrt(T(1) - x.value * x.value), x);
  }
  friend Dual acos(const Dual& x) {
    using std::acos, std::sqrt;
    return chain(acos(x.value), T(-1) / sqrt(T(1) - x.value * x.value), x);
  }
  friend Dual atan(const Dual& x) {
    using std::atan;
    return chain(atan(x.value), T(1) / (T(1) + x.value * x.value), x);
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T r2 = x.value * x.value + y.value * y.value;
    Dual angle(T(atan2(y.value, x.value)));
    for (std::size_t i = 0; i < N; ++i)
      angle.derivative[i] = (x.value * y.derivative[i] - y.value * x.derivative[i]) / r2;
    return angle;
  }
  friend Dual sinh(const Dual& x) {
    using std::cosh, std::sinh;
    return chain(sinh(x.value), cosh(x.value), x);
  }
  friend Dual cosh(const Dual& x) {
    using std::cosh, std::sinh;
    return chain(cosh(x.value), sinh(x.value), x);
  }
  friend Dual tanh(const Dual& x) {
    using std::tanh;
    const T t = tanh(x.value);
    return chain(t, T(1) - t * t, x);
  }
  /// x^p for a constant p; x > 0, or p an integer (≥ 0 if x = 0).
  friend Dual pow(const Dual& x, double p) {
    using std::pow;
    if (p == 0.0) return Dual(T(1));  // the rule below would give 0 · 0^(−1) at x = 0
    return chain(T(pow(x.value, p)), T(p * pow(x.value, p - 1.0)), x);
  }
  /// |x|; at 0 the derivative of the right branch.
  friend Dual abs(const Dual& x) { return select(x.value < T(0), -x, x); }
  friend bool isfinite(const Dual& x) {
    using std::isfinite;
    return isfinite(x.value);
  }
};

template <class>
inline constexpr bool is_dual = false;
template <class T, int N>
inline constexpr bool is_dual<Dual<T, N>> = true;

/// The real number under all derivatives.
template <class S>
auto plain_value(const S& x) {
  if constexpr (is_dual<S>)
    return plain_value(x.value);
  else
    return x;
}

}  // namespace rigidlimit

namespace Eigen {

template <class T, int N>
struct NumTraits<rigidlimit::Dual<T, N>> : NumTraits<T> {
  using Real = rigidlimit::Dual<T, N>;
  using NonInteger = rigidlimit::Dual<T, N>;
  using Nested = rigidlimit::Dual<T, N>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 2 * N + 1
  };
  static Real epsilon() { return Real(NumTraits<T>::epsilon()); }
  static Real dummy_precision() { return Real(NumTraits<T>::dummy_precision()); }
  static Real highest() { return Real(NumTraits<T>::highest()); }
  static Real lowest() { return Real(NumTraits<T>::lowest()); }
};

// Products of a matrix of numbers and a matrix of duals are matrices of duals.
template <class T, int N, class Operation>
struct ScalarBinaryOpTraits<rigidlimit::Dual<T, N>, double, Operation> {
  using ReturnType = rigidlimit::Dual<T, N>;
};
template <class T, int N, class Operation>
struct ScalarBinaryOpTraits<double, rigidlimit::Dual<T, N>, Operation> {
  using ReturnType = rigidlimit::Dual<T, N>;
};

}  // namespace Eigen
