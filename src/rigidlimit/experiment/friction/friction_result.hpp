// Result of a friction study: every number with its error bars.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/contact/energy_history.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/contact/variational_inequality.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/result/solve_counts.hpp"

namespace rigidlimit {

/// The time of one rigid event in a compliant motion.
struct EventMatch {
  std::size_t event = 0;  ///< index into RigidHistory::motion.events
  ComparedLaw law;
  std::string solver;
  double epsilon = 0.0;
  double t = std::numeric_limits<double>::quiet_NaN();           ///< s; NaN: no such event
  double difference = std::numeric_limits<double>::quiet_NaN();  ///< t − time of the rigid event, s
  double predicted = std::numeric_limits<double>::quiet_NaN();     ///< of `difference`, s
  int predicted_order = 2;                                         ///< its power of ε
  double solver_error = std::numeric_limits<double>::quiet_NaN();  ///< of t, s
  double order = std::numeric_limits<double>::quiet_NaN();  ///< of |difference|, from the larger ε
};

/// Moreau and Jean's motion with one step size compared with the rigid motion of the study.
struct StepCheck {
  double step = 0.0;  ///< s
  Outcome outcome = Outcome::not_run;
  std::string message;
  std::size_t impacts = 0;
  std::vector<ContactEvent> events;
  VectorXd q_end, v_end;  ///< at the last sample; empty without success
  double q_sup = std::numeric_limits<double>::quiet_NaN();
  double v_l1 = std::numeric_limits<double>::quiet_NaN();
  double q_order = std::numeric_limits<double>::quiet_NaN();  ///< from the previous step size
  double v_order = std::numeric_limits<double>::quiet_NaN();
};

/// The inequality of Duvaut and Lions for one motion (contact/variational_inequality.hpp).
struct InequalityReport {
  std::string motion;    ///< "rigid", "compliant"
  ComparedLaw law;       ///< of a compliant motion
  double epsilon = 0.0;  ///< 0: rigid
  InequalityCheck check;
  double scale = 0.0;  ///< W: largest force times the speed of the draws, the scale of `least`
};

/// The rigid motion and its errors.
struct RigidHistory {
  NonsmoothMotion motion;  ///< event-driven, on the samples of the report
  std::string judged;      ///< "closed form" or "event-driven": the reference of the rows
  std::string reference;   ///< the reference of `judged`
  double q_error = std::numeric_limits<double>::quiet_NaN();  ///< sup distance of these two
  double v_error = std::numeric_limits<double>::quiet_NaN();
  std::string uncompared;                 ///< why the two errors are NaN; empty: they are known
  std::vector<double> known_event_times;  ///< from the closed form
  double event_time_error =
      std::numeric_limits<double>::quiet_NaN();  ///< largest distance from these, s
  std::vector<StepCheck> steps;
  EnergyHistory energy;
};

/// Modes of a motion, sliding and force for the claims about them.
struct MotionModes {
  ComparedLaw law;       ///< of a compliant motion
  std::string solver;    ///< of a compliant motion
  double epsilon = 0.0;  ///< 0: rigid
  Outcome outcome = Outcome::not_run;
  std::string sequence;            ///< "slip,slip > stick,stick"; empty: no state is known
  bool several_solutions = false;  ///< of the rigid laws at some instant of a rigid motion
  double sliding_at_half = std::numeric_limits<double>::quiet_NaN();  ///< largest at T/2, m/s
  double sliding_at_end = std::numeric_limits<double>::quiet_NaN();   ///< largest at T, m/s
  /// N: λ of HistoryExpectation::force at T; NaN without that claim or beyond the end of the motion
  double force_at_end = std::numeric_limits<double>::quiet_NaN();

  bool is_rigid() const { return epsilon == 0.0; }
};

/// A claim of [history] with its result.
using HistoryClaim = Claim;

/// A motion for figures.
struct FrictionCurve {
  std::string name;               ///< "rigid", or name_of(ComparedLaw::friction)
  double tangential_power = 1.0;  ///< κ of the law
  std::string solver;
  double epsilon = 0.0;  ///< 0: rigid
  Motion motion;
  std::vector<std::string> modes;  ///< at every sample of the rigid motion; empty for others
};

struct FrictionResult {
  FrictionStudy study;
  RigidHistory rigid;
  std::vector<HistoryClaim> claims;
  std::vector<Series> series;
  std::vector<CompliantSolve> solves;
  std::vector<MotionModes> modes;  ///< the rigid motion first; empty: the study does not ask
  std::vector<EventMatch> matches;
  std::vector<InequalityReport> inequality;
  std::vector<FrictionCurve> curves;
  std::vector<std::string> notes;
  std::string no_prediction;  ///< why a law has no predicted constants; empty: all have some
  SolveCounts counts;
  bool interrupted = false;  ///< some results are missing

  /// Whether every claim and expectation is confirmed and all of them were judged.
  bool held() const;
  /// Whether the rigid motion was computed or a row is a number, and some compliant solve, if there
  /// are any, reached its end.
  bool has_numbers() const;
};

}  // namespace rigidlimit
