// How many floating-point operations a right-hand side cannot do without.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <concepts>

#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// A double that counts what is done to it, in this thread.
struct Counted {
  double value = 0.0;
  static inline thread_local long operations = 0;

  Counted() = default;
  template <class U>
  requires std::convertible_to<U, double> Counted(U x) : value(static_cast<double>(x)) {}  // NOLINT

  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }
  friend Counted operator+(const Counted& a, const Counted& b) { return one(a.value + b.value); }
  friend Counted operator-(const Counted& a, const Counted& b) { return one(a.value - b.value); }
  friend Counted operator*(const Counted& a, const Counted& b) { return one(a.value * b.value); }
  friend Counted operator/(const Counted& a, const Counted& b) { return one(a.value / b.value); }
  friend Counted operator-(const Counted& a) { return one(-a.value); }
  // A sine or cosine is some twenty multiplications and additions; those of an angle that is asked
  // for again are not counted apart, so the count is an upper bound.
  friend Counted sin(const Counted& x) { return many(std::sin(x.value)); }
  friend Counted cos(const Counted& x) { return many(std::cos(x.value)); }

 private:
  static Counted one(double x) { return done(x, 1); }
  static Counted many(double x) { return done(x, 20); }
  static Counted done(double x, long count) {
    operations += count;
    return Counted(x);
  }
};

/// Operations of one compiled right-hand side (x', w') of the study's system: knife edge, sleigh or
/// disc; throws std::invalid_argument for another.
long operations_of_rate(const Study& study);

/// Of one batch of the eight-stage method beside its right-hand sides, with N_x slow components and
/// m contacts: products with A of every row of x and w, of λ with C and D, of η, the modes there
/// and back and their m × m systems.
inline long operations_of_algebra(Index slow, Index m) {
  const long product = 2 * 8 * 8;
  return product * (slow + m) + 3 * product * m + 8 * 4 * m * m + 4 * 8 * m * m;
}

}  // namespace rigidlimit

namespace Eigen {

template <>
struct NumTraits<rigidlimit::Counted> : GenericNumTraits<double> {
  using Real = rigidlimit::Counted;
  using NonInteger = rigidlimit::Counted;
  using Nested = rigidlimit::Counted;
  enum { RequireInitialization = 1 };
};

}  // namespace Eigen
