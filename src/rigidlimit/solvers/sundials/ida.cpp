#include "rigidlimit/solvers/sundials/ida.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/sundials/integrator.hpp"
#include "rigidlimit/solvers/sundials/sundials_roots.hpp"

namespace rigidlimit {
namespace {

using sundials::expect_success;
using sundials::made;

constexpr sundials::Library ida_library{
    .name = "IDA",
    .free = IDAFree,
    .not_finite = {IDA_REP_RES_ERR, IDA_FIRST_RES_FAIL},
    .last_step = IDAGetLastStep,
    .steps = IDAGetNumSteps,
    .rejected_steps = sundials::sum_of<IDAGetNumErrTestFails, IDAGetNumStepSolveFails>,
    .evaluations = IDAGetNumResEvals,
    .factorisations = IDAGetNumLinSolvSetups,
    .iterations = IDAGetNumNonlinSolvIters,
    .jacobians = IDAGetNumJacEvals};

struct IdaCallbacks {
  const DaeProblem& problem;
  sundials::CallbackBridge& bridge;
  sundials::LibraryRoots roots;
  void* ida = nullptr;
  double rtol = 0.0;
  VectorXd atol{};
};

int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  auto& callbacks = *static_cast<IdaCallbacks*>(data);
  return callbacks.bridge.fill(t, sundials::map(r), [&](auto& out) {
    callbacks.problem.residual(t, sundials::map(y), sundials::map(yp), out);
  });
}

int ida_jacobian(sunrealtype t, sunrealtype alpha, N_Vector y, N_Vector yp, N_Vector,
                 SUNMatrix matrix, void* data, N_Vector, N_Vector, N_Vector) {
  auto& callbacks = *static_cast<IdaCallbacks*>(data);
  return callbacks.bridge.fill(t, sundials::map(matrix), [&](auto& out) {
    callbacks.problem.jacobian(t, sundials::map(y), sundials::map(yp), alpha, out);
  });
}

int root_values(sunrealtype t, N_Vector y, N_Vector, sunrealtype* out, void* data) {
  auto& callbacks = *static_cast<IdaCallbacks*>(data);
  return callbacks.bridge.run(t, [&] { return callbacks.roots.write(t, sundials::map(y), out); });
}

/// 1/(rtol |y_i| + atol). For algebraic variables of index 2 the round-off u |y|/h is added, with
/// which a step of size h determines them. A Newton iteration with a smaller bound would fail, IDA
/// would shorten the step, and the round-off would grow. The error test ignores these variables
/// anyway.
int error_weights(N_Vector y, N_Vector weights, void* data) {
  const auto& callbacks = *static_cast<IdaCallbacks*>(data);
  const auto state = sundials::map(y);
  auto weight = sundials::map(weights);
  double h = 0.0;
  IDAGetCurrentStep(callbacks.ida, &h);
  // IDA begins with steps of (rtol |y| + atol)/|y'|, and requests weights before it has chosen the
  // first step.
  if (h == 0.0) h = 0.1 * std::min(callbacks.rtol, callbacks.atol.minCoeff());
  constexpr double roundings = 32.0 * std::numeric_limits<double>::epsilon();
  const double noise = roundings * state.cwiseAbs().maxCoeff() / std::abs(h);
  for (Index i = 0; i < state.size(); ++i) {
    const bool algebraic = !callbacks.problem.differential[static_cast<std::size_t>(i)];
    weight(i) =
        1.0 / (callbacks.rtol * std::abs(state(i)) + callbacks.atol(i) + (algebraic ? noise : 0.0));
  }
  return 0;
}

class IdaStepper : public sundials::Integrator {
 public:
  IdaStepper(const DaeProblem& problem, double end, const SolveOptions& options)
      : Integrator(ida_library, problem.t0, problem.y0),
        callbacks_{.problem = problem,
                   .bridge = bridge_,
                   .roots = {problem.name, problem.roots},
                   .rtol = options.rtol,
                   .atol = absolute_tolerances(options, problem.y0.size())},
        yp_(sundials::vector_of(problem.yp0, context_)),
        between_(sundials::vector_of(problem.y0, context_)),
        ids_(sundials::vector_of(problem.y0, context_)) {
    void* ida = made(IDACreate(context_));
    memory_.reset(ida);
    make_dense_solver();
    context_.silence_ida(ida);
    expect_success(IDAInit(ida, residual, t_, y_.get(), yp_.get()), "IDAInit");
    callbacks_.ida = ida;
    if (problem.algebraic_variables_untested)
      expect_success(IDAWFtolerances(ida, error_weights), "IDAWFtolerances");
    else
      expect_success(
          IDASVtolerances(ida, options.rtol, sundials::vector_of(callbacks_.atol, context_).get()),
          "IDASVtolerances");
    expect_success(IDASetUserData(ida, &callbacks_), "IDASetUserData");
    expect_success(IDASetLinearSolver(ida, linear_solver_.get(), matrix_.get()),
                   "IDASetLinearSolver");
    expect_success(IDASetJacFn(ida, ida_jacobian), "IDASetJacFn");
    tune(problem, end, options);
    if (callbacks_.roots.active()) watch_roots();
  }

  void write(double tau, Index column, Solution& solution) {
    if (tau == t_) {
      solution.states.col(column) = sundials::map(y_.get());
      solution.rates.col(column) = sundials::map(yp_.get());
      return;
    }
    expect_success(IDAGetDky(memory_.get(), tau, 0, between_.get()), "IDAGetDky");
    solution.states.col(column) = sundials::map(between_.get());
    expect_success(IDAGetDky(memory_.get(), tau, 1, between_.get()), "IDAGetDky");
    solution.rates.col(column) = sundials::map(between_.get());
  }

  Outcome attempt(double, double end) {
    if (std::exchange(restart_due_, false)) restart();
    double reached = t_;
    const int code = IDASolve(memory_.get(), end, &reached, y_.get(), yp_.get(), IDA_ONE_STEP);
    bridge_.rethrow();
    if (code < 0) return failed(code);
    const double before = std::exchange(t_, reached);
    if (code == IDA_ROOT_RETURN) return report_root();
    return accepted(before, end);
  }

  /// Located roots.
  const std::vector<Root>& roots() const { return callbacks_.roots.roots(); }

 private:
  void watch_roots() {
    void* ida = memory_.get();
    sundials::LibraryRoots& roots = callbacks_.roots;
    roots.begin(t_, sundials::map(y_.get()));
    expect_success(IDARootInit(ida, roots.count(), root_values), "IDARootInit");
    expect_success(IDASetRootDirection(ida, roots.directions().data()), "IDASetRootDirection");
    expect_success(IDASetNoInactiveRootWarn(ida), "IDASetNoInactiveRootWarn");
  }

  Outcome report_root() {
    sundials::LibraryRoots& roots = callbacks_.roots;
    std::vector<int> crossed(static_cast<std::size_t>(roots.count()));
    expect_success(IDAGetRootInfo(memory_.get(), crossed.data()), "IDAGetRootInfo");
    auto y = sundials::map(y_.get());
    const VectorXd before = y;
    if (!roots.report(t_, crossed, y)) {
      message_ = roots.message();
      return Outcome::stopped_at_root;
    }
    const DaeProblem& problem = callbacks_.problem;
    if (problem.consistent)
      problem.consistent(t_, y, sundials::map(yp_.get()));
    else if (y != before)
      throw InputError(
          fmt::format("{}: the state is changed at a root, t = {:.17g}, but there is no function "
                      "that makes it consistent",
                      problem.name, t_));
    return restart_after_root();
  }

  /// Restarts at order 1 from (y, y') at t.
  void restart() {
    void* ida = memory_.get();
    keep_work();
    expect_success(IDAReInit(ida, t_, y_.get(), yp_.get()), "IDAReInit");
    expect_success(IDASetInitStep(ida, 0.0), "IDASetInitStep");
  }

  void tune(const DaeProblem& problem, double end, const SolveOptions& options) {
    void* ida = memory_.get();
    auto ids = sundials::map(ids_.get());
    for (Index i = 0; i < ids.size(); ++i)
      ids(i) = problem.differential[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
    expect_success(IDASetId(ida, ids_.get()), "IDASetId");
    expect_success(
        IDASetSuppressAlg(ida, problem.algebraic_variables_untested ? SUNTRUE : SUNFALSE),
        "IDASetSuppressAlg");
    expect_success(IDASetStopTime(ida, end), "IDASetStopTime");
    expect_success(IDASetInitStep(ida, options.initial_step), "IDASetInitStep");
    if (options.max_step > 0.0)
      expect_success(IDASetMaxStep(ida, options.max_step), "IDASetMaxStep");
    // 0: a new iteration matrix whenever the step or the order changes its α. On index 2 a matrix
    // with another α converges only linearly, and the convergence test stops Newton with a visible
    // error. For the knife edge at rtol 1e-5 … 3e-14 this halves the errors of q and v and saves a
    // quarter of the residuals, for twice the factorisations. Neither a scaled constraint row nor a
    // tighter NonlinConvCoef helps; 0.01 fails at rtol 1e-13, where it reaches Λ's round-off, ~
    // u/h.
    expect_success(IDASetDeltaCjLSetup(ida, 0.0), "IDASetDeltaCjLSetup");
  }

  IdaCallbacks callbacks_;
  sundials::Owned<N_Vector> yp_, between_, ids_;
};

}  // namespace

Solution solve_ida(const DaeProblem& problem, const std::vector<double>& times,
                   const SolveOptions& options) {
  Work start;
  check_input(problem, times, options, start);
  Solution solution = unsolved(problem.t0, problem.y0.size(), times, true);
  IdaStepper stepper(problem, times.back(), options);
  run_steps(stepper, options, solution);
  solution.roots = stepper.roots();
  if (solution.outcome == Outcome::stopped_at_root) solution.stopped_at = stepper.state();
  solution.work.rhs_evaluations += start.rhs_evaluations;
  solution.work.jacobian_evaluations += start.jacobian_evaluations;
  return solution;
}

}  // namespace rigidlimit
