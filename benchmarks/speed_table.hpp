// Times at equal achieved error, and their ratios.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// One solver of one problem.
struct SpeedEntry {
  std::string name;         ///< of the solver
  std::string formulation;  ///< its variables
  bool reached = false;     ///< the wanted error, at some tolerance
  double rtol = 0.0;        ///< the loosest that does, and the next tighter one does too
  double error = 0.0;
  Work work{};
  double microseconds = 0.0;  ///< of processor time, the least of the repeats
};

struct SpeedRow {
  std::string system;
  double epsilon = 0.0;  ///< 0: rigid
  VectorXd end{};        ///< (q, v), the reference
  double error_bar = 0.0;
  double operations_per_step = 0.0;  ///< that ours cannot do without; 0: not counted
  SpeedEntry ours{};
  std::vector<SpeedEntry>
      others{};  ///< first those that are always named, then the best of the rest
};

/// The compliant motion of the study at one ε: radau_iia_batched against cvode_bdf with the exact
/// Jacobian in the same variables, CVODE by hand (cvode_by_hand.hpp), our other methods, and
/// whoever is fastest of SUNDIALS and Odeint in either formulation. Left out of that last contest,
/// as it could not win: methods below order 4, and what takes a thousand times as long as ours.
SpeedRow compliant_speed(const RollingStudy& study, double epsilon);

/// The rigid motion: radau_iia_batched on the reduced system against IDA on index 2, and
/// radau_iia_7 and Fehlberg's pair on the reduced one.
SpeedRow rigid_speed(const RollingStudy& study);

/// Markdown: the ratios, every measurement, and how near ours is to the operations it cannot do
/// without.
std::string speed_report(const std::vector<SpeedRow>& rows);

}  // namespace rigidlimit
