#include "rigidlimit/core/solution.hpp"

#include <algorithm>
#include <array>

namespace rigidlimit {

namespace {

constexpr std::array<std::string_view, 16> names{"not_run",
                                                 "success",
                                                 "max_steps",
                                                 "time_limit",
                                                 "step_underflow",
                                                 "error_test_failure",
                                                 "newton_failure",
                                                 "singular_matrix",
                                                 "accuracy_limit",
                                                 "not_finite",
                                                 "stopped_at_root",
                                                 "inadmissible_state",
                                                 "no_consistent_mode",
                                                 "event_accumulation",
                                                 "interrupted",
                                                 "solver_error"};
static_assert(names.size() == static_cast<std::size_t>(Outcome::solver_error) + 1);

}  // namespace

const std::vector<Outcome>& all_outcomes() {
  static const std::vector<Outcome> all = [] {
    std::vector<Outcome> outcomes(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) outcomes[k] = static_cast<Outcome>(k);
    return outcomes;
  }();
  return all;
}

const char* name_of(Outcome outcome) {
  const auto k = static_cast<std::size_t>(outcome);
  return k < names.size() ? names[k].data() : "unknown";
}

Outcome outcome_named(std::string_view word) {
  const auto at = std::ranges::find(names, word);
  return at == names.end() ? Outcome::solver_error : static_cast<Outcome>(at - names.begin());
}

}  // namespace rigidlimit
