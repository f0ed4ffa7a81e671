#include "rigidlimit/core/solution.hpp"

#include <algorithm>
#include <array>

namespace rigidlimit {

namespace {

constexpr std::array<const char*, 16> names{"not_run",
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

constexpr std::array<Outcome, names.size()> outcomes = [] {
  std::array<Outcome, names.size()> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Outcome>(k);
  return all;
}();

}  // namespace

std::span<const Outcome> all_outcomes() { return outcomes; }

const char* name_of(Outcome outcome) { return names.at(static_cast<std::size_t>(outcome)); }

Outcome outcome_named(std::string_view word) {
  const auto* const at =
      std::ranges::find_if(outcomes, [&](Outcome outcome) { return word == name_of(outcome); });
  return at == outcomes.end() ? Outcome::solver_error : *at;
}

}  // namespace rigidlimit
