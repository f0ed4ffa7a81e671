// A pack of eight real numbers (SIMD).
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "rigidlimit/core/tape/number_operators.hpp"

namespace rigidlimit {

/// Eight doubles in as many vector registers as the target processor needs. Eight states (the
/// stages of a step) cost as much as one or two.
///
/// Aligned to a cache line. Its operations are always inlined: by default a compiler stops inlining
/// at some size of the unit and calls a function for four instructions.
struct alignas(64) Pack : AssignmentOperators<Pack> {
  using Register = xsimd::batch<double>;
  static constexpr std::size_t lanes = 8;
  static constexpr std::size_t parts = lanes / Register::size;
  static_assert(parts * Register::size == lanes);

  std::array<Register, parts> part;

  [[gnu::always_inline]] Pack() : Pack(0.0) {}
  /// The same number eight times. Implicit, as for any number type.
  [[gnu::always_inline]] Pack(double x) {
    part.fill(Register(x));
  }  // NOLINT(google-explicit-constructor)
  template <class U>
  requires std::integral<U> Pack(U x) : Pack(static_cast<double>(x)) {}  // NOLINT

  [[gnu::always_inline]] static Pack load(const double* eight) {
    return each([eight](auto i) __attribute__((always_inline)) {
      return Register::load_unaligned(eight + i * Register::size);
    });
  }
  [[gnu::always_inline]] void store(double* eight) const {
    for (std::size_t i = 0; i < parts; ++i) part[i].store_unaligned(eight + i * Register::size);
  }
  /// Lane number i. Goes through memory: not for inner loops.
  double operator[](std::size_t i) const {
    std::array<double, lanes> all;
    store(all.data());
    return all[i];
  }

  /// Sets lane number i, through memory.
  void set(std::size_t i, double x) {
    std::array<double, lanes> all;
    store(all.data());
    all[i] = x;
    *this = load(all.data());
  }

  /// Sine and cosine together, at the cost of one. Equations need both for the same few angles, so
  /// each thread caches the last four.
  struct SineAndCosine;
  const SineAndCosine& sine_and_cosine() const;

  [[gnu::always_inline]] friend Pack operator+(const Pack& a, const Pack& b) {
    return each([&](auto i) __attribute__((always_inline)) { return a.part[i] + b.part[i]; });
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a, const Pack& b) {
    return each([&](auto i) __attribute__((always_inline)) { return a.part[i] - b.part[i]; });
  }
  [[gnu::always_inline]] friend Pack operator*(const Pack& a, const Pack& b) {
    return each([&](auto i) __attribute__((always_inline)) { return a.part[i] * b.part[i]; });
  }
  [[gnu::always_inline]] friend Pack operator/(const Pack& a, const Pack& b) {
    return each([&](auto i) __attribute__((always_inline)) { return a.part[i] / b.part[i]; });
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) {
    return each([&](auto i) __attribute__((always_inline)) { return -a.part[i]; });
  }

  /// xsimd's exp converts log2(e) x to an integer, which is undefined in C++ if it does not fit, as
  /// for NaN. Arguments whose e^x is 0 or infinite are treated before.
  static Register exponential(const Register& x);

  // Functions by the narrowest xsimd, the same on every processor, or lane by lane. Defined in the
  // class: in the namespace they would take numbers for packs.
#define RIGIDLIMIT_EACH(function) \
  each([&](auto i) __attribute__((always_inline)) { return function(x.part[i]); })
#define RIGIDLIMIT_exponential(name) RIGIDLIMIT_EACH(exponential)
#define RIGIDLIMIT_vector(name) RIGIDLIMIT_EACH(xsimd::name)
#define RIGIDLIMIT_sine(name) x.sine()
#define RIGIDLIMIT_cosine(name) x.cosine()
#define RIGIDLIMIT_scalar(name) x.lane_by_lane([](double lane) { return std::name(lane); })
#define RIGIDLIMIT_DEFINE(name, symmetry, x0, y0, slope, lanes) \
  friend Pack name(const Pack& x) {                             \
    return RIGIDLIMIT_##lanes(name);                            \
  }
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_DEFINE)
  friend Pack sqrt(const Pack& x) {
    return RIGIDLIMIT_EACH(xsimd::sqrt);
  }
#undef RIGIDLIMIT_EACH
#undef RIGIDLIMIT_exponential
#undef RIGIDLIMIT_vector
#undef RIGIDLIMIT_sine
#undef RIGIDLIMIT_cosine
#undef RIGIDLIMIT_scalar
#undef RIGIDLIMIT_DEFINE
  /// The larger one in each lane; NaN in either may be lost.
  [[gnu::always_inline]] friend Pack max(const Pack& a, const Pack& b) {
    return each([&](auto i)
                    __attribute__((always_inline)) { return xsimd::max(a.part[i], b.part[i]); });
  }
  friend Pack atan2(const Pack& y, const Pack& x) {
    return each([&](auto i)
                    __attribute__((always_inline)) { return xsimd::atan2(y.part[i], x.part[i]); });
  }
  friend Pack pow(const Pack& x, double p) {
    return x.lane_by_lane([p](double lane) { return std::pow(lane, p); });
  }

  /// The pack with part i = rule(i), unrolled.
  template <class Rule>
  [[gnu::always_inline]] static Pack each(const Rule& rule) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
      return Pack(std::array<Register, parts>{rule(std::integral_constant<std::size_t, i>())...});
    }
    (std::make_index_sequence<parts>());
  }

  /// The pack with lane i = function(lane i), through memory.
  template <class Function>
  Pack lane_by_lane(const Function& function) const {
    std::array<double, lanes> all;
    store(all.data());
    for (double& lane : all) lane = function(lane);
    return load(all.data());
  }

 private:
  Pack sine() const;
  Pack cosine() const;
  [[gnu::always_inline]] explicit Pack(const std::array<Register, parts>& all) : part(all) {}
};

/// Σ of the eight lanes.
inline double sum(const Pack& x) {
  Pack::Register total = x.part[0];
  for (std::size_t i = 1; i < Pack::parts; ++i) total += x.part[i];
  // Goes through memory: xsimd's name for this differs between the versions of Debian 12 and 13.
  std::array<double, Pack::Register::size> lanes;
  total.store_unaligned(lanes.data());
  double all = lanes[0];
  for (std::size_t i = 1; i < lanes.size(); ++i) all += lanes[i];
  return all;
}

struct Pack::SineAndCosine {
  Pack sine, cosine;
};

inline Pack Pack::sine() const {
  return sine_and_cosine().sine;
}
inline Pack Pack::cosine() const {
  return sine_and_cosine().cosine;
}

}  // namespace rigidlimit
