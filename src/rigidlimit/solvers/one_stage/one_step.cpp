#include "rigidlimit/solvers/one_stage/one_step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/solvers/initial_step.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"

namespace rigidlimit {

bool OneStepFormula::rate(double t, VectorIn y, VectorOut f) {
  ++work_.rhs_evaluations;
  problem_.rhs(t, y, f);
  return f.allFinite();
}

void OneStepFormula::linearise(double t, const VectorXd& y, MatrixXd& dfdy, VectorXd& dfdt) {
  ++work_.jacobian_evaluations;
  dfdy.resize(n_, n_);
  dfdt.resize(n_);
  problem_.jacobian(t, y, dfdy);
  if (problem_.time_derivative)
    problem_.time_derivative(t, y, dfdt);
  else
    dfdt.setZero();
}

namespace {

/// The Stepper of step_loop.hpp.
class OneStepStepper {
 public:
  OneStepStepper(const OdeProblem& problem, double end, const SolveOptions& options,
                 OneStepFormula& formula)
      : problem_(problem),
        formula_(formula),
        control_(formula.estimate_order()),
        atol_(absolute_tolerances(options, problem.y0.size())),
        rtol_(options.rtol),
        fixed_(options.fixed_step > 0.0),
        t_(problem.t0),
        t_before_(problem.t0),
        y_(problem.y0),
        y_before_(problem.y0) {
    h_ = fixed_ ? options.fixed_step : options.initial_step;
    if (h_ == 0.0 && end > t_) choose_first_step(end - t_, options);
  }

  double t() const { return t_; }
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }

  Work work() const {
    Work work = formula_.work();
    work.steps = steps_;
    work.rejected_steps = rejected_;
    work.rhs_evaluations += first_evaluations_;
    return work;
  }

  void write(double tau, Index column, Solution& solution) {
    const bool at_step = tau == t_;
    if (!at_step) formula_.between((tau - t_before_) / (t_ - t_before_), y_before_, y_, y_between_);
    write_output<double>(problem_, tau, at_step ? y_ : y_between_, solution.states.col(column));
  }

  Outcome attempt(double next, double end) {
    if (!start_finite_) return give_up(StepFailure::not_finite);
    if (std::exchange(moved_on_, false) && problem_.coordinates) rechoose_coordinates();
    // 1e-9: rounding of t must not leave a step of that size before the end.
    const bool lands = t_ + h_ * (1.0 + 1e-9) >= end;
    const double t_new = lands ? end : t_ + h_;
    const double h = last_step_ = t_new - t_;
    // Four units in the last place of t: below, the stages have the same times.
    if (t_new == t_ || (!lands && h <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)))
      return give_up(last_failure_);
    weight_ = (atol_.array() + rtol_ * y_.array().abs()).inverse();
    const StepTask task{
        .t = t_, .h = h, .y = y_, .weight = weight_, .estimate = !fixed_, .output = t_new > next};
    StepFailure failure = formula_.step(task, y_new_, error_);
    if (failure == StepFailure::none && !y_new_.allFinite()) failure = StepFailure::not_finite;
    const double error = failure == StepFailure::none && !fixed_ ? norm_of_error() : 0.0;
    if (!std::isfinite(error)) failure = StepFailure::not_finite;
    if (failure != StepFailure::none) {
      control_.forget();
      return retry((failure == StepFailure::not_finite ? 0.25 : 0.5) * h, failure);
    }
    if (!(error < 1.0)) return retry(control_.rejected(h, error), StepFailure::none);
    accept(t_new, h, lands, error);
    return Outcome::success;
  }

 private:
  void choose_first_step(double span, const SolveOptions& options) {
    VectorXd f0(y_.size());
    problem_.rhs(t_, y_, f0);
    ++first_evaluations_;
    start_finite_ = f0.allFinite();
    if (!start_finite_) return;
    h_ = initial_step(problem_, f0, formula_.estimate_order(), span, options);
    ++first_evaluations_;  // the one inside initial_step
  }

  void rechoose_coordinates() {
    change_.resize(y_.size(), y_.size());
    if (problem_.coordinates->rechoose(formula_.condition_bound(), y_, change_)) formula_.restart();
  }

  double norm_of_error() const {
    const auto size = y_.cwiseAbs().cwiseMax(y_new_.cwiseAbs());
    const VectorXd scaled = error_.array() / (atol_.array() + rtol_ * size.array());
    return scaled.norm() / std::sqrt(static_cast<double>(scaled.size()));
  }

  void accept(double t_new, double h, bool lands, double error) {
    ++steps_;
    failures_in_a_row_ = 0;
    last_failure_ = StepFailure::none;
    formula_.accepted();
    t_before_ = std::exchange(t_, t_new);
    y_before_.swap(y_);
    y_.swap(y_new_);
    moved_on_ = true;
    if (fixed_) return;
    const double next = control_.accepted(h, error);
    h_ = lands ? std::max(next, h_) : next;
  }

  Outcome retry(double h, StepFailure failure) {
    ++rejected_;
    h_ = h;
    last_failure_ = failure;
    if (fixed_) return give_up(failure);  // the step is fixed
    // 100 failures shrink a step by 10^20 or more; the resolution of t gives no limit if t0 = 0.
    if (++failures_in_a_row_ < 100) return Outcome::success;
    const Outcome outcome = give_up(failure);
    return failure == StepFailure::none ? Outcome::error_test_failure : outcome;
  }

  Outcome give_up(StepFailure failure) {
    const auto say = [&](const char* what) {
      message_ =
          fmt::format("{}: step {:.3g} at t = {:.17g} {}", formula_.name(), last_step_, t_, what);
    };
    switch (failure) {
      case StepFailure::not_finite:
        say("gives values that are not finite");
        return Outcome::not_finite;
      case StepFailure::singular: say("has a singular matrix"); return Outcome::singular_matrix;
      case StepFailure::iteration:
        say("fails in the Newton iteration");
        return Outcome::newton_failure;
      case StepFailure::none: break;
    }
    say("is below the resolution of t");
    return Outcome::step_underflow;
  }

  const OdeProblem& problem_;
  OneStepFormula& formula_;
  StepControl control_;
  VectorXd atol_;
  double rtol_;
  bool fixed_;
  bool start_finite_ = true;
  bool moved_on_ = false;  ///< a step was accepted since the coordinates were chosen
  double t_, t_before_;
  VectorXd y_, y_before_, y_new_, y_between_, error_, weight_;
  MatrixXd change_;  ///< of moving coordinates; unused, because the formula has no history
  double h_ = 0.0, last_step_ = 0.0;
  long steps_ = 0, rejected_ = 0, first_evaluations_ = 0;
  int failures_in_a_row_ = 0;
  StepFailure last_failure_ = StepFailure::none;
  std::string message_;
};

}  // namespace

Solution solve_one_step(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options, OneStepFormula& formula) {
  check_input(problem, times, options, true);
  if (!problem.jacobian)
    throw InputError(fmt::format("{}: {} needs the Jacobian", problem.name, formula.name()));
  if (problem.coordinates) problem.coordinates->reset();
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  OneStepStepper stepper(problem, times.back(), options, formula);
  run_steps(stepper, options, solution);
  return solution;
}

}  // namespace rigidlimit
