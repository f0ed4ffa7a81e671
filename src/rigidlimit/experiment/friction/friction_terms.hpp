// Predicted leading terms of compliant − rigid motion in a friction study.
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/experiment/judge/measure.hpp"

namespace rigidlimit {

/// The shift of a rigid event in the compliant motion, time · ε^order.
struct EventShift {
  std::size_t event = 0;  ///< index into NonsmoothMotion::events
  double time = 0.0;      ///< s
  int order = 2;
};

class FrictionTerms {
 public:
  FrictionTerms() = default;
  FrictionTerms(const FrictionTerms&) = delete;
  FrictionTerms& operator=(const FrictionTerms&) = delete;
  virtual ~FrictionTerms() = default;

  /// The order of the leading term of a measure of q, v or λ; NaN: not predicted.
  virtual double order(const Measure& measure) const = 0;
  /// Leading terms at `times`, a column each, for the measures of a window that have an order.
  virtual Motion leading(double epsilon, const std::vector<double>& times, Window window) const = 0;

  /// The shifts of the events that have a formula; time 0: none to all orders.
  const std::vector<EventShift>& shifts() const { return shifts_; }

 protected:
  std::vector<EventShift> shifts_;
};

}  // namespace rigidlimit
