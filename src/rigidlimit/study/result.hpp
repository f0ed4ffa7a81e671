// What running a study gives: every number beside its error bars.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/study/curves.hpp"
#include "rigidlimit/study/solve_counts.hpp"
#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// One number of the table: the distance of the compliant from the rigid motion at one ε, in one
/// quantity, norm and window, with the two errors that it must exceed to be evidence.
struct Row {
  std::string law;
  std::string rigid_solver;
  std::string compliant_solver;
  double epsilon = 0.0;
  Quantity quantity = Quantity::q;
  Norm norm = Norm::sup;
  Window window = Window::all;
  double model_error = 0.0;      ///< ‖compliant − rigid‖; NaN if either failed
  double solver_error = 0.0;     ///< ‖compliant − compliant at tolerances × θ‖/(1 − θ)
  double reference_error = 0.0;  ///< ‖rigid − independent reference‖
  double sampling_error = 0.0;   ///< what the choice of samples can change in model_error
  double order = 0.0;            ///< from the row of the next larger ε; NaN for the first
  /// K of the predicted leading term K ε^p (Series::predicted_order), in the norm and window and on
  /// the samples of this row; NaN where nothing is predicted.
  double predicted_coefficient = std::nan("");
  double ratio = std::nan("");              ///< model_error / (K ε^p)
  double ratio_error = std::nan("");        ///< error_bar() / (K ε^p), and K's own error
  Verdict verdict = Verdict::inconclusive;  ///< of the whole series the row belongs to
  /// "ok", "solver_limited", "reference_limited", "sampling_limited" or "failed: <outcome>".
  std::string status;
  Work work;  ///< of the compliant solve

  /// The larger of solver and reference error; NaN (unknown) if either is.
  double error_bar() const { return larger_known(solver_error, reference_error); }

  /// What model_error must exceed tenfold: the larger of error_bar() and sampling_error.
  double floor() const { return larger_known(error_bar(), sampling_error); }

 private:
  static double larger_known(double a, double b) {
    return std::isnan(a + b) ? std::nan("") : std::fmax(a, b);
  }
};

/// The rows of one (law, rigid solver, compliant solver, quantity, norm, window), largest ε first.
struct Series {
  std::vector<Row> rows;
  Judgement judgement;
  double predicted_order = std::nan("");  ///< p of the predicted leading term K ε^p
  RatioJudgement ratio;                   ///< where a ratio is expected
  std::optional<ExpectationSpec> expectation;

  /// Whether an order, or none, was expected and is not confirmed.
  bool order_broken() const {
    return expectation && expectation->judges_errors() && judgement.verdict != Verdict::confirmed;
  }
  /// Whether a ratio was expected and is not confirmed.
  bool ratio_broken() const {
    return expectation && expectation->ratio && ratio.verdict != Verdict::confirmed;
  }
  /// Whether every expectation was confirmed; true where there is none.
  bool held() const { return !order_broken() && !ratio_broken(); }
};

/// What became of one bound of the study for one pair of solvers.
struct BoundReport {
  BoundSpec spec;
  std::string rigid_solver;
  std::string compliant_solver;
  std::vector<double> epsilons;  ///< of the rows, largest first
  BoundJudgement judgement;

  bool held() const { return judgement.held(); }
};

/// How a rigid motion was computed and how far it can be trusted.
struct RigidReport {
  std::string solver;
  std::string reference;          ///< what it is compared with
  bool multiplier_tested = true;  ///< false: Λ took no part in the solver's local error test
  Outcome outcome = Outcome::not_run;
  std::string message;
  std::array<double, 3> error{};  ///< sup distance from the reference in q, v, Λ over [0, T]
  double drift = 0.0;             ///< max ‖G v‖∞, m/s
  double invariant_drift = 0.0;   ///< max |e(q)|: 0 where the system has no invariants
  double energy_work = 0.0;       ///< work of the forces without potential up to T, J
  double energy_error = 0.0;      ///< max |E(t) − E(0) − work|, J
  double energy_scale = 0.0;      ///< kinetic energy at t = 0, J, to compare energy_error with
  Work work;
};

/// A compliant solve that did not reach the end.
struct Failure {
  std::string law;
  std::string compliant_solver;
  double epsilon = 0.0;
  bool tighter = false;  ///< it was the second solve, for the solver error
  Outcome outcome = Outcome::not_run;
  std::string message;
  double t_reached = 0.0;
  double last_step = 0.0;
};

/// Where the energy of a compliant motion with a spring went up to T, in joule
/// (formulations/energy_balance.hpp).
struct EnergyReport {
  std::string law;
  std::string compliant_solver;
  double epsilon = 0.0;
  double mechanical = 0.0;  ///< change of K* + P
  double spring = 0.0;      ///< energy of the spring at T less that at 0
  double work = 0.0;        ///< of the forces without potential
  double damper = 0.0;      ///< dissipated by the contact
  double defect = 0.0;      ///< largest |mechanical + spring − work + damper| over [0, T]
};

struct StudyResult {
  Study study;
  VectorXd multiplier_at_start;  ///< Λ(0)
  std::vector<RigidReport> rigid;
  std::vector<Series> series;
  std::vector<BoundReport> bounds;  ///< the study's bounds in its order, for each pair of solvers
  std::vector<Failure> failures;
  std::vector<EnergyReport> energy;  ///< largest ε first; none in 113 bits
  std::string no_prediction;         ///< why no leading coefficient is predicted; empty if one is
  std::vector<std::string> notes;    ///< what a reader of the table must know
  bool interrupted = false;
  SolveCounts counts;
  std::vector<Curve> curves;  ///< where RunOptions::curves asks for them

  /// Every expectation confirmed and every bound held, for every pair of solvers, and none left
  /// out.
  bool held() const;

  /// At least one row is a number: some solve on either side arrived.
  bool has_numbers() const;
};

}  // namespace rigidlimit
