#include "rigidlimit/experiment/rolling/kept_motions.hpp"

#include <algorithm>

#include "rigidlimit/core/evenly_spaced.hpp"

namespace rigidlimit {

std::vector<std::size_t> drawn_epsilons(std::size_t count) {
  return evenly_spaced(count, 8);
}

bool is_drawn(const RollingStudy& study, const CompliantSolve& solve) {
  if (solve.method->name != study.solvers.compliant.front()) return false;
  return std::ranges::count(drawn_epsilons(study.epsilons.size()), solve.epsilon) > 0;
}

bool keeps_all_motions(const RollingStudy& study) {
  if (study.kept_samples != KeptSamples::automatic) return study.kept_samples == KeptSamples::all;
  return study.epsilons.size() * study.contact.laws.size() * study.solvers.compliant.size() <=
         most_whole_pairs;
}

bool keeps_motion(const RollingStudy& study, const CompliantSolve& solve) {
  if (study.kept_samples == KeptSamples::none) return false;
  return keeps_all_motions(study) || is_drawn(study, solve);
}

}  // namespace rigidlimit
