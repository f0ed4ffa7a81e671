// Readers of [[expect]] and [[bound]].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

/// The begin of the window "after" that [time] or claims give: one in a study.
class GivenBegin {
 public:
  /// Takes the value t of `after` in this table. Throws InputError with both places if another
  /// table gave another value.
  void take(Section& section, double t);

 private:
  struct Given {
    double t;
    std::string place;
  };
  std::optional<Given> first_;
};

/// Whether a table [[expect]] is about steps, not errors.
bool expects_steps(Section& section);

/// Reads one table [[expect]] about steps. Throws InputError if the study has equal steps, or fewer
/// than two ε in the interval.
StepsSpec read_steps_expectation(Section section, RollingStudy& study);

/// Reads one table [[expect]] about errors. Its `after` becomes that of the study.
ExpectationSpec read_expectation(Section section, RollingStudy& study, GivenBegin& begin);

/// Reads one [[bound]]: `constant` and `power` (K ε^p, for the model error), `solver_error` (a
/// maximum), or both; `epsilon = [lo, hi]`, in either order, applies to both. `after` likewise.
std::vector<BoundSpec> read_bounds(Section section, RollingStudy& study, GivenBegin& begin);

/// Throws InputError if the study needs the asymptotic expansion (for an expected ratio or a
/// comparison with the composite) and has none, because of its law, β or start. The place is that
/// of the key that prevents it.
void require_prediction(Section& root, const RollingStudy& study);

}  // namespace rigidlimit
