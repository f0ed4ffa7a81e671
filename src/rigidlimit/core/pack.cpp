#include "rigidlimit/core/pack.hpp"

#include <limits>

namespace rigidlimit {
namespace {

/// The last arguments with their values. An empty place holds NaN, which equals nothing.
struct Recent {
  static constexpr std::size_t places = 4;
  std::array<Pack, places> argument;
  std::array<Pack::SineAndCosine, places> value;
  std::size_t next = 0;

  Recent() { argument.fill(Pack(std::numeric_limits<double>::quiet_NaN())); }
};

bool same(const Pack& a, const Pack& b) {
  for (std::size_t i = 0; i < Pack::parts; ++i)
    if (!xsimd::all(a.part[i] == b.part[i])) return false;
  return true;
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
    const auto both = xsimd::sincos(part[i]);
    recent.value[k].sine.part[i] = both.first;
    recent.value[k].cosine.part[i] = both.second;
  }
  return recent.value[k];
}

}  // namespace rigidlimit
