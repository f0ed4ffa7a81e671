// What running a study of friction and impacts gives: every number beside its error bars.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/contact/variational_inequality.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/judge/claim.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"

namespace rigidlimit {

/// One compliant solve: how it ended, what it cost.
struct FrictionSolve {
  ComparedLaw law;
  std::string solver;
  double epsilon = 0.0;
  bool tighter = false;
  Outcome outcome = Outcome::not_run;
  std::string message;
  double t_reached = 0.0;
  Work work;
  int roots = 0;  ///< kinks that were located
};

/// When one rigid event happens in a compliant motion.
struct EventMatch {
  std::size_t event = 0;  ///< of RigidHistory::motion.events
  ComparedLaw law;
  std::string solver;
  double epsilon = 0.0;
  double t = std::numeric_limits<double>::quiet_NaN();           ///< s; NaN: it has none
  double difference = std::numeric_limits<double>::quiet_NaN();  ///< t − that of the rigid one, s
  double solver_error = std::numeric_limits<double>::quiet_NaN();  ///< of t, s
  double order = std::numeric_limits<double>::quiet_NaN();  ///< of |difference|, to the larger ε
};

/// Moreau and Jean's motion at one step against the rigid motion of the study.
struct StepCheck {
  double step = 0.0;  ///< s
  Outcome outcome = Outcome::not_run;
  std::string message;
  std::size_t impacts = 0;
  std::vector<ContactEvent> events;
  VectorXd q_end, v_end;  ///< at the last sample; empty without success
  double q_sup = std::numeric_limits<double>::quiet_NaN();
  double v_l1 = std::numeric_limits<double>::quiet_NaN();
  double q_order = std::numeric_limits<double>::quiet_NaN();  ///< from the step before
  double v_order = std::numeric_limits<double>::quiet_NaN();
};

/// The energy of the rigid motion, J.
struct EnergyHistory {
  bool known = false;     ///< the system has a potential
  double at_start = 0.0;  ///< K + P
  double at_end = 0.0;
  double work = 0.0;  ///< of the forces without potential, integrated with the motion
  double lost_at_impacts = 0.0;
  double lost_in_slipping = 0.0;  ///< integrated with the motion
  double largest_growth = 0.0;    ///< of K + P − work over its least value so far
  /// at_start + work − lost_at_impacts − lost_in_slipping − at_end: zero but for errors
  double unaccounted = 0.0;
  double scale = 0.0;  ///< largest kinetic energy, and range of K + P
};

/// The inequality of Duvaut and Lions on one motion (contact/variational_inequality.hpp).
struct InequalityReport {
  std::string motion;    ///< "rigid", "compliant"
  ComparedLaw law;       ///< of a compliant one
  double epsilon = 0.0;  ///< 0: rigid
  InequalityCheck check;
  double scale = 0.0;  ///< W: largest force times the speed of the draws, to compare `least` with
};

/// The rigid motion, and how far it can be trusted.
struct RigidHistory {
  NonsmoothMotion motion;  ///< event-driven, on the samples of the report
  std::string judged;      ///< "closed form" or "event-driven": what the rows are measured from
  std::string reference;   ///< what that is compared with
  double q_error = std::numeric_limits<double>::quiet_NaN();  ///< sup distance of the two
  double v_error = std::numeric_limits<double>::quiet_NaN();
  std::string uncompared;                 ///< why the two errors are NaN; empty: they are numbers
  std::vector<double> known_event_times;  ///< of the closed form
  double event_time_error =
      std::numeric_limits<double>::quiet_NaN();  ///< largest distance from those, s
  std::vector<StepCheck> steps;
  EnergyHistory energy;
};

/// Whether one claim of [history] is true.
using HistoryClaim = Claim;

/// A motion for pictures.
struct FrictionCurve {
  std::string name;               ///< "rigid", or the law: "projected", "regularised"
  double tangential_power = 1.0;  ///< κ of the law
  std::string solver;
  double epsilon = 0.0;  ///< 0: rigid
  Motion motion;
  std::vector<std::string> modes;  ///< of every sample of the rigid motion; empty otherwise
};

struct FrictionResult {
  FrictionStudy study;
  RigidHistory rigid;
  std::vector<HistoryClaim> claims;
  std::vector<Series> series;
  std::vector<FrictionSolve> solves;
  std::vector<EventMatch> matches;
  std::vector<InequalityReport> inequality;
  std::vector<FrictionCurve> curves;
  std::vector<std::string> notes;
  SolveCounts counts;
  bool interrupted = false;  ///< something is missing

  /// Every claim on the history and every expectation confirmed, and none left out.
  bool held() const;
  /// The rigid motion took place, or a row is a number.
  bool has_numbers() const;
};

}  // namespace rigidlimit
