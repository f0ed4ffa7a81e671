#include "rigidlimit/solvers/rosenbrock/rosenbrock_methods.hpp"

#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/solvers/one_stage/one_step.hpp"
#include "rigidlimit/solvers/rosenbrock/phi_functions.hpp"

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
    const Index needed = task.output ? tableau_.stages() : tableau_.step_stages;
    for (Index i = 0; i < needed; ++i)
      if (!stage(task, i)) return StepFailure::not_finite;
    y_new = task.y;
    for (Index i = 0; i < tableau_.step_stages; ++i) y_new += tableau_.m(i) * u_.col(i);
    if (!task.estimate) return StepFailure::none;
    error.setZero(n_);
    for (Index i = 0; i < tableau_.step_stages; ++i) error += tableau_.m_error(i) * u_.col(i);
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
Solution solve_rodas6p(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options) {
  return solve_rosenbrock(problem, times, options, rodas6p_tableau());
}
Solution solve_ros34pw2(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options) {
  return solve_rosenbrock(problem, times, options, ros34pw2_tableau());
}

namespace {

/// g(t₀ + θh) − g₀ ≈ c₂ θ² + c₃ θ³ through the stages, and ∫₀^θ e^((θ−σ)hJ) σ^q dσ =
/// q! θ^(q+1) φ_(q+1)(θhJ).
class ExponentialFormula : public OneStepFormula {
 public:
  explicit ExponentialFormula(const OdeProblem& problem) : OneStepFormula(problem), f0_(n_) {}

  void accepted() override { linearised_ = false; }
  void restart() override { linearised_ = false; }

  void between(double theta, const VectorXd& y0, const VectorXd&, VectorXd& y) override {
    ++work_.factorisations;
    phi_functions(theta * h_ * dfdy_, 4, at_theta_);
    y = y0 + polynomial_step(theta, at_theta_);
  }

 protected:
  /// ∂f/∂y, ∂f/∂t and f at the start; false if they are not finite.
  bool begin(const StepTask& task) {
    h_ = task.h;
    if (!std::exchange(linearised_, true)) {
      linearise(task.t, task.y, dfdy_, dfdt_);
      finite_ = rate(task.t, task.y, f0_) && dfdy_.allFinite() && dfdt_.allFinite();
    }
    ++work_.factorisations;
    return finite_;
  }

  const MatrixXd& jacobian() const { return dfdy_; }

  /// θh φ_1 f₀ + (θh)² φ_2 v, the functions at θhJ.
  VectorXd linear_step(double theta, const PhiFunctions& functions) const {
    const double h = theta * h_;
    return h * (functions(1) * f0_ + functions(2) * (h * dfdt_));
  }

  /// The same plus the contribution of the rest: h (2 θ³ φ_3 c₂ + 6 θ⁴ φ_4 c₃).
  VectorXd polynomial_step(double theta, const PhiFunctions& functions) const {
    VectorXd step = linear_step(theta, functions);
    const double cube = theta * theta * theta;
    step += (2.0 * cube * h_) * (functions(3) * c2_);
    if (c3_.size() == n_) step += (6.0 * cube * theta * h_) * (functions(4) * c3_);
    return step;
  }

  /// g(t₀ + θh, y₀ + dy) − g₀; false if f is not finite there.
  bool rest(const StepTask& task, double theta, const VectorXd& dy, VectorXd& difference) {
    y_stage_ = task.y + dy;
    difference.resize(n_);
    if (!rate(task.t + theta * task.h, y_stage_, difference)) return false;
    difference -= f0_;
    difference -= dfdy_ * dy;
    difference -= (theta * task.h) * dfdt_;
    return true;
  }

  VectorXd c2_, c3_;

 private:
  bool linearised_ = false;  ///< f0_, dfdy_ and dfdt_ are those of the start of the step
  bool finite_ = true;
  double h_ = 0.0;
  MatrixXd dfdy_;
  VectorXd dfdt_, f0_, y_stage_;
  PhiFunctions at_theta_;
};

class Exprb32 final : public ExponentialFormula {
 public:
  using ExponentialFormula::ExponentialFormula;
  const char* name() const override { return "exprb32"; }
  int estimate_order() const override { return 2; }

  StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) override {
    if (!begin(task) || !phi_functions(task.h * jacobian(), 4, whole_))
      return StepFailure::not_finite;
    const VectorXd linear = linear_step(1.0, whole_);
    if (!rest(task, 1.0, linear, c2_)) return StepFailure::not_finite;
    const VectorXd correction = (2.0 * task.h) * (whole_(3) * c2_);
    y_new = task.y + linear + correction;
    if (task.estimate) error = correction;
    return StepFailure::none;
  }

 private:
  PhiFunctions whole_;
};

class Exprb43 final : public ExponentialFormula {
 public:
  using ExponentialFormula::ExponentialFormula;
  const char* name() const override { return "exprb43"; }
  int estimate_order() const override { return 3; }

  StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) override {
    const double h = task.h;
    if (!begin(task) || !phi_functions(0.5 * h * jacobian(), 4, functions_))
      return StepFailure::not_finite;
    if (!rest(task, 0.5, linear_step(0.5, functions_), d2_)) return StepFailure::not_finite;
    double_argument(functions_);
    const VectorXd dy = linear_step(1.0, functions_) + h * (functions_(1) * d2_);
    if (!rest(task, 1.0, dy, d3_)) return StepFailure::not_finite;
    c2_ = 8.0 * d2_ - d3_;
    c3_ = 2.0 * d3_ - 8.0 * d2_;
    y_new = task.y + polynomial_step(1.0, functions_);
    // The embedded method of order 3 omits φ_4.
    if (task.estimate) error = (6.0 * h) * (functions_(4) * c3_);
    return StepFailure::none;
  }

 private:
  PhiFunctions functions_;
  VectorXd d2_, d3_;
};

}  // namespace

Solution solve_exprb32(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options) {
  Exprb32 formula(problem);
  return solve_one_step(problem, times, options, formula);
}

Solution solve_exprb43(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options) {
  Exprb43 formula(problem);
  return solve_one_step(problem, times, options, formula);
}

}  // namespace rigidlimit
