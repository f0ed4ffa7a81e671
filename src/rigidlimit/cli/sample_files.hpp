// Short files of each kind in which readers find every key (file_keys.hpp).
#pragma once

#include <span>

namespace rigidlimit {

std::span<const char* const> sample_rolling_studies();
std::span<const char* const> sample_friction_studies();
std::span<const char* const> sample_sweeps();
std::span<const char* const> sample_benchmarks();
std::span<const char* const> sample_rolling_systems();   ///< studies with systems as formulas
std::span<const char* const> sample_friction_systems();  ///< the same with contacts that may slip

}  // namespace rigidlimit
