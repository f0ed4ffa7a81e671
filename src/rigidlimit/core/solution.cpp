#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::not_run: return "not_run";
    case Outcome::success: return "success";
    case Outcome::max_steps: return "max_steps";
    case Outcome::step_underflow: return "step_underflow";
    case Outcome::error_test_failure: return "error_test_failure";
    case Outcome::newton_failure: return "newton_failure";
    case Outcome::singular_matrix: return "singular_matrix";
    case Outcome::accuracy_limit: return "accuracy_limit";
    case Outcome::not_finite: return "not_finite";
    case Outcome::stopped_at_root: return "stopped_at_root";
    case Outcome::inadmissible_state: return "inadmissible_state";
    case Outcome::no_consistent_mode: return "no_consistent_mode";
    case Outcome::event_accumulation: return "event_accumulation";
    case Outcome::interrupted: return "interrupted";
    case Outcome::solver_error: return "solver_error";
  }
  return "unknown";
}

}  // namespace rigidlimit
