// The parameters of a system that extends another one.
#pragma once

#include <algorithm>
#include <array>

#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

/// The parameters of Base, as members of Sys, which is Base or derived from it, followed by those
/// of Sys.
template <class Sys, class Base, std::size_t N, std::size_t M>
std::array<Parameter<Sys>, N + M> extended(const std::array<Parameter<Base>, N>& base,
                                           const Parameter<Sys> (&own)[M]) {
  std::array<Parameter<Sys>, N + M> all;
  const auto rest = std::transform(base.begin(), base.end(), all.begin(), [](const auto& p) {
    return Parameter<Sys>{p.name, p.member, p.unit, p.text, p.range};
  });
  std::ranges::copy(own, rest);
  return all;
}

}  // namespace rigidlimit
