// Definitions of solvers/radau_stepper.hpp: what follows a failed attempt.
#pragma once

#include "rigidlimit/solvers/radau_stepper.hpp"

namespace rigidlimit {

template <class T>
Outcome RadauStepper<T>::iteration_failed(const RadauIteration& iteration) {
  const Failure why = iteration.end == End::not_finite ? Failure::not_finite
                      : iteration.end == End::stagnant ? Failure::round_off
                                                       : Failure::iteration;
  // What a better matrix may mend does not change the step. A slow contraction is nothing new to
  // the fast block, and says little about the order.
  const bool by_matrix = !jacobian_.fresh() || jacobian_.may_fall_back();
  const bool by_order = !jacobian_.on_block();
  jacobian_.iteration_failed(fixed_ || why == Failure::iteration);
  contraction_ = 1.0;
  if (fixed_) return jacobian_.stale() ? retry(h_, why) : give_up(why);  // no other step to try
  if (why == Failure::iteration && by_order && order_.iteration_failed())
    choose_stages(order_.stages());
  if (why == Failure::not_finite) return retry(0.25 * last_step_, why);
  const bool again = why == Failure::iteration && by_matrix;
  return retry((again ? 1.0 : iteration.shrink) * last_step_, why);
}

template <class T>
Outcome RadauStepper<T>::error_test_failed(double error, const RadauIteration& iteration) {
  if (!std::isfinite(error)) return retry(0.25 * last_step_, Failure::not_finite);
  const double h = control_.proposed(last_step_, error, step_.tableau->stages, iteration.iterations,
                                     goal_.most_iterations);
  if (!jacobian_.fresh()) jacobian_.mark_stale();
  tighten_iteration();
  return retry(h, Failure::error_test);
}

template <class T>
Outcome RadauStepper<T>::retry(double h, Failure failure) {
  ++work_.rejected_steps;
  repeated_ = true;
  control_.rejected();
  if (jacobian_.stale()) factorised_h_ = 0.0;
  h_ = h;
  last_failure_ = failure;
  // 100 failures: a step shrunk by 10^20 or more, which no resolution of t ends where t0 = 0.
  if (++failures_in_a_row_ < 100) return Outcome::success;
  const Outcome outcome = give_up(failure);
  return failure == Failure::error_test ? Outcome::error_test_failure : outcome;
}

template <class T>
Outcome RadauStepper<T>::give_up(Failure failure) {
  const auto say = [&](const char* what) {
    message_ = fmt::format("Radau IIA: step {:.3g} at t = {:.17g} {}", last_step_, t_, what);
  };
  switch (failure) {
    case Failure::iteration: say("fails in Newton's iteration"); return Outcome::newton_failure;
    case Failure::round_off: say("cannot keep the tolerance"); return Outcome::accuracy_limit;
    case Failure::not_finite: say("meets values not finite"); return Outcome::not_finite;
    case Failure::singular: say("has a singular matrix"); return Outcome::singular_matrix;
    case Failure::error_test: break;
  }
  say("is below the resolution of t");
  return Outcome::step_underflow;
}

}  // namespace rigidlimit
