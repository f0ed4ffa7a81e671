// From a system's type and parameter values to its pair in 113-bit numbers. Include it in one
// translation unit a system only.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/formulations/quad_pair_of.hpp"
#include "rigidlimit/study/system_with.hpp"

namespace rigidlimit {

/// One value for each of Sys::parameters().
template <MechanicalSystem Sys>
std::unique_ptr<QuadPair> make_quad_pair(const std::vector<double>& values) {
  return std::make_unique<QuadPairOf<Sys>>(system_with<Sys>(values));
}

}  // namespace rigidlimit
