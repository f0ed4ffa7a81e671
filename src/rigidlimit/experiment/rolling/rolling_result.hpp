// Result of a rolling study: every number with its error bars.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/ensemble/judge_ensemble.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/energy_balance.hpp"
#include "rigidlimit/result/curve.hpp"
#include "rigidlimit/result/solve_counts.hpp"

namespace rigidlimit {

/// The result of one bound of the study for one pair of solvers.
struct BoundReport {
  BoundSpec spec;
  std::string rigid_solver;
  std::string compliant_solver;
  std::vector<double> epsilons;  ///< of the rows, largest first
  BoundJudgement judgement;
  /// Whether every row of its interval lies between proved bounds, or a theorem judged all ε: then
  /// a bound that holds is proved.
  bool proved = false;

  bool held() const { return judgement.held(); }
};

/// A rigid motion's solver, reference and errors.
struct RigidReport {
  std::string solver;
  std::string reference;          ///< name of the reference solver
  bool multiplier_tested = true;  ///< false: Λ is excluded from the solver's local error test
  Outcome outcome = Outcome::not_run;
  std::string message;
  std::array<double, 3> error{};  ///< sup distance from the reference in q, v, Λ over [0, T]
  double drift = 0.0;             ///< max ‖G v‖∞, m/s
  double invariant_drift = 0.0;   ///< max |e(q)|: 0 where the system has no invariants
  double joint_drift = 0.0;       ///< max |g(q)| of joints before the samples are projected
  double energy_work = 0.0;       ///< work of the forces without potential up to T, J
  double energy_error = 0.0;      ///< max |E(t) − E(0) − work|, J
  double energy_scale = 0.0;      ///< kinetic energy at t = 0, J, to compare energy_error with
  /// J: bar of energy_error from the error of the solver, the distance to the reference.
  double energy_bar = 0.0;
  std::string departure{};  ///< from the range of a coordinate; empty: it stays within all
  Work work;

  /// Whether the energy error exceeds the solver's error: then the equations are not those of a
  /// system with this energy.
  bool misses_energy() const { return energy_error > energy_bar; }
};

/// The energy balance of a compliant motion with a spring.
struct EnergyReport {
  std::string law;
  std::string compliant_solver;
  double epsilon = 0.0;
  EnergySizes sizes = {};
};

/// The work of the first (not tightened) solve of one law and solver at one ε.
struct StepCount {
  std::string law;
  std::string compliant_solver;
  double epsilon = 0.0;
  Outcome outcome = Outcome::not_run;
  Work work = {};
  /// Steps per decade of ε from the largest ε to this one; NaN at the largest ε, and from the first
  /// failed solve on.
  double growth = std::nan("");
};

/// The result of one claim on steps for one solver.
struct StepsReport {
  StepsSpec spec;
  std::string compliant_solver;
  double largest = 0.0;          ///< ε of the study in the interval
  double smallest = 0.0;         ///< likewise
  double growth = std::nan("");  ///< steps per decade of ε; NaN: a solve failed
  std::string reason;            ///< "16.5 steps per decade …", or the failed solve
  bool held = false;
};

struct RollingResult {
  RollingStudy study;
  VectorXd multiplier_at_start;  ///< Λ(0)
  MatrixXd delassus;             ///< Delassus matrix A at the start, 1/kg
  std::vector<RigidReport> rigid;
  std::vector<Series> series;
  std::vector<BoundReport> bounds;  ///< bounds in the order of the study, for each pair of solvers
  std::vector<StepCount>
      step_counts;                 ///< if study.counts_steps(): by solver and law, largest ε first
  std::vector<StepsReport> steps;  ///< claims on steps in the order of the study, for each solver
  std::vector<CompliantSolve> failures;            ///< solves that did not reach the end
  std::vector<EnergyReport> energy;                ///< largest ε first; none in 113 bits
  std::vector<EnclosureReport> enclosures;         ///< of a certified study, largest ε first
  std::shared_ptr<const EnsembleResult> ensemble;  ///< of a study with [ensemble], once complete
  std::string no_prediction;       ///< why no coefficient is predicted; empty: one is
  std::vector<std::string> notes;  ///< remarks for readers of the table
  bool interrupted = false;
  SolveCounts counts;
  std::vector<Curve> curves;  ///< if RunOptions::curves is set

  /// Whether every expectation is confirmed and every bound holds, for every pair of solvers, and
  /// all of them were judged.
  bool held() const;

  /// Whether some row is a number, i.e. a solve of each side finished, or some steps are counted.
  bool has_numbers() const;
};

}  // namespace rigidlimit
