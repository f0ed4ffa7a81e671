// The difference of a solve to its reference, reduced to a few numbers a group.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

/// An error below this many times the reference's own is no evidence.
inline constexpr double reference_factor = 10.0;

/// The errors of `found` in group g of `reference`, over all its times; status ok or
/// reference_limited. Digits (scd, mixed) beyond those of a double are not claimed: at most 15.95.
/// Failed, with NaN, where there is no reference or `found` is not finite.
GroupError judged(const MatrixXd& found, const BenchmarkReference& reference, std::size_t g);

}  // namespace rigidlimit
