#include "rigidlimit/solvers/sundials/cvode.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/solvers/root_watch.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/sundials/sundials.hpp"

namespace rigidlimit {
namespace {

using sundials::expect_success;
using sundials::made;

struct CvodeCallbacks {
  const OdeProblem& problem;
  sundials::CallbackBridge bridge;
};

int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& [problem, bridge] = *static_cast<CvodeCallbacks*>(data);
  auto dydt = sundials::map(ydot);
  return bridge.run(t, [&, &f = problem.rhs] {
    f(t, sundials::map(y), dydt);
    return dydt.allFinite();
  });
}

int cvode_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                   N_Vector, N_Vector) {
  auto& [problem, bridge] = *static_cast<CvodeCallbacks*>(data);
  auto dfdy = sundials::map(matrix);
  return bridge.run(t, [&, &J = problem.jacobian] {
    J(t, sundials::map(y), dfdy);
    return dfdy.allFinite();
  });
}

int sparse_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                    N_Vector, N_Vector) {
  auto& [problem, bridge] = *static_cast<CvodeCallbacks*>(data);
  return bridge.run(t, [&, &J = *problem.sparse_jacobian] {
    sundials::write_pattern(J.pattern, matrix);
    auto values = sundials::map_values(matrix);
    J.values(t, sundials::map(y), values);
    return values.allFinite();
  });
}

class CvodeStepper {
 public:
  CvodeStepper(const OdeProblem& problem, int family, double end, const SolveOptions& options)
      : callbacks_{.problem = problem, .bridge = {}},
        watch_(problem.name, problem.roots),
        t_(problem.t0),
        end_(end),
        y_(sundials::vector_of(problem.y0, context_)),
        between_(sundials::vector_of(problem.y0, context_)),
        cvode_(made(CVodeCreate(family, context_))) {
    void* cvode = cvode_.get();
    if (problem.coordinates) change_.resize(problem.y0.size(), problem.y0.size());
    context_.silence_cvode(cvode);
    expect_success(CVodeInit(cvode, rhs, t_, y_.get()), "CVodeInit");
    const auto atol =
        sundials::vector_of(absolute_tolerances(options, problem.y0.size()), context_);
    expect_success(CVodeSVtolerances(cvode, options.rtol, atol.get()), "CVodeSVtolerances");
    expect_success(CVodeSetUserData(cvode, &callbacks_), "CVodeSetUserData");
    if (family == CV_BDF)
      use_newton(problem.y0.size());
    else
      use_functional_iteration();
    tune(end, options);
    if (watch_.active()) watch_.begin(t_, sundials::map(y_.get()));
  }

  double t() const { return t_; }

  void write(double tau, Index column, Solution& solution) {
    N_Vector y = y_.get();
    if (tau != t_) {
      y = between_.get();
      expect_success(CVodeGetDky(cvode_.get(), tau, 0, y), "CVodeGetDky");
    }
    write_output<double>(callbacks_.problem, tau, sundials::map(y), solution.states.col(column));
  }

  Outcome attempt(double, double end) {
    if (std::exchange(restart_due_, false)) restart(0.0);
    if (watch_.active()) begin_ = sundials::map(y_.get());
    if (callbacks_.problem.coordinates) move_coordinates();
    double reached = t_;
    const int code = CVode(cvode_.get(), end, y_.get(), &reached, CV_ONE_STEP);
    callbacks_.bridge.rethrow();
    const bool met_not_finite = callbacks_.bridge.not_finite_after(t_);
    if (code < 0) {
      failed_step_ = callbacks_.bridge.last_t() - t_;
      message_ = fmt::format("CVODE {}: {}", code, context_.last_message());
      return sundials::outcome_of_cvode(code, met_not_finite);
    }
    const double before = std::exchange(t_, reached);
    if (watch_.active() && found_root(before)) return report_root();
    if (short_steps_allowed_ > 0 && short_steps_allowed_-- > 0) return Outcome::success;
    if (!sundials::step_is_below_resolution(before, reached, end)) return Outcome::success;
    message_ = fmt::format("CVODE: step {:.3g} at t = {:.17g} is below the resolution of t",
                           reached - before, before);
    return met_not_finite ? Outcome::not_finite : Outcome::step_underflow;
  }

  /// Work of all integrations, including restarted ones.
  Work work() const {
    Work sum = before_restarts_;
    add(sum, work_since_restart());
    return sum;
  }

  double last_step() const {
    double h = failed_step_;
    if (h == 0.0) CVodeGetLastStep(cvode_.get(), &h);
    return h;
  }

  const std::string& message() const { return message_; }
  /// Located roots, and the state if one of them ended the solve.
  const std::vector<Root>& roots() const { return watch_.roots(); }
  VectorXd state() const { return sundials::map(y_.get()); }

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
      expect_success(CVodeGetDky(cvode_.get(), t, 0, between_.get()), "CVodeGetDky");
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

  /// The restart is deferred to the next attempt, because CVODE's history fills the grid before the
  /// root.
  Outcome report_root() {
    auto y = sundials::map(y_.get());
    if (!watch_.report(t_, y)) {
      message_ = watch_.message();
      return Outcome::stopped_at_root;
    }
    restart_due_ = true;
    short_steps_allowed_ = 10;
    return Outcome::success;
  }

  Work work_since_restart() const {
    Work work;
    void* cvode = cvode_.get();
    long error_test_failures = 0, iteration_failures = 0;
    CVodeGetNumSteps(cvode, &work.steps);
    CVodeGetNumErrTestFails(cvode, &error_test_failures);
    CVodeGetNumStepSolveFails(cvode, &iteration_failures);
    work.rejected_steps = error_test_failures + iteration_failures;
    CVodeGetNumRhsEvals(cvode, &work.rhs_evaluations);
    CVodeGetNumLinSolvSetups(cvode, &work.factorisations);
    CVodeGetNumNonlinSolvIters(cvode, &work.newton_iterations);
    if (linear_solver_) {
      CVodeGetNumJacEvals(cvode, &work.jacobian_evaluations);
      work.linear_solves = work.newton_iterations;
    }
    if (callbacks_.problem.sparse_jacobian && linear_solver_)
      work.factor_nonzeros = sundials::klu_nonzeros(linear_solver_.get());
    return work;
  }

  /// Restarts in new coordinates if those of the last step are badly conditioned.
  void move_coordinates() {
    if (!callbacks_.problem.coordinates->rechoose(largest_condition, sundials::map(y_.get()),
                                                  change_))
      return;
    double h = 0.0;
    expect_success(CVodeGetCurrentStep(cvode_.get(), &h), "CVodeGetCurrentStep");
    restart(h);
  }

  /// At order 1, with the first step h; 0: CVODE chooses it.
  void restart(double h) {
    void* cvode = cvode_.get();
    add(before_restarts_, work_since_restart());
    expect_success(CVodeReInit(cvode, t_, y_.get()), "CVodeReInit");
    expect_success(CVodeSetInitStep(cvode, h), "CVodeSetInitStep");
    // CVODE forgets it once a step has reached it, also if that step had a root.
    expect_success(CVodeSetStopTime(cvode, end_), "CVodeSetStopTime");
  }

  void use_newton(Index n) {
    void* cvode = cvode_.get();
    const SparseJacobian* sparse = callbacks_.problem.sparse_jacobian.get();
    if (sparse != nullptr) {
      matrix_ = sundials::matrix_of(sparse->pattern, context_);
      linear_solver_.reset(made(SUNLinSol_KLU(y_.get(), matrix_.get(), context_)));
    } else {
      matrix_.reset(made(SUNDenseMatrix(n, n, context_)));
      linear_solver_.reset(made(SUNLinSol_Dense(y_.get(), matrix_.get(), context_)));
    }
    expect_success(CVodeSetLinearSolver(cvode, linear_solver_.get(), matrix_.get()),
                   "CVodeSetLinearSolver");
    expect_success(CVodeSetJacFn(cvode, sparse != nullptr ? sparse_jacobian : cvode_jacobian),
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
    void* cvode = cvode_.get();
    const bool adapted = callbacks_.problem.batched != nullptr;
    expect_success(CVodeSetLSetupFrequency(cvode, adapted ? 10 : 3), "CVodeSetLSetupFrequency");
    expect_success(CVodeSetJacEvalFrequency(cvode, adapted ? 10 : 1), "CVodeSetJacEvalFrequency");
  }

  void use_functional_iteration() {
    nonlinear_solver_.reset(made(SUNNonlinSol_FixedPoint(y_.get(), 0, context_)));
    expect_success(CVodeSetNonlinearSolver(cvode_.get(), nonlinear_solver_.get()),
                   "CVodeSetNonlinearSolver");
  }

  void tune(double end, const SolveOptions& options) {
    void* cvode = cvode_.get();
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

  CvodeCallbacks callbacks_;
  RootWatch watch_;
  /// After a root CVODE's first step, 0.1 atol/|f|, may be below the resolution of t where y is 0.
  /// That is not an underflow: the next steps are 10⁴ and 10 times as long.
  int short_steps_allowed_ = 0;
  bool restart_due_ = false;
  VectorXd begin_;  ///< y at the start of the step, for its roots
  Work before_restarts_;
  MatrixXd change_;            ///< of moving coordinates; unused, because the history is discarded
  sundials::Context context_;  // before everything made with it
  double t_;
  double end_;
  sundials::Owned<N_Vector> y_, between_;
  sundials::Owned<SUNMatrix> matrix_;
  sundials::Owned<SUNLinearSolver> linear_solver_;
  sundials::Owned<SUNNonlinearSolver> nonlinear_solver_;
  sundials::OwnedCvode cvode_;  // last: freed first
  double failed_step_ = 0.0;
  std::string message_;
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
