// Step size controller of the one-step methods. Valid C++17.
#pragma once

#include <algorithm>
#include <cmath>

namespace rigidlimit {

/// Proportional-integral control (Gustafsson 1991; Hairer & Wanner, Solving ODEs II, IV.2): after
/// an accepted step with the estimated error e_n, in units of the tolerance, and one with e_(n−1)
/// before it,
///
///   h_new = 0.9 h e_n^(−0.7/k) e_(n−1)^(0.4/k),   k = estimate_order + 1,
///
/// where the estimate is O(h^k). The first steps, and those after a rejection, lack e_(n−1): then
/// 0.9 h e^(−1/k). No step that follows a rejection is larger than the accepted one.
class StepControl {
 public:
  explicit StepControl(int estimate_order) : k_(estimate_order + 1.0) {}

  /// The step after one of size h that was accepted with 0 ≤ error < 1.
  double accepted(double h, double error) {
    const double e = std::max(error, 1e-4);  // less has no effect: the clamp below limits it
    double factor = 0.9 * std::pow(e, -1.0 / k_);
    if (before_ > 0.0) factor = 0.9 * std::pow(e, -0.7 / k_) * std::pow(before_, 0.4 / k_);
    factor = std::clamp(factor, 0.2, rejected_ ? 1.0 : 5.0);
    before_ = e;
    rejected_ = false;
    return factor * h;
  }

  /// The step to try after one of size h failed with error ≥ 1.
  double rejected(double h, double error) {
    forget();
    return std::clamp(0.9 * std::pow(error, -1.0 / k_), 0.1, 0.9) * h;
  }

  /// Call after a step failed for another reason than its error.
  void forget() {
    before_ = 0.0;
    rejected_ = true;
  }

 private:
  double k_;
  double before_ = 0.0;  ///< error of the last accepted step; 0: none
  bool rejected_ = false;
};

}  // namespace rigidlimit
