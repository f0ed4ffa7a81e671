// The error of a solve against its reference, as a few numbers for each group.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

/// An error below this multiple of the reference's own error is not evidence.
inline constexpr double reference_factor = 10.0;

/// The errors of `found` in group g of `reference`, over all its times; status ok or
/// reference_limited. Digits (scd, mixed) are at most 15.95, those of a double. The status is
/// failed, with NaN, if there is no reference or `found` is not finite.
GroupError judged(const MatrixXd& found, const BenchmarkReference& reference, std::size_t g);

}  // namespace rigidlimit
