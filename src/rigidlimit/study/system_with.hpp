// A system from the values of its parameters.
#pragma once

#include <vector>

#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit {

/// The system with these parameter values, in the order of Sys::parameters().
template <MechanicalSystem Sys>
Sys system_with(const std::vector<double>& values) {
  Sys sys;
  std::size_t i = 0;
  for (const auto& p : Sys::parameters()) sys.*p.member = values.at(i++);
  return sys;
}

}  // namespace rigidlimit
