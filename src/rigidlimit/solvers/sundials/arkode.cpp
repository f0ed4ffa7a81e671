#include "rigidlimit/solvers/sundials/arkode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/sundials/integrator.hpp"

namespace rigidlimit {
namespace {

using sundials::expect_success;
using sundials::made;

constexpr sundials::Library arkode_library{
    .name = "ARKODE",
    .free = ARKStepFree,
    .not_finite = {ARK_RHSFUNC_FAIL, ARK_FIRST_RHSFUNC_ERR, ARK_REPTD_RHSFUNC_ERR,
                   ARK_UNREC_RHSFUNC_ERR},
    .last_step = ARKStepGetLastStep,
    .steps = ARKStepGetNumSteps,
    .rejected_steps =
        [](void* arkode, long* count) {
          long steps = 0;
          ARKStepGetNumSteps(arkode, &steps);
          const int code = ARKStepGetNumStepAttempts(arkode, count);
          *count -= steps;
          return code;
        },
    .evaluations =
        [](void* arkode, long* count) {
          long of_implicit_part = 0;
          const int code = ARKStepGetNumRhsEvals(arkode, count, &of_implicit_part);
          *count += of_implicit_part;
          return code;
        },
    .factorisations = ARKStepGetNumLinSolvSetups,
    .iterations = ARKStepGetNumNonlinSolvIters,
    .jacobians = ARKStepGetNumJacEvals};

int stiff_part(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& [problem, bridge] = *static_cast<sundials::OdeCallbacks*>(data);
  return bridge.fill(t, sundials::map(ydot), [&, &f = problem.splitting->stiff](auto& out) {
    f(t, sundials::map(y), out);
  });
}

int rest(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& [problem, bridge] = *static_cast<sundials::OdeCallbacks*>(data);
  return bridge.fill(t, sundials::map(ydot),
                     [&, &f = problem.splitting->rest](auto& out) { f(t, sundials::map(y), out); });
}

int stiff_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                   N_Vector, N_Vector) {
  auto& [problem, bridge] = *static_cast<sundials::OdeCallbacks*>(data);
  return bridge.fill(
      t, sundials::map(matrix),
      [&, &J = problem.splitting->stiff_jacobian](auto& out) { J(t, sundials::map(y), out); });
}

bool splits(const ArkodeTables& tables) {
  return tables.implicit_part >= 0 && tables.explicit_part >= 0;
}

void* created(const ArkodeTables& tables, double t0, N_Vector y0, SUNContext context) {
  if (splits(tables)) return made(ARKStepCreate(rest, stiff_part, t0, y0, context));
  if (tables.implicit_part >= 0)
    return made(ARKStepCreate(nullptr, sundials::rhs, t0, y0, context));
  return made(ARKStepCreate(sundials::rhs, nullptr, t0, y0, context));
}

class ArkodeStepper : public sundials::Integrator {
 public:
  ArkodeStepper(const OdeProblem& problem, const ArkodeTables& tables, double end,
                const SolveOptions& options)
      : Integrator(arkode_library, problem.t0, problem.y0),
        callbacks_{.problem = problem, .bridge = bridge_},
        fixed_step_(options.fixed_step),
        end_(end) {
    void* arkode = created(tables, t_, y_.get(), context_);
    memory_.reset(arkode);
    if (problem.coordinates) change_.resize(problem.y0.size(), problem.y0.size());
    context_.silence_arkode(arkode);
    const auto atol =
        sundials::vector_of(absolute_tolerances(options, problem.y0.size()), context_);
    expect_success(ARKStepSVtolerances(arkode, options.rtol, atol.get()), "ARKStepSVtolerances");
    expect_success(ARKStepSetUserData(arkode, &callbacks_), "ARKStepSetUserData");
    expect_success(ARKStepSetTableNum(arkode, static_cast<ARKODE_DIRKTableID>(tables.implicit_part),
                                      static_cast<ARKODE_ERKTableID>(tables.explicit_part)),
                   "ARKStepSetTableNum");
    if (tables.implicit_part >= 0) use_newton(splits(tables));
    tune(options);
  }

  void write(double tau, Index column, Solution& solution) {
    write_output<double>(callbacks_.problem, tau, sundials::map(y_.get()),
                         solution.states.col(column));
  }

  Outcome attempt(double next, double) {
    if (std::exchange(moved_on_, false) && callbacks_.problem.coordinates) move_coordinates();
    void* arkode = memory_.get();
    expect_success(ARKStepSetStopTime(arkode, next), "ARKStepSetStopTime");
    if (fixed_step_ > 0.0) set_fixed_step(next);
    double reached = t_;
    const int code = ARKStepEvolve(arkode, end_, y_.get(), &reached, ARK_ONE_STEP);
    bridge_.rethrow();
    if (code == ARK_UNREC_RHSFUNC_ERR && fixed_step_ == 0.0) return retry();
    if (code < 0) return failed(code);
    moved_on_ = true;
    const double before = std::exchange(t_, reached);
    return accepted(before, next);
  }

 private:
  /// The only history of a one-step method is its step size, which ARKStepReset() keeps.
  void move_coordinates() {
    if (callbacks_.problem.coordinates->rechoose(0.0, sundials::map(y_.get()), change_))
      expect_success(ARKStepReset(memory_.get(), t_, y_.get()), "ARKStepReset");
  }

  /// ARKODE gives up if an explicit stage has non-finite values. Retries a quarter of the step from
  /// the current state, down to the resolution of t.
  Outcome retry() {
    void* arkode = memory_.get();
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
    expect_success(ARKStepSetFixedStep(memory_.get(), lands ? next - t_ : fixed_step_),
                   "ARKStepSetFixedStep");
  }

  void use_newton(bool split) {
    void* arkode = memory_.get();
    make_dense_solver();
    expect_success(ARKStepSetLinearSolver(arkode, linear_solver_.get(), matrix_.get()),
                   "ARKStepSetLinearSolver");
    expect_success(ARKStepSetJacFn(arkode, split ? stiff_jacobian : sundials::dense_jacobian),
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
    void* arkode = memory_.get();
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

  sundials::OdeCallbacks callbacks_;
  MatrixXd change_;  ///< of moving coordinates; unused, because there is no history
  double fixed_step_;
  double end_;
  bool moved_on_ = false;  ///< a step was accepted since the coordinates were chosen
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
