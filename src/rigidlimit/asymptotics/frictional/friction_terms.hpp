// Predicted leading terms of compliant − rigid motion with bounded friction.
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/asymptotics/first_terms.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"

namespace rigidlimit {

/// A compliant motion with bounded friction, and the rigid motion to which it tends. Refers to the
/// system and to the rigid motion.
struct FrictionalLimit {
  const FrictionalSystem& system;
  InitialState start;
  FrictionalLaw law;
  VectorXd compliance;           ///< NonsmoothOptions::compliance of the rigid motion
  const NonsmoothMotion& rigid;  ///< its events
  const Motion& samples;         ///< the rigid motion, with a sample on both sides of every event
  double neighbours;             ///< s: distance of these samples from the event
  double end;                    ///< s: the terms are wanted on [0, end]
  int most_events;               ///< the shifts of these first events are wanted
};

/// The shift of a rigid event in the compliant motion, time · ε^order.
struct EventShift {
  std::size_t event = 0;  ///< index into NonsmoothMotion::events
  double time = 0.0;      ///< s
  int order = 2;
};

class FrictionTerms {
 public:
  /// The whole motion, or its part away from events, where the layers have decayed.
  enum class Part { all, away };

  FrictionTerms() = default;
  FrictionTerms(const FrictionTerms&) = delete;
  FrictionTerms& operator=(const FrictionTerms&) = delete;
  virtual ~FrictionTerms() = default;

  /// The orders of the leading terms of q, v and λ in the sup norm; NaN: not predicted.
  virtual LeadingOrders sup_orders(Part part) const = 0;
  /// Leading terms at `times`, a column each, of the quantities that have an order in this part.
  virtual Motion leading(double epsilon, const std::vector<double>& times, Part part) const = 0;

  /// The shifts of the events that have a formula; time 0: none to all orders.
  const std::vector<EventShift>& shifts() const { return shifts_; }

 protected:
  std::vector<EventShift> shifts_;
};

}  // namespace rigidlimit
