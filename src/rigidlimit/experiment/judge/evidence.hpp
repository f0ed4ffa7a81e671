#pragma once

#include <string>
#include <string_view>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Why a row has no number although both solves succeeded.
enum class Absent { nothing, no_composite, not_comparable, no_such_event };

/// "no composite", "not comparable", "no such event"; "" for nothing.
const char* name_of(Absent absent);

/// Whether a number is evidence for convergence, and if not, what stands in its way.
struct Evidence {
  enum class State {
    ok,       ///< ten times its other errors
    proved,   ///< between bounds of a proof
    limited,  ///< hidden by another error
    failed    ///< there is no number
  };

  State state = State::failed;
  FloorSource floor = FloorSource::unnamed;  ///< of a limited number: the error that hides it
  // Of a failed number:
  Outcome compliant = Outcome::success, rigid = Outcome::success;  ///< of the two solves
  Absent absent = Absent::nothing;

  bool counts() const { return state == State::ok || state == State::proved; }
  bool failed() const { return state == State::failed; }
  bool operator==(const Evidence&) const = default;
};

/// "ok", "proved", "equal" (to rounding), "solver_limited", "reference_limited",
/// "sampling_limited", "failed: max_steps" (of the compliant solve), "failed: rigid max_steps" or
/// "failed: no such event".
std::string name_of(const Evidence& evidence);

/// The reverse; any other word is a failure without a reason.
Evidence evidence_named(std::string_view name);

/// Why a number does not exist: "max_steps", "rigid max_steps", "no such event".
std::string failure_of(const Evidence& evidence);

}  // namespace rigidlimit
