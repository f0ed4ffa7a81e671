// The motions of one ε → sizes of their differences, which an archive can keep without the motions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/task.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Quantities × norms × windows: the measures of every rolling study.
const std::vector<Measure>& rolling_measures();

/// The sizes of one compliant solver against one rigid solver at one ε.
struct Comparison {
  std::vector<ErrorSizes> sizes;  ///< in each of rolling_measures()
  /// Size of the predicted leading terms of `sizes.model`, likewise; NaN without a prediction.
  std::vector<double> predicted;
};

/// All that judges one law, compliant solver and ε.
struct PairComparison {
  /// For each of Solves::judged; empty without a finished first solve.
  std::vector<Comparison> against = {};
  std::optional<EnergySizes> energy = {};
};

/// A hash of the determinants of all these solves.
template <class Tasks>
std::string hash_of_inputs(const Tasks& tasks) {
  std::string inputs;
  for (const Task& task : tasks)
    for (const Solve& solve : task.solves) inputs += solve.identity.determinants + "\n";
  return content_hash(inputs);
}

/// Of the comparison of two compliant solves with the rigid side, whose inputs have this hash.
SolveIdentity comparison_identity(const RollingStudy& study, const std::string& rigid_side,
                                  const Task& pair);

SolveRecord record_of(const PairComparison& comparison);
PairComparison comparison_of(const SolveRecord& record);

/// Compares compliant motions with the motions of the rigid side, which must be done.
class PairComparer {
 public:
  /// Refers to both arguments.
  PairComparer(const RollingStudy& study, const Solves& solves);

  PairComparison compare(const RollingPair& pair) const;

 private:
  struct OnGrid;

  Comparison against(std::size_t judged, const OnGrid& there, const RollingPair& pair) const;

  const RollingStudy& study_;
  const Solves& solves_;
  Windows windows_;
  std::vector<Motion> off_reference_;  ///< of each judged rigid motion; without times if one failed
};

}  // namespace rigidlimit
