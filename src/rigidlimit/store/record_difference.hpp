// Comparison of two results of the same solve.
#pragma once

#include <optional>
#include <string>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// The difference of two records that should be equal.
struct RecordDifference {
  std::string what;      ///< "q differs by up to 3.1e-12 of its largest entry"
  double largest = 0.0;  ///< of the samples, relative to the largest entry of each; NaN if samples
                         ///< are missing in one of the two or differ in size
};

/// Empty if they agree bit by bit (same_result).
std::optional<RecordDifference> difference_between(const SolveRecord& kept,
                                                   const SolveRecord& other);

/// "compliant, viscoelastic, cvode_bdf, eps = 0.001, the tighter solve": for messages.
std::string description_of(const SolveIdentity& solve);

}  // namespace rigidlimit
