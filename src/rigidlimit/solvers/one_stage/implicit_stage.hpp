// The nonlinear system of one implicit stage, and formulas built from such stages.
#pragma once

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/solvers/one_stage/one_step.hpp"

namespace rigidlimit {

/// A formula whose stages are x = c + g f(τ, x), one after the other.
class ImplicitFormula : public OneStepFormula {
 public:
  using OneStepFormula::OneStepFormula;

  void accepted() override { linearised_ = false; }
  void restart() override { linearised_ = false; }

 protected:
  /// One stage: time τ, scalar g > 0, c (N).
  struct Stage {
    double tau = 0.0, g = 0.0;
    const VectorXd& c;
  };

  /// Newton's iteration from x. It uses ∂f/∂y at the start of the step, and at x once that
  /// contracts badly; each matrix I − g ∂f/∂y is factorised once. With adaptive steps it stops at a
  /// hundredth of the tolerance, with fixed steps at round-off.
  StepFailure solve_stage(const StepTask& task, const Stage& stage, VectorXd& x);

 private:
  bool factorise(double g);
  StepFailure iterate(const StepTask& task, const Stage& stage, VectorXd& x);
  bool linearise_at(double t, const VectorXd& y);

  bool linearised_ = false;  ///< dfdy_ was evaluated in this step
  double factorised_g_ = 0.0;
  MatrixXd dfdy_, matrix_;
  VectorXd f_, correction_;
  LuFactors<double> lu_;
};

}  // namespace rigidlimit
