#include "rigidlimit/solvers/rosenbrock/rosenbrock_wanner.hpp"

#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/solvers/one_stage/one_step.hpp"

namespace rigidlimit {
namespace {

class RosenbrockFormula final : public OneStepFormula {
 public:
  RosenbrockFormula(const OdeProblem& problem, const RosenbrockTableau& tableau)
      : OneStepFormula(problem),
        tableau_(tableau),
        f0_(n_),
        f_(n_),
        y_stage_(n_),
        solved_(n_),
        u_(n_, tableau.stages()) {}

  const char* name() const override { return tableau_.name; }
  int estimate_order() const override { return tableau_.embedded_order; }
  void accepted() override { linearised_ = false; }
  void restart() override { linearised_ = false; }

  StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) override {
    if (!std::exchange(linearised_, true)) {
      linearise(task.t, task.y, dfdy_, dfdt_);
      finite_ = rate(task.t, task.y, f0_) && dfdy_.allFinite() && dfdt_.allFinite();
    }
    if (!finite_) return StepFailure::not_finite;
    matrix_ = -dfdy_;
    matrix_.diagonal().array() += 1.0 / (task.h * tableau_.gamma);
    ++work_.factorisations;
    lu_.compute(matrix_);
    if (!lu_.regular()) return StepFailure::singular;
    for (Index i = 0; i < tableau_.stages(); ++i)
      if (!stage(task, i)) return StepFailure::not_finite;
    y_new = task.y;
    for (Index i = 0; i < tableau_.stages(); ++i) y_new += tableau_.m(i) * u_.col(i);
    if (!task.estimate) return StepFailure::none;
    error.setZero(n_);
    for (Index i = 0; i < tableau_.stages(); ++i) error += tableau_.m_error(i) * u_.col(i);
    return StepFailure::none;
  }

  void between(double theta, const VectorXd& y0, const VectorXd&, VectorXd& y) override {
    y = y0;
    for (Index i = 0; i < tableau_.stages(); ++i) {
      double weight = 0.0;
      for (Index p = tableau_.between.rows() - 1; p >= 0; --p)
        weight = theta * weight + tableau_.between(p, i);
      y += theta * (tableau_.m(i) + (1.0 - theta) * weight) * u_.col(i);
    }
  }

 private:
  /// u_i; false if f is not finite.
  bool stage(const StepTask& task, Index i) {
    if (i > 0) {
      y_stage_ = task.y;
      for (Index j = 0; j < i; ++j)
        if (tableau_.a(i, j) != 0.0) y_stage_ += tableau_.a(i, j) * u_.col(j);
      if (!rate(task.t + tableau_.alpha_sum(i) * task.h, y_stage_, f_)) return false;
    } else {
      f_ = f0_;
    }
    for (Index j = 0; j < i; ++j) f_ += (tableau_.c(i, j) / task.h) * u_.col(j);
    f_ += (tableau_.gamma_sum(i) * task.h) * dfdt_;
    ++work_.linear_solves;
    lu_.solve(f_, solved_);
    u_.col(i) = solved_;
    return true;
  }

  const RosenbrockTableau& tableau_;
  bool linearised_ = false;  ///< f0_, dfdy_ and dfdt_ are those of the start of the step
  bool finite_ = true;
  MatrixXd dfdy_, matrix_;
  VectorXd dfdt_, f0_, f_, y_stage_, solved_;
  MatrixXd u_;  ///< N × s
  LuFactors<double> lu_;
};

}  // namespace

Solution solve_rosenbrock(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options, const RosenbrockTableau& tableau) {
  RosenbrockFormula formula(problem, tableau);
  return solve_one_step(problem, times, options, formula);
}

Solution solve_rodas4(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
  return solve_rosenbrock(problem, times, options, rodas4_tableau());
}
Solution solve_rodasp(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
  return solve_rosenbrock(problem, times, options, rodasp_tableau());
}
Solution solve_rodas5p(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options) {
  return solve_rosenbrock(problem, times, options, rodas5p_tableau());
}
Solution solve_ros34pw2(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options) {
  return solve_rosenbrock(problem, times, options, ros34pw2_tableau());
}

}  // namespace rigidlimit
