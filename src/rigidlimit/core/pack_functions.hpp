// Sine and cosine of a vector register, for core/pack.cpp and core/codegen/code_functions.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "rigidlimit/core/pack.hpp"

namespace rigidlimit {

/// Sine and cosine of each lane; the bits of a lane do not depend on the other lanes.
///
/// xsimd reduces all lanes of a register by the formula that the largest one needs. Up to 20 π its
/// formulas give the same bits (tests/core/pack_test.cpp). Beyond, or with NaN, each lane is
/// computed alone.
inline std::pair<Pack::Register, Pack::Register> sine_and_cosine_of(const Pack::Register& x) {
  using Register = Pack::Register;
  if (xsimd::all(xsimd::abs(x) <= Register(62.83185307179586))) return xsimd::sincos(x);
  std::array<double, Register::size> lane, sine, cosine;
  x.store_unaligned(lane.data());
  for (std::size_t i = 0; i < lane.size(); ++i) {
    std::array<double, Register::size> one;
    const auto both = xsimd::sincos(Register(lane[i]));
    both.first.store_unaligned(one.data());
    sine[i] = one[0];
    both.second.store_unaligned(one.data());
    cosine[i] = one[0];
  }
  return {Register::load_unaligned(sine.data()), Register::load_unaligned(cosine.data())};
}

}  // namespace rigidlimit
