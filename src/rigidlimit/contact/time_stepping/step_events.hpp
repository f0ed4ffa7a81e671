// Derives events from the steps of a time stepping scheme, which has none.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"

namespace rigidlimit {

/// One step from t to t + h.
struct StepTaken {
  double t = 0.0, h = 0.0;
  const VectorXd& q;  ///< in its middle
  const VectorXd& v_before;
  const VectorXd& v_after;
  const VectorXd& reaction;   ///< impulses r = (−λ, p) of all contacts
  const ContactTerms& terms;  ///< in its middle
  const std::vector<ActiveContact>& active;
  const std::vector<ContactMode>& modes;  ///< of the active contacts
};

/// Compares each step with the previous one. Event times are the starts of steps, exact to h.
///
/// A contact has an impact if it closed before and its normal impulse exceeds that of forces in a
/// step, A_nn p > 8 h max |accelerations without reactions| + speed_tolerance: one event 'impact'
/// for all contacts at once. Other changes are 'touch' and 'detachment', 'stick', 'slip',
/// 'reversal', and 'kink' if a kink function changes its sign. Bounces too weak to distinguish from
/// rest are not listed.
class StepEvents {
 public:
  StepEvents(const FrictionalSystem& system, const InitialState& start,
             const NonsmoothOptions& options);

  void note(const StepTaken& step);

  /// Whether a contact had an impact in the last step.
  bool was_impact() const { return was_impact_; }
  const std::string& initial_modes() const { return initial_modes_; }
  std::vector<ContactEvent> take() { return std::move(events_); }
  long dropped() const { return dropped_; }  ///< events beyond NonsmoothOptions::max_events

 private:
  void add(const StepTaken& step, EventKind kind, std::vector<Index> contacts);
  std::vector<ContactMode> modes_after(const StepTaken& step) const;
  std::vector<Index> struck(const StepTaken& step) const;
  void note_kinks(const StepTaken& step);
  void note_change(const StepTaken& step, Index contact, ContactMode now);

  const FrictionalSystem& system_;
  const NonsmoothOptions& options_;
  std::vector<ContactMode> modes_;
  VectorXd slip_;  ///< w of the step before
  VectorXd kinks_;
  bool first_ = true;
  bool was_impact_ = false;
  std::string initial_modes_;
  std::vector<ContactEvent> events_;
  long dropped_ = 0;
};

}  // namespace rigidlimit
