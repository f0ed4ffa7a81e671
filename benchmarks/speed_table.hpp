// Times at equal achieved error, and their ratios.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// A solver of a problem.
struct SpeedEntry {
  std::string name;         ///< of the solver
  std::string formulation;  ///< its variables
  bool reached = false;     ///< the wanted error was reached at some tolerance
  double rtol = 0.0;        ///< the loosest such tolerance, if the next tighter one is too
  double error = 0.0;
  Work work{};
  double microseconds = 0.0;  ///< of processor time, minimum of the repeats
};

struct SpeedRow {
  std::string system;
  double epsilon = 0.0;  ///< 0: rigid
  VectorXd end{};        ///< (q, v), the reference
  double error_bar = 0.0;
  double operations_per_step = 0.0;  ///< minimum for our method; 0: not counted
  SpeedEntry ours{};
  std::vector<SpeedEntry>
      others{};  ///< first the solvers that are always listed, then the best of the rest
};

/// The compliant motion of the study at one ε: radau_iia against cvode_bdf with the exact
/// Jacobian in the same variables, CVODE by hand (cvode_by_hand.hpp), our other methods, and the
/// fastest of SUNDIALS and Odeint in either formulation. The search for the fastest skips methods
/// below order 4 and methods that take a thousand times as long as ours.
SpeedRow compliant_speed(const RollingStudy& study, double epsilon);

/// The rigid motion: radau_iia on the reduced system against IDA on index 2, and
/// radau_iia_7 and Fehlberg's pair on the reduced system.
SpeedRow rigid_speed(const RollingStudy& study);

/// Markdown: the times of others as multiples of ours, and ours relative to its minimum number of
/// operations.
std::string speed_page(const std::vector<SpeedRow>& rows);

/// Markdown: every measurement.
std::string speed_measurements(const std::vector<SpeedRow>& rows);

}  // namespace rigidlimit
