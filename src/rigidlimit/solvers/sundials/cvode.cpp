#include "rigidlimit/solvers/sundials/cvode.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/root_watch.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/sundials/integrator.hpp"

namespace rigidlimit {
namespace {

using sundials::expect_success;
using sundials::made;

constexpr sundials::Library cvode_library{
    .name = "CVODE",
    .free = CVodeFree,
    .not_finite = {CV_FIRST_RHSFUNC_ERR, CV_REPTD_RHSFUNC_ERR, CV_UNREC_RHSFUNC_ERR},
    .last_step = CVodeGetLastStep,
    .steps = CVodeGetNumSteps,
    .rejected_steps = sundials::sum_of<CVodeGetNumErrTestFails, CVodeGetNumStepSolveFails>,
    .evaluations = CVodeGetNumRhsEvals,
    .factorisations = CVodeGetNumLinSolvSetups,
    .iterations = CVodeGetNumNonlinSolvIters,
    .jacobians = CVodeGetNumJacEvals};

int sparse_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                    N_Vector, N_Vector) {
  auto& [problem, bridge] = *static_cast<sundials::OdeCallbacks*>(data);
  const auto values = sundials::map_values(matrix);
  return bridge.fill(t, values, [&, &J = *problem.sparse_jacobian](auto& out) {
    sundials::write_pattern(J.pattern, matrix);
    J.values(t, sundials::map(y), out);
  });
}

class CvodeStepper : public sundials::Integrator {
 public:
  CvodeStepper(const OdeProblem& problem, int family, double end, const SolveOptions& options)
      : Integrator(cvode_library, problem.t0, problem.y0),
        callbacks_{.problem = problem, .bridge = bridge_},
        watch_(problem.name, problem.roots),
        end_(end),
        between_(sundials::vector_of(problem.y0, context_)) {
    void* cvode = made(CVodeCreate(family, context_));
    memory_.reset(cvode);
    if (problem.coordinates) change_.resize(problem.y0.size(), problem.y0.size());
    context_.silence_cvode(cvode);
    expect_success(CVodeInit(cvode, sundials::rhs, t_, y_.get()), "CVodeInit");
    const auto atol =
        sundials::vector_of(absolute_tolerances(options, problem.y0.size()), context_);
    expect_success(CVodeSVtolerances(cvode, options.rtol, atol.get()), "CVodeSVtolerances");
    expect_success(CVodeSetUserData(cvode, &callbacks_), "CVodeSetUserData");
    if (family == CV_BDF)
      use_newton();
    else
      use_functional_iteration();
    tune(end, options);
    if (watch_.active()) watch_.begin(t_, sundials::map(y_.get()));
  }

  void write(double tau, Index column, Solution& solution) {
    N_Vector y = y_.get();
    if (tau != t_) {
      y = between_.get();
      expect_success(CVodeGetDky(memory_.get(), tau, 0, y), "CVodeGetDky");
    }
    write_output<double>(callbacks_.problem, tau, sundials::map(y), solution.states.col(column));
  }

  Outcome attempt(double, double end) {
    if (std::exchange(restart_due_, false)) restart(0.0);
    if (watch_.active()) begin_ = sundials::map(y_.get());
    if (callbacks_.problem.coordinates) move_coordinates();
    double reached = t_;
    const int code = CVode(memory_.get(), end, y_.get(), &reached, CV_ONE_STEP);
    bridge_.rethrow();
    if (code < 0) return failed(code);
    const double before = std::exchange(t_, reached);
    if (watch_.active() && found_root(before)) return report_root();
    return accepted(before, end);
  }

  /// Located roots.
  const std::vector<Root>& roots() const { return watch_.roots(); }

 private:
  /// Whether the step from `before` to t_ has a root: t_ and y_ are then those of the first one.
  /// CVODE's own search compares the ends of a step, and misses a function that returns.
  bool found_root(double before) {
    // The first steps after a restart may be below the resolution of t, where the polynomial of the
    // step is rounding.
    if (t_ - before <= 64.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)) return false;
    const VectorXd end = sundials::map(y_.get());
    const double h = t_ - before;
    const auto polynomial = [&](double t) -> VectorXd {
      expect_success(CVodeGetDky(memory_.get(), t, 0, between_.get()), "CVodeGetDky");
      return sundials::map(between_.get());
    };
    // The polynomial misses the start of the step by its error, which would give a function that is
    // zero there a wrong sign. `tau` counts as rounded by t.
    const VectorXd missed = begin_ - polynomial(before);
    const auto at = [&](double tau, VectorOut y) {
      const double t = before + tau;
      y = polynomial(t) + (1.0 - (t - before) / h) * missed;
    };
    const auto tau = watch_.first_root(
        {.t0 = before,
         .h = h,
         .end = end,
         .look = at,
         .step_to = at,
         .slope = [&](double t, VectorIn y, VectorOut f) { callbacks_.problem.rhs(t, y, f); }},
        sundials::map(y_.get()));
    if (tau)
      t_ = before + *tau;
    else
      sundials::map(y_.get()) = end;
    return tau.has_value();
  }

  Outcome report_root() {
    auto y = sundials::map(y_.get());
    if (!watch_.report(t_, y)) {
      message_ = watch_.message();
      return Outcome::stopped_at_root;
    }
    return restart_after_root();
  }

  /// Restarts in new coordinates if those of the last step are badly conditioned.
  void move_coordinates() {
    if (!callbacks_.problem.coordinates->rechoose(largest_condition, sundials::map(y_.get()),
                                                  change_))
      return;
    double h = 0.0;
    expect_success(CVodeGetCurrentStep(memory_.get(), &h), "CVodeGetCurrentStep");
    restart(h);
  }

  /// At order 1, with the first step h; 0: CVODE chooses it.
  void restart(double h) {
    void* cvode = memory_.get();
    keep_work();
    expect_success(CVodeReInit(cvode, t_, y_.get()), "CVodeReInit");
    expect_success(CVodeSetInitStep(cvode, h), "CVodeSetInitStep");
    // CVODE forgets it once a step has reached it, also if that step had a root.
    expect_success(CVodeSetStopTime(cvode, end_), "CVodeSetStopTime");
  }

  void use_newton() {
    void* cvode = memory_.get();
    const SparseJacobian* sparse = callbacks_.problem.sparse_jacobian.get();
    if (sparse != nullptr) {
      matrix_ = sundials::matrix_of(sparse->pattern, context_);
      linear_solver_.reset(made(SUNLinSol_KLU(y_.get(), matrix_.get(), context_)));
    } else {
      make_dense_solver();
    }
    expect_success(CVodeSetLinearSolver(cvode, linear_solver_.get(), matrix_.get()),
                   "CVodeSetLinearSolver");
    expect_success(
        CVodeSetJacFn(cvode, sparse != nullptr ? sparse_jacobian : sundials::dense_jacobian),
        "CVodeSetJacFn");
    choose_frequencies();
  }

  /// Maximum age in steps of a matrix and of a Jacobian, by default 20 and 51.
  ///
  /// In (q, v, η) a contact's stiff Jacobian entries turn with the configuration: a stale Jacobian
  /// makes Newton stop early at a wrong point, and this noise in the stiff modes fails later error
  /// tests. With the defaults the knife edge, rtol 1e-6 … 1e-12, takes 50 511 steps in six solves
  /// at ε = 1e-4 and 7 299 at 1e-3; with 3 and 1 it takes 9 785 and 4 318. Every step (1) is no
  /// steadier and evaluates twice as many Jacobians. A smaller NonlinConvCoef (0.01) helps at 1e-4
  /// but meets round-off at 1e-5.
  ///
  /// In adapted variables, with OdeProblem::batched, they change slowly, and a Jacobian at every
  /// set-up is wasteful. For seven systems at ε = 1e-2 … 1e-6, rtol 1e-6 … 1e-12, 10 and 10
  /// need 1.05 times the steps of 3 and 1, a quarter of the Jacobians, and 0.83 of the time if
  /// these are one tape, 0.54 if not. The defaults need 0.90 and 0.50 of it, and up to 2.4 times
  /// the steps when the disc tilts.
  void choose_frequencies() {
    void* cvode = memory_.get();
    const bool adapted = callbacks_.problem.batched != nullptr;
    expect_success(CVodeSetLSetupFrequency(cvode, adapted ? 10 : 3), "CVodeSetLSetupFrequency");
    expect_success(CVodeSetJacEvalFrequency(cvode, adapted ? 10 : 1), "CVodeSetJacEvalFrequency");
  }

  void use_functional_iteration() {
    nonlinear_solver_.reset(made(SUNNonlinSol_FixedPoint(y_.get(), 0, context_)));
    expect_success(CVodeSetNonlinearSolver(memory_.get(), nonlinear_solver_.get()),
                   "CVodeSetNonlinearSolver");
  }

  void tune(double end, const SolveOptions& options) {
    void* cvode = memory_.get();
    expect_success(CVodeSetStopTime(cvode, end), "CVodeSetStopTime");
    expect_success(CVodeSetInitStep(cvode, options.initial_step), "CVodeSetInitStep");
    if (options.max_step > 0.0)
      expect_success(CVodeSetMaxStep(cvode, options.max_step), "CVodeSetMaxStep");
    expect_success(CVodeSetMaxHnilWarns(cvode, -1), "CVodeSetMaxHnilWarns");
    // With the default of 7 a solve failed at h = 5e-7, far above round-off (knife edge, ε = 1e-5,
    // rtol 1e-6, LSetupFrequency 5). After the third failure h shrinks tenfold each: no hang.
    expect_success(CVodeSetMaxErrTestFails(cvode, 20), "CVodeSetMaxErrTestFails");
  }

  // A blade that turns by 4 rad (tests/support/turning_chart.hpp), rtol 1e-8: with bounds 2, 5, 10
  // and 30 it takes 270, 184, 160 and 163 steps, 6, 3, 2 and 2 restarts in them, to errors of 1.4,
  // 0.44, 0.90 and 2.2e-6; and alike at rtol 1e-6 and 1e-12.
  static constexpr double largest_condition = 5.0;

  sundials::OdeCallbacks callbacks_;
  RootWatch watch_;
  VectorXd begin_;   ///< y at the start of the step, for its roots
  MatrixXd change_;  ///< of moving coordinates; unused, because the history is discarded
  double end_;
  sundials::Owned<N_Vector> between_;
  sundials::Owned<SUNNonlinearSolver> nonlinear_solver_;
};

Solution solve_with_cvode(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options, int family) {
  check_input(problem, times, options, false, true);
  if (problem.sparse_jacobian)
    check_sparse_jacobian(problem.name, problem.y0.size(), *problem.sparse_jacobian);
  if (family == CV_BDF && !problem.jacobian && !problem.sparse_jacobian)
    throw InputError(fmt::format("{}: cvode_bdf needs the Jacobian", problem.name));
  if (problem.coordinates) problem.coordinates->reset();
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  CvodeStepper stepper(problem, family, times.back(), options);
  run_steps(stepper, options, solution);
  solution.roots = stepper.roots();
  if (solution.outcome == Outcome::stopped_at_root) solution.stopped_at = stepper.state();
  return solution;
}

}  // namespace

Solution solve_cvode_bdf(const OdeProblem& problem, const std::vector<double>& times,
                         const SolveOptions& options) {
  return solve_with_cvode(problem, times, options, CV_BDF);
}

Solution solve_cvode_adams(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options) {
  return solve_with_cvode(problem, times, options, CV_ADAMS);
}

}  // namespace rigidlimit
