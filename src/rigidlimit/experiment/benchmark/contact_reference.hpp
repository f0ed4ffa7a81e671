// What errors on a compliant contact are measured from.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// The compliant motion of a study at one ε, and how far other solves of it end up.
struct ContactReference {
  /// Of another solve, in the maximum norm over components and times.
  struct Distance {
    std::string solver;
    double q = 0.0;
    double v = 0.0;
    double lambda = 0.0;
  };

  Motion motion;                    ///< no columns: there is none
  std::string solver;               ///< of `motion`
  std::vector<Distance> distances;  ///< of those that arrived
  std::string message;              ///< why there is none; empty if there is one

  /// The largest distance of each group, in the order q, v, λ: the error bar. It overestimates:
  /// it is the error of the others, and among it what double precision can keep at all.
  std::array<double, 3> error_bar() const;
};

/// By radau_iia in 113 bits, adapted variables, rtol 1e-16 (rounded: 1e-16 of each value); the
/// others are radau_iia_7 (another order, another arithmetic) and radau_iia_fast_block (another
/// Newton matrix too) in double at rtol 1e-13, both in adapted variables. Redundant contacts are
/// known in double only: there `motion` is radau_iia_7's. No reference where that solve or all
/// others do not arrive.
ContactReference contact_reference(const RollingStudy& study, double epsilon,
                                   const std::vector<double>& times,
                                   const std::function<bool()>& stop_requested = {});

}  // namespace rigidlimit
