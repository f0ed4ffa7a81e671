#include "rigidlimit/experiment/pair/ensemble_spec.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace rigidlimit {
namespace {

/// Steele, Lea and Flood (2014), SplitMix64: its output function of a counter.
std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Uniform in (0, 1), a multiple of 2^-53 plus half of it.
double uniform_number(long seed, const std::string& key, std::size_t member) {
  std::uint64_t bits = mixed_bits(static_cast<std::uint64_t>(seed));
  for (const char letter : key) bits = mixed_bits(bits ^ static_cast<unsigned char>(letter));
  bits = mixed_bits(bits ^ mixed_bits(member));
  return (static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53;
}

}  // namespace

const char* name_of(VariedNumber::Spread spread) {
  using enum VariedNumber::Spread;
  switch (spread) {
    case uniform: return "uniform";
    case log_uniform: return "log_uniform";
    case normal: return "normal";
    case values: break;
  }
  return "values";
}

double VariedNumber::drawn(long seed, std::size_t member) const {
  if (spread == Spread::values) return numbers[member - 1];
  const double u = uniform_number(seed, key, member), a = numbers[0], b = numbers[1];
  switch (spread) {
    case Spread::log_uniform: return a * std::exp(u * std::log(b / a));
    case Spread::normal: return a + b * std::numbers::sqrt2 * boost::math::erf_inv(2.0 * u - 1.0);
    default: return a + u * (b - a);
  }
}

}  // namespace rigidlimit
