#include "rigidlimit/solvers/sundials/arkode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/sundials/sundials.hpp"

namespace rigidlimit {
namespace {

using sundials::expect_success;
using sundials::made;

struct ArkodeCallbacks {
  const OdeProblem& problem;
  sundials::CallbackBridge bridge;
};

template <class Rate>
int evaluate(ArkodeCallbacks& callbacks, const Rate& f, double t, N_Vector y, N_Vector ydot) {
  auto dydt = sundials::map(ydot);
  return callbacks.bridge.run(t, [&] {
    f(t, sundials::map(y), dydt);
    return dydt.allFinite();
  });
}

template <class Jacobian>
int evaluate(ArkodeCallbacks& callbacks, const Jacobian& J, double t, N_Vector y,
             SUNMatrix matrix) {
  auto dfdy = sundials::map(matrix);
  return callbacks.bridge.run(t, [&] {
    J(t, sundials::map(y), dfdy);
    return dfdy.allFinite();
  });
}

int whole(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& callbacks = *static_cast<ArkodeCallbacks*>(data);
  return evaluate(callbacks, callbacks.problem.rhs, t, y, ydot);
}

int stiff_part(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& callbacks = *static_cast<ArkodeCallbacks*>(data);
  return evaluate(callbacks, callbacks.problem.splitting->stiff, t, y, ydot);
}

int rest(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& callbacks = *static_cast<ArkodeCallbacks*>(data);
  return evaluate(callbacks, callbacks.problem.splitting->rest, t, y, ydot);
}

int arkode_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                    N_Vector, N_Vector) {
  auto& callbacks = *static_cast<ArkodeCallbacks*>(data);
  return evaluate(callbacks, callbacks.problem.jacobian, t, y, matrix);
}

int stiff_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                   N_Vector, N_Vector) {
  auto& callbacks = *static_cast<ArkodeCallbacks*>(data);
  return evaluate(callbacks, callbacks.problem.splitting->stiff_jacobian, t, y, matrix);
}

bool splits(const ArkodeTables& tables) {
  return tables.implicit_part >= 0 && tables.explicit_part >= 0;
}

void* created(const ArkodeTables& tables, double t0, N_Vector y0, SUNContext context) {
  if (splits(tables)) return made(ARKStepCreate(rest, stiff_part, t0, y0, context));
  if (tables.implicit_part >= 0) return made(ARKStepCreate(nullptr, whole, t0, y0, context));
  return made(ARKStepCreate(whole, nullptr, t0, y0, context));
}

class ArkodeStepper {
 public:
  ArkodeStepper(const OdeProblem& problem, const ArkodeTables& tables, double end,
                const SolveOptions& options)
      : callbacks_{problem, {}},
        fixed_step_(options.fixed_step),
        end_(end),
        t_(problem.t0),
        y_(sundials::vector_of(problem.y0, context_)),
        arkode_(created(tables, t_, y_.get(), context_)) {
    void* arkode = arkode_.get();
    if (problem.coordinates) change_.resize(problem.y0.size(), problem.y0.size());
    context_.silence_arkode(arkode);
    const auto atol =
        sundials::vector_of(absolute_tolerances(options, problem.y0.size()), context_);
    expect_success(ARKStepSVtolerances(arkode, options.rtol, atol.get()), "ARKStepSVtolerances");
    expect_success(ARKStepSetUserData(arkode, &callbacks_), "ARKStepSetUserData");
    expect_success(ARKStepSetTableNum(arkode, static_cast<ARKODE_DIRKTableID>(tables.implicit_part),
                                      static_cast<ARKODE_ERKTableID>(tables.explicit_part)),
                   "ARKStepSetTableNum");
    if (tables.implicit_part >= 0) use_newton(problem.y0.size(), splits(tables));
    tune(options);
  }

  double t() const { return t_; }

  void write(double tau, Index column, Solution& solution) {
    write_output<double>(callbacks_.problem, tau, sundials::map(y_.get()),
                         solution.states.col(column));
  }

  Outcome attempt(double next, double) {
    if (std::exchange(moved_on_, false) && callbacks_.problem.coordinates) move_coordinates();
    void* arkode = arkode_.get();
    expect_success(ARKStepSetStopTime(arkode, next), "ARKStepSetStopTime");
    if (fixed_step_ > 0.0) set_fixed_step(next);
    double reached = t_;
    const int code = ARKStepEvolve(arkode, end_, y_.get(), &reached, ARK_ONE_STEP);
    callbacks_.bridge.rethrow();
    const bool met_not_finite = callbacks_.bridge.not_finite_after(t_);
    if (code == ARK_UNREC_RHSFUNC_ERR && fixed_step_ == 0.0) return retry();
    if (code < 0) {
      failed_step_ = callbacks_.bridge.last_t() - t_;
      message_ = fmt::format("ARKODE {}: {}", code, context_.last_message());
      return sundials::outcome_of_arkode(code, met_not_finite);
    }
    moved_on_ = true;
    const double before = std::exchange(t_, reached);
    if (!sundials::step_is_below_resolution(before, reached, next)) return Outcome::success;
    message_ = fmt::format("ARKODE: step {:.3g} at t = {:.17g} is below the resolution of t",
                           reached - before, before);
    return met_not_finite ? Outcome::not_finite : Outcome::step_underflow;
  }

  Work work() const {
    Work work;
    void* arkode = arkode_.get();
    long attempts = 0, of_rest = 0, of_implicit_part = 0;
    ARKStepGetNumSteps(arkode, &work.steps);
    ARKStepGetNumStepAttempts(arkode, &attempts);
    work.rejected_steps = attempts - work.steps;
    ARKStepGetNumRhsEvals(arkode, &of_rest, &of_implicit_part);
    work.rhs_evaluations = of_rest + of_implicit_part;
    if (!linear_solver_) return work;
    ARKStepGetNumJacEvals(arkode, &work.jacobian_evaluations);
    ARKStepGetNumLinSolvSetups(arkode, &work.factorisations);
    ARKStepGetNumNonlinSolvIters(arkode, &work.newton_iterations);
    work.linear_solves = work.newton_iterations;
    return work;
  }

  double last_step() const {
    double h = failed_step_;
    if (h == 0.0) ARKStepGetLastStep(arkode_.get(), &h);
    return h;
  }

  const std::string& message() const { return message_; }

 private:
  /// The only history of a one-step method is its step size, which ARKStepReset() keeps.
  void move_coordinates() {
    if (callbacks_.problem.coordinates->rechoose(0.0, sundials::map(y_.get()), change_))
      expect_success(ARKStepReset(arkode_.get(), t_, y_.get()), "ARKStepReset");
  }

  /// ARKODE gives up if an explicit stage has non-finite values. Retries a quarter of the step from
  /// the current state, down to the resolution of t.
  Outcome retry() {
    void* arkode = arkode_.get();
    double h = 0.0;
    expect_success(ARKStepGetCurrentStep(arkode, &h), "ARKStepGetCurrentStep");
    failed_step_ = h;
    h *= 0.25;
    if (t_ + h == t_ || h <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)) {
      message_ = fmt::format("ARKODE: step {:.3g} at t = {:.17g} gives values that are not finite",
                             failed_step_, t_);
      return Outcome::not_finite;
    }
    expect_success(ARKStepReset(arkode, t_, y_.get()), "ARKStepReset");
    expect_success(ARKStepSetInitStep(arkode, h), "ARKStepSetInitStep");
    return Outcome::success;
  }

  /// 1e-9: rounding of t must not leave a step of that size before an output time.
  void set_fixed_step(double next) {
    const bool lands = fixed_step_ * (1.0 + 1e-9) >= next - t_;
    expect_success(ARKStepSetFixedStep(arkode_.get(), lands ? next - t_ : fixed_step_),
                   "ARKStepSetFixedStep");
  }

  void use_newton(Index n, bool split) {
    void* arkode = arkode_.get();
    matrix_.reset(made(SUNDenseMatrix(n, n, context_)));
    linear_solver_.reset(made(SUNLinSol_Dense(y_.get(), matrix_.get(), context_)));
    expect_success(ARKStepSetLinearSolver(arkode, linear_solver_.get(), matrix_.get()),
                   "ARKStepSetLinearSolver");
    expect_success(ARKStepSetJacFn(arkode, split ? stiff_jacobian : arkode_jacobian),
                   "ARKStepSetJacFn");
    // Knife edge at rtol 1e-6, ε = 1e-6, implicit half of ARK5(4)8L[2]SA. With the library's
    // defaults (matrix kept 20 steps, f evaluated again at each stage): 1969 f in adapted variables
    // and 1 315 000 in natural ones. With the stage's f deduced from its equation, so that Newton's
    // error is not multiplied by 1/ε²: 1441 and 114 000. With a new matrix each step in addition:
    // 1220 and 70 000. A new matrix at each stage (-1) gains nothing more; only large fixed steps
    // need it to converge.
    expect_success(ARKStepSetDeduceImplicitRhs(arkode, SUNTRUE), "ARKStepSetDeduceImplicitRhs");
    const bool fixed = fixed_step_ > 0.0;
    expect_success(ARKStepSetLSetupFrequency(arkode, fixed ? -1 : 1), "ARKStepSetLSetupFrequency");
    expect_success(ARKStepSetJacEvalFrequency(arkode, 1), "ARKStepSetJacEvalFrequency");
    // With 3, the default, the implicit half of ARK4(3)7L[2]SA takes 3484 steps and rejects 1127 in
    // natural variables (as above); with 10 it takes 1015 and rejects 11. A fixed step cannot be
    // retried.
    expect_success(ARKStepSetMaxNonlinIters(arkode, fixed ? 50 : 10), "ARKStepSetMaxNonlinIters");
    // 100 instead of 2.3: the first iteration of an additive method corrects the slow components,
    // which are not in the matrix. The second correction may be larger without divergence.
    expect_success(ARKStepSetNonlinRDiv(arkode, 100.0), "ARKStepSetNonlinRDiv");
  }

  void tune(const SolveOptions& options) {
    void* arkode = arkode_.get();
    // There is no interpolation, and the Lagrange interpolant needs no extra f.
    expect_success(ARKStepSetInterpolantType(arkode, ARK_INTERP_LAGRANGE),
                   "ARKStepSetInterpolantType");
    expect_success(ARKStepSetInterpolantDegree(arkode, 1), "ARKStepSetInterpolantDegree");
    expect_success(ARKStepSetInitStep(arkode, options.initial_step), "ARKStepSetInitStep");
    expect_success(ARKStepSetMaxHnilWarns(arkode, -1), "ARKStepSetMaxHnilWarns");
    // As for CVODE, whose default of 7 gave up far above round-off.
    expect_success(ARKStepSetMaxErrTestFails(arkode, 20), "ARKStepSetMaxErrTestFails");
    expect_success(ARKStepSetMaxConvFails(arkode, 20), "ARKStepSetMaxConvFails");
  }

  ArkodeCallbacks callbacks_;
  MatrixXd change_;  ///< of moving coordinates; unused, because there is no history
  double fixed_step_;
  double end_;
  sundials::Context context_;  // before everything made with it
  double t_;
  sundials::Owned<N_Vector> y_;
  sundials::Owned<SUNMatrix> matrix_;
  sundials::Owned<SUNLinearSolver> linear_solver_;
  sundials::OwnedArkode arkode_;  // last: freed first
  bool moved_on_ = false;         ///< a step was accepted since the coordinates were chosen
  double failed_step_ = 0.0;
  std::string message_;
};

void check_parts(const OdeProblem& problem, const ArkodeTables& tables) {
  if (splits(tables)) {
    const Splitting* splitting = problem.splitting.get();
    if (splitting == nullptr || !splitting->stiff || !splitting->rest || !splitting->stiff_jacobian)
      throw InputError(
          fmt::format("{}: an additive method needs a splitting of f into two parts, and the "
                      "Jacobian of the stiff part",
                      problem.name));
  } else if (tables.implicit_part >= 0 && !problem.jacobian) {
    throw InputError(
        fmt::format("{}: a diagonally implicit method needs a dense Jacobian", problem.name));
  }
}

}  // namespace

Solution solve_arkode(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options, const ArkodeTables& tables) {
  check_input(problem, times, options, true);
  check_parts(problem, tables);
  if (problem.coordinates) problem.coordinates->reset();
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  ArkodeStepper stepper(problem, tables, times.back(), options);
  run_steps(stepper, options, solution);
  return solution;
}

}  // namespace rigidlimit
