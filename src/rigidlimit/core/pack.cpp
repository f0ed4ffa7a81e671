#include "rigidlimit/core/pack.hpp"

#include <cstring>
#include <limits>

#include "rigidlimit/core/pack_functions.hpp"

namespace rigidlimit {
namespace {

/// Cache of the last arguments and their values. An empty entry holds NaN, whose sine is NaN.
struct Recent {
  static constexpr std::size_t places = 4;
  std::array<Pack, places> argument;
  std::array<Pack::SineAndCosine, places> value;
  std::size_t next = 0;

  Recent() {
    const Pack nothing(std::numeric_limits<double>::quiet_NaN());
    argument.fill(nothing);
    value.fill({nothing, nothing});
  }
};

/// Bitwise comparison: −0 differs from 0, whose sine has another sign. A result must not depend on
/// earlier computations.
bool same(const Pack& a, const Pack& b) {
  return std::memcmp(&a, &b, sizeof(Pack)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

}  // namespace

const Pack::SineAndCosine& Pack::sine_and_cosine() const {
  thread_local Recent recent;
  for (std::size_t k = 0; k < Recent::places; ++k)
    if (same(recent.argument[k], *this)) return recent.value[k];
  const std::size_t k = recent.next;
  recent.next = (k + 1) % Recent::places;
  recent.argument[k] = *this;
  for (std::size_t i = 0; i < parts; ++i) {
    const auto both = sine_and_cosine_of(part[i]);
    recent.value[k].sine.part[i] = both.first;
    recent.value[k].cosine.part[i] = both.second;
  }
  return recent.value[k];
}

Pack::Register Pack::exponential(const Register& x) {
  const Register most(1000.0);
  const Register y = xsimd::exp(xsimd::select(xsimd::abs(x) <= most, x, xsimd::copysign(most, x)));
  return xsimd::select(xsimd::isnan(x), x, y);
}

}  // namespace rigidlimit
