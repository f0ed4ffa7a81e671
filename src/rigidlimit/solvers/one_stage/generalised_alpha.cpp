#include "rigidlimit/solvers/one_stage/generalised_alpha.hpp"

#include <utility>

#include "rigidlimit/solvers/one_stage/implicit_stage.hpp"

namespace rigidlimit {
namespace {

class AlphaFormula final : public ImplicitFormula {
 public:
  AlphaFormula(const OdeProblem& problem, const AlphaRule& rule)
      : ImplicitFormula(problem), rule_(rule) {}

  const char* name() const override { return rule_.name; }
  int estimate_order() const override { return rule_.order; }
  double condition_bound() const override { return offset() == 0.0 ? 0.0 : 5.0; }

  void accepted() override {
    ImplicitFormula::accepted();
    std::swap(at_, end_);
  }
  void restart() override {
    ImplicitFormula::restart();
    rate_known_ = false;
  }

  StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) override {
    at_.y = task.y;
    halved_ = task.estimate;
    if (!begin(task)) return StepFailure::not_finite;
    StepFailure failure = one_step(task, task.t, task.h, at_, end_);
    if (failure != StepFailure::none || !task.estimate) {
      y_new = end_.y;
      return failure;
    }
    whole_ = end_.y;
    const double half = 0.5 * task.h;
    failure = one_step(task, task.t, half, at_, middle_);
    a_start_ = a_;
    if (failure == StepFailure::none)
      failure = one_step(task, task.t + half, task.h - half, middle_, end_);
    if (failure != StepFailure::none) return failure;
    y_new = end_.y;
    error = (y_new - whole_) / (rule_.order == 1 ? 1.0 : 3.0);  // 2^p − 1
    error = error.cwiseAbs().cwiseMax(parabola_error(task)).eval();
    return StepFailure::none;
  }

  void between(double theta, const VectorXd& y0, const VectorXd& y1, VectorXd& y) override {
    if (!halved_)
      y = (1.0 - theta) * y0 + theta * y1;
    else
      y = (2.0 * theta - 1.0) * (theta * y1 - (1.0 - theta) * y0) +
          4.0 * theta * (1.0 - theta) * middle_.y;
  }

 private:
  /// Start of a step.
  struct State {
    VectorXd y;
    VectorXd a;      ///< ≈ y' at t + offset · h
    VectorXd slope;  ///< of a over the last step
    double h = 0.0;  ///< size of the last step
  };

  /// Offset in steps from t_n of the time to which a_n belongs.
  double offset() const { return rule_.alpha_f - rule_.alpha_m; }
  bool reads_rate() const { return rule_.gamma != rule_.alpha_m; }

  bool begin(const StepTask& task) {
    if (!reads_rate() || std::exchange(rate_known_, true)) return true;
    at_.a.resize(n_);
    at_.slope.setZero(n_);
    at_.h = 0.0;
    rate_known_ = rate(task.t, task.y, at_.a);
    return rate_known_;
  }

  /// |0.0962/12 h³ y'''|, the largest error of the parabola. It comes from the second difference of
  /// the rates, h²/4 y'''. Without them it comes from the parabola's slope at the last stage, whose
  /// error is h²/12 y''' at the end of the step, against the rate there.
  VectorXd parabola_error(const StepTask& task) const {
    if (reads_rate())
      return (0.0962 / 3.0 * task.h) * (end_.a - 2.0 * middle_.a + a_start_).cwiseAbs();
    const double theta = 0.5 + 0.5 * rule_.alpha_f;  // the last stage
    return 0.0962 * ((4.0 * theta - 3.0) * task.y + (4.0 - 8.0 * theta) * middle_.y +
                     (4.0 * theta - 1.0) * end_.y - task.h * f_of_x_)
                        .cwiseAbs();
  }

  /// From `from` at t by h: the stage is x = c + g f(x) with x = y_n + α_f (y_(n+1) − y_n).
  StepFailure one_step(const StepTask& task, double t, double h, const State& from, State& to) {
    const double share =
        rule_.gamma / rule_.alpha_m;  // of f in (y_(n+1) − y_n)/h; a_n has the rest
    const double g = rule_.alpha_f * share * h;
    c_ = from.y;
    if (reads_rate()) {
      a_ = from.a + (offset() * (h - from.h)) * from.slope;
      c_ += (rule_.alpha_f * (1.0 - share) * h) * a_;
    }
    x_ = from.y;
    const StepFailure failure =
        solve_stage(task, {.tau = t + rule_.alpha_f * h, .g = g, .c = c_}, x_);
    if (failure != StepFailure::none) return failure;
    f_of_x_ = (x_ - c_) / g;  // f(x) itself would multiply the round-off of x by the stiffness
    to.y = from.y + (share * h) * f_of_x_;
    if (!reads_rate()) return failure;
    to.y += ((1.0 - share) * h) * a_;
    to.a = a_ + (f_of_x_ - a_) / rule_.alpha_m;
    to.slope = (to.a - a_) / h;
    to.h = h;
    return failure;
  }

  AlphaRule rule_;
  bool rate_known_ = false;
  bool halved_ = false;  ///< the last step is two halves, middle_ between them
  State at_, middle_, end_;
  VectorXd whole_, a_, a_start_, c_, x_, f_of_x_;
};

}  // namespace

Solution solve_alpha_rule(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options, const AlphaRule& rule) {
  AlphaFormula formula(problem, rule);
  return solve_one_step(problem, times, options, formula);
}

Solution solve_generalised_alpha(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options) {
  return solve_alpha_rule(problem, times, options,
                          generalised_alpha_rule("generalised_alpha", 0.5));
}
Solution solve_generalised_alpha_dissipative(const OdeProblem& problem,
                                             const std::vector<double>& times,
                                             const SolveOptions& options) {
  return solve_alpha_rule(problem, times, options,
                          generalised_alpha_rule("generalised_alpha_dissipative", 0.0));
}
Solution solve_implicit_midpoint(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options) {
  return solve_alpha_rule(problem, times, options, implicit_midpoint_rule);
}
Solution solve_trapezoidal_rule(const OdeProblem& problem, const std::vector<double>& times,
                                const SolveOptions& options) {
  return solve_alpha_rule(problem, times, options, trapezoidal_rule);
}
Solution solve_implicit_euler(const OdeProblem& problem, const std::vector<double>& times,
                              const SolveOptions& options) {
  return solve_alpha_rule(problem, times, options, implicit_euler_rule);
}

}  // namespace rigidlimit
