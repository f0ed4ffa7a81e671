// Explanations of the outcomes of solves.
#include <fmt/format.h>

#include "rigidlimit/cli/explanations.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

namespace {

Explanation outcome(Outcome word, std::string means, std::string decided, std::string next,
                    std::string example) {
  return {name_of(word),      "outcome of a solve", std::move(means),
          std::move(decided), std::move(next),      std::move(example)};
}

}  // namespace

std::vector<Explanation> explained_outcomes() {
  const std::string natural_or_adapted =
      "rigidlimit run FILE.toml --set 'solvers.formulation=\"adapted\"'";
  return {
      outcome(Outcome::success, "The solve reached the end of its interval.",
              "Every grid time has a value.", "Nothing.", "rigidlimit steps FILE.toml"),
      outcome(Outcome::not_run, "The solve was not begun.",
              "The pessimistic start of every solve; what remains where a method refuses a "
              "problem or the study is interrupted.",
              "See the reason beside it.", "rigidlimit explain refused"),
      outcome(
          Outcome::max_steps, "The solve took more steps than it may.",
          fmt::format("Attempted steps > solvers.max_steps, {} by default.",
                      SolverSpec{}.max_steps),
          "An explicit method on a stiff problem needs a stiff one in its place; a stiff method "
          "wants the adapted variables; a low order, looser tolerances.",
          natural_or_adapted),
      outcome(Outcome::step_underflow, "The step shrank to nothing.",
              "The step fell below the resolution of t in the numbers that are used.",
              "Look at t reached: a singular configuration there, or a tolerance below what the "
              "arithmetic keeps.",
              "rigidlimit run FILE.toml --set solvers.rtol=1e-10 --set solvers.atol=1e-12"),
      outcome(Outcome::error_test_failure, "The local error test failed again and again.",
              "The library's own limit of attempts at one step.",
              "Loosen the tolerances; look for something at t reached that is not smooth.",
              "rigidlimit run FILE.toml --set solvers.rtol=1e-10 --set solvers.atol=1e-12"),
      outcome(Outcome::newton_failure, "The nonlinear iteration failed again and again.",
              "The method's own limit of attempts, each at a smaller step.",
              "Take the adapted variables, or another method; check that the start is consistent.",
              natural_or_adapted),
      outcome(Outcome::singular_matrix, "A linear system could not be factorised.",
              "A pivot is zero or not finite.",
              "Look at t reached: the mass matrix, or the contacts, lose rank there.",
              "rigidlimit describe NAME --q Q1,Q2,... --v V1,V2,..."),
      outcome(Outcome::accuracy_limit, "The tolerances are below what the arithmetic can keep.",
              "The solver estimates that round-off exceeds its tolerances.",
              "Loosen them, or take 113 bits.",
              "rigidlimit run FILE.toml --set 'solvers.precision=\"quad\"' --set "
              "'solvers.rigid=[\"radau_iia\"]' --set 'solvers.compliant=[\"radau_iia\"]'"),
      outcome(Outcome::not_finite, "A right-hand side or a state is not finite.",
              "NaN or infinity in what was computed.",
              "Look at t reached: a singular chart (a disc that lies flat), or a motion that "
              "escapes.",
              "rigidlimit describe rolling_disk_quaternion"),
      outcome(Outcome::stopped_at_root, "An event ended the solve.",
              "A function whose zero ends the validity of the equations changed its sign there.",
              "Nothing, where the next piece of a motion with events begins there; otherwise look "
              "at t reached.",
              "rigidlimit run FILE.toml"),
      outcome(Outcome::inadmissible_state,
              "A contact is penetrated, or its speed or its data contradict its mode.",
              "A gap below the tolerance, or a start that no law of contact allows.",
              "Look at the message: it names the time, the contact and the state. Start outside "
              "the obstacle.",
              "rigidlimit run FILE.toml --set 'initial.q=[0.8, 0.2, 0.0]'"),
      outcome(Outcome::no_consistent_mode,
              "No mode of the contacts gives an acceleration or an impulse.",
              "All modes, free, stick and slip, were tried, and each breaks a law: the paradox of "
              "Painleve.",
              "Nothing is wrong with the solver: rigid friction has no answer there. A compliant "
              "contact has one; less friction avoids it.",
              "rigidlimit run experiments/friction/painleve.toml"),
      outcome(Outcome::event_accumulation, "More events than may be, or ever closer ones.",
              "The bound on the number of events, reached before the last time.",
              "Look at the last events: bounces that die out in finite time are closed at their "
              "limit, other accumulations are not.",
              "rigidlimit run experiments/impacts/bouncing_ball.toml"),
      outcome(Outcome::solver_error, "The library stopped for another reason.",
              "It returned an error that has no word here; its message stands in the list of "
              "failures.",
              "Read the message; try another method.", "rigidlimit list solvers"),
  };
}

}  // namespace rigidlimit
