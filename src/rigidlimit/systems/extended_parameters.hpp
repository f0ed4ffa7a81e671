// The parameters of a system that is another one and something more.
#pragma once

#include <algorithm>
#include <array>

#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

/// Those of Base, as members of Sys, which is derived from it, and one of its own behind them.
template <class Sys, class Base, std::size_t N>
std::array<Parameter<Sys>, N + 1> extended(const std::array<Parameter<Base>, N>& base,
                                           const Parameter<Sys>& own) {
  std::array<Parameter<Sys>, N + 1> all;
  std::transform(base.begin(), base.end(), all.begin(), [](const Parameter<Base>& p) {
    return Parameter<Sys>{p.name, p.member, p.unit, p.text, p.range};
  });
  all.back() = own;
  return all;
}

}  // namespace rigidlimit
