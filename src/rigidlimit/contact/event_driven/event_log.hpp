// Events at one instant of an event-driven motion, collected until its modes are known;
// accumulation of infinitely many impacts in a finite time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/contact/event_driven/mode_decision.hpp"
#include "rigidlimit/contact/event_driven/smooth_piece.hpp"

namespace rigidlimit {

class EventLog {
 public:
  /// `forces`: FrictionalSystem::forces().
  explicit EventLog(Index forces) : forces_(forces) {}

  /// An event without impulse and without contacts.
  ContactEvent made(EventKind kind, const Instant& at) const;

  void add(ContactEvent event) { events_.push_back(std::move(event)); }
  /// Adds contact i to the event of this kind, which is created if needed; i < 0: no contact.
  void add(EventKind kind, Index i, const Instant& at);
  /// Adds the events of a change of modes. The modes of the contacts `struck` by an impact belong
  /// to the impact, without further events.
  void add_changes(const ContactStates& before, const ContactStates& after,
                   const std::vector<Index>& struck, const Instant& at);

  /// Appends all events to `events`, with the modes afterwards, and clears the log.
  void move_to(std::vector<ContactEvent>& events, const std::string& modes);

 private:
  Index forces_;
  std::vector<ContactEvent> events_;
};

/// The flights of every contact since it was last closed.
///
/// A contact that leaves an impact with g' = u and g'' = −a < 0 flies for 2u/a. If the next speeds
/// shrink like the last, u_k = ρ u_{k−1}, ρ < 1, all flights together last
///
///   S = 2 u/(a (1 − ρ)).
///
/// The contact is closed at the end of S in two cases. Either the last two ratios ρ differ by less
/// than a tenth of 1 − ρ and S is shorter than NonsmoothOptions::accumulation_time. Or the next
/// flight stays below 1e5 roundings of the gap, where impacts can no longer be located to 1e-12 s.
/// S neglects the change of a and ρ during it, a relative O(S).
class Accumulation {
 public:
  explicit Accumulation(Index contacts) : speeds_(static_cast<std::size_t>(contacts)) {}

  /// Records that contact i has left an impact with the speed u; u ≤ 0: it stays closed.
  void left(Index i, double u);
  /// Discards the flights of contact i, which is at rest or flies without an impact before.
  void forget(Index i) { speeds_[static_cast<std::size_t>(i)].clear(); }

  /// S of contact i, which has just left, if it is to be closed. `g_rate` u, `g_acceleration` −a,
  /// `gap_rounding`: a unit in the last place of the terms of the gap.
  std::optional<double> remaining(Index i, double g_acceleration, double gap_rounding,
                                  double accumulation_time) const;

  /// S with ρ = `restitution` of a contact left with the speed u, independent of earlier flights.
  /// Only if it flies no higher than 1e2 roundings of the gap, where its return cannot be detected.
  /// With ρ = 1, the single flight.
  static std::optional<double> unseen(double u, double g_acceleration, double gap_rounding,
                                      double restitution);

 private:
  std::vector<std::vector<double>> speeds_;
};

/// How contact i comes to rest: the mean of its impulses in S is the force of the closed contact.
/// The motion therefore continues as if it were already closed, without its g'.
struct Settling {
  ModeDecision closed;                       ///< modes with contact i closed
  std::function<Instant(double s)> after{};  ///< the state s later, 0 < s ≤ S; only if found
};
Settling settling_of(const FrictionalSystem& system, const ContactStates& states, const Instant& at,
                     Index i, const NonsmoothOptions& options);

}  // namespace rigidlimit
