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
              "Every grid time has a value.", "Nothing.", "rigidlimit help output"),
      outcome(Outcome::not_run, "The solve was not started.",
              "The initial state of every solve. It remains if a method does not accept the "
              "problem or the study is interrupted.",
              "Read the reason given with it.", "rigidlimit explain refused"),
      outcome(
          Outcome::max_steps, "The solve reached its limit of steps.",
          fmt::format("Attempted steps > solvers.max_steps, {} by default.",
                      SolverSpec{}.max_steps),
          "Replace an explicit method on a stiff problem by a stiff one. With a stiff method, use "
          "the adapted variables. With a method of low order, loosen the tolerances.",
          natural_or_adapted),
      outcome(
          Outcome::step_underflow, "The step size became too small.",
          "The step fell below the resolution of t in the arithmetic used.",
          "Check the state at \"t reached\": a singular configuration, or a tolerance below the "
          "precision of the arithmetic.",
          "rigidlimit run FILE.toml --set solvers.rtol=1e-10 --set solvers.atol=1e-12"),
      outcome(Outcome::error_test_failure, "The local error test failed repeatedly.",
              "The library's limit of attempts at one step.",
              "Loosen the tolerances; check for a non-smooth term at \"t reached\".",
              "rigidlimit run FILE.toml --set solvers.rtol=1e-10 --set solvers.atol=1e-12"),
      outcome(Outcome::newton_failure, "The nonlinear iteration failed repeatedly.",
              "The method's limit of attempts, each at a smaller step.",
              "Use the adapted variables or another method; check that the start is consistent.",
              natural_or_adapted),
      outcome(Outcome::singular_matrix, "A linear system could not be factorised.",
              "A pivot is zero or not finite.",
              "Check the state at \"t reached\": the mass matrix or the contacts lose rank there.",
              "rigidlimit describe NAME --q Q1,Q2,... --v V1,V2,..."),
      outcome(Outcome::accuracy_limit, "The tolerances are below the precision of the arithmetic.",
              "The solver estimates that round-off exceeds its tolerances.",
              "Loosen them, or use 113 bits.",
              "rigidlimit run FILE.toml --set 'solvers.precision=\"quad\"' --set "
              "'solvers.rigid=[\"radau_iia\"]' --set 'solvers.compliant=[\"radau_iia\"]'"),
      outcome(Outcome::not_finite, "A right-hand side or a state is not finite.",
              "A computed value is NaN or infinite.",
              "Check the state at \"t reached\": a singular chart (a disc that lies flat), or a "
              "motion that diverges.",
              "rigidlimit describe rolling_disk_quaternion"),
      outcome(Outcome::stopped_at_root, "An event ended the solve.",
              "A function that bounds the validity of the equations changed its sign.",
              "Nothing, if the next piece of a motion with events begins there. Otherwise check "
              "the state at \"t reached\".",
              "rigidlimit run FILE.toml"),
      outcome(Outcome::inadmissible_state,
              "A contact is penetrated, or its velocity or its data contradict its mode.",
              "A gap is below the tolerance, or no contact law allows the start.",
              "Read the message, which names the time, the contact and the state. Start outside "
              "the obstacle.",
              "rigidlimit run FILE.toml --set 'initial.q=[0.8, 0.2, 0.0]'"),
      outcome(Outcome::no_consistent_mode,
              "No mode of the contacts gives an acceleration or an impulse.",
              "All modes (free, stick and slip) were tried, and each violates a contact law: the "
              "Painleve paradox.",
              "The solver is not at fault: rigid friction has no solution there. A compliant "
              "contact has one; less friction avoids the paradox.",
              "rigidlimit run experiments/friction/painleve.toml"),
      outcome(Outcome::event_accumulation,
              "The motion has too many events, or events that accumulate.",
              "The bound on the number of events was reached before the end time.",
              "Check the last events. Bounces that end in finite time are continued from their "
              "limit; other accumulations are not.",
              "rigidlimit run experiments/impacts/bouncing_ball.toml"),
      outcome(Outcome::solver_error, "The library stopped for another reason.",
              "The library returned an error without an outcome of its own; the list of failures "
              "has its message.",
              "Read the message; try another method.", "rigidlimit list solvers"),
  };
}

}  // namespace rigidlimit
