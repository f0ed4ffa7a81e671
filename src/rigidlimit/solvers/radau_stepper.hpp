// One attempt after another of a Radau IIA solve: what run_steps() drives.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/solvers/radau_control.hpp"
#include "rigidlimit/solvers/radau_iia.hpp"
#include "rigidlimit/solvers/radau_jacobian.hpp"
#include "rigidlimit/solvers/radau_stages.hpp"
#include "rigidlimit/solvers/root_watch.hpp"

namespace rigidlimit {

template <class T>
class RadauStepper {
 public:
  using VectorT = Vector<T, Eigen::Dynamic>;

  /// `mass` and `index` as in MassProblemOf, nullptr for y' = f. `between`: output between steps is
  /// wanted, so that the error test covers the interpolant.
  RadauStepper(const OdeProblemOf<T>& problem, const MatrixXd* mass, const std::vector<int>* index,
               double end, bool between, const SolveOptions& options, const RadauOptions& radau);

  double t() const { return t_; }
  void write(double tau, Index column, SolutionOf<T>& solution);
  Outcome attempt(double next, double end);
  Work work() const;
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }

  /// What is known of the roots, and the state if one of them ended the solve.
  const std::vector<Root>& roots() const { return watch_.roots(); }
  VectorXd state() const { return y_.template cast<double>(); }

 private:
  using End = RadauIteration::End;
  enum class Failure { error_test, iteration, round_off, not_finite, singular };

  void choose_stages(int stages);
  void start(double end);
  double linear_first_step(const VectorXd& f0) const;
  void rechoose_coordinates();
  Outcome prepare();
  bool factorise(double h);
  void predict();
  double estimated_error();
  double interpolant_error();
  double norm(const VectorXd& x) const;
  void accept(double t_new, double error, const RadauIteration& iteration);
  std::optional<double> root();
  void shorten(double tau);
  void rate_at_end(double t, VectorIn y, VectorOut f);
  Outcome land_on_root(double tau);
  Outcome iteration_failed(const RadauIteration& iteration);
  Outcome error_test_failed(double error, const RadauIteration& iteration);
  Outcome retry(double h, Failure failure);
  Outcome give_up(Failure failure);
  void set_weights(double h);
  void tighten_iteration() { iteration_share_ = std::max(1e-3, 0.1 * iteration_share_); }

  const OdeProblemOf<T>& problem_;
  const std::vector<int>* index_;
  const MatrixXd* mass_;
  SolveOptions options_;
  VectorXd atol_;  ///< N
  bool fixed_, between_;
  Index n_;

  RadauOrderControl order_;
  RadauStepControl control_;
  RadauJacobian<T> jacobian_;
  RadauNewtonMatrix matrix_;
  RadauStages<T> stages_;
  RadauCollocation<T> step_, previous_;  ///< the one attempted, and the one accepted last
  bool previous_known_ = false;

  double t_;
  VectorT y_, f_, y_moved_, f_moved_, slope_, room_, basis_;
  VectorT turning_;       ///< what the slope of previous_ lacks since coordinates were chosen anew
  bool f_known_ = false;  ///< f_ = f(t_, y_)
  VectorXd weight_, filtered_;
  RadauNewtonGoal goal_;
  double h_ = 0.0, last_step_ = 0.0;
  double factorised_h_ = 0.0;  ///< 0: no factors, or of another Jacobian
  double contraction_ = 1.0;   ///< of the last step; 1: unknown
  /// κ's factor. What an iteration leaves in stiff modes that turn with the configuration fails the
  /// next error test: a test that fails tightens it (knife edge in (q, v, η), ε = 1e-4, rtol 1e-6:
  /// 91 instead of 680 steps).
  double iteration_share_ = 1.0;
  bool repeated_ = false;  ///< the attempt before this one failed
  bool coordinates_due_ = false;
  RootWatch watch_;  ///< in double only
  VectorT at_root_;
  int failures_in_a_row_ = 0;
  Failure last_failure_ = Failure::error_test;
  Work work_;
  std::string message_;
};

}  // namespace rigidlimit
