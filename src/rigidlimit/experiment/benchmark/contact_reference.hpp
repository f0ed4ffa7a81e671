// The reference for errors of a compliant contact.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// The compliant problem of a study at ε with the first of its laws. ε = 0: ideal rolling without
/// multipliers in (q, v) or, adapted, in (q, u).
MotionProblem<OdeProblem> contact_problem(const RollingStudy& study, Formulation formulation,
                                          double epsilon);

/// The motion of a study at one ε (0: ideal rolling), and the distances of other solves from it.
struct ContactReference {
  /// Distance of another solve in the maximum norm over components and times.
  struct Distance {
    std::string solver;
    double q = 0.0;
    double v = 0.0;
    double lambda = 0.0;
  };

  Motion motion;                    ///< no columns: there is no reference
  std::string solver;               ///< of `motion`
  std::vector<Distance> distances;  ///< of the successful other solves
  std::string message;              ///< why there is no reference; empty if there is one

  /// The largest distance of each group, in the order q, v, λ: the error bar. It is too large,
  /// since it contains the errors of the others, including the rounding of double precision.
  std::array<double, 3> error_bar() const;
};

/// The reference is radau_iia in 113 bits in adapted variables at rtol 1e-16 (rounded to double:
/// 1e-16 of each value). The other solves are radau_iia_7 (another order, another arithmetic) and
/// radau_iia (another Newton matrix too) in double at rtol 1e-13 in adapted variables.
/// For redundant contacts, which have no 113-bit form, the reference is radau_iia_7. There is none
/// if that solve or all others fail.
ContactReference contact_reference(const RollingStudy& study, double epsilon,
                                   const std::vector<double>& times,
                                   const std::function<bool()>& stop_requested = {});

}  // namespace rigidlimit
