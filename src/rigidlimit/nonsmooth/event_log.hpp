// What has happened at one instant of an event-driven motion, until its modes are known.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/nonsmooth/smooth_piece.hpp"

namespace rigidlimit {

class EventLog {
 public:
  /// `forces`: FrictionalSystem::forces().
  explicit EventLog(Index forces) : forces_(forces) {}

  /// An event without impulse and without contacts.
  ContactEvent made(EventKind kind, const Instant& at) const;

  void add(ContactEvent event) { events_.push_back(std::move(event)); }
  /// Of contact i, in the event of this kind if there is one already; i < 0: of none.
  void add(EventKind kind, Index i, const Instant& at);
  /// What the change of modes tells. What an impact did to its own contacts, `struck`, is in its
  /// modes, and no event of its own.
  void add_changes(const ContactStates& before, const ContactStates& after,
                   const std::vector<Index>& struck, const Instant& at);

  /// All of them behind `events`, with the modes afterwards; then the log is empty.
  void move_to(std::vector<ContactEvent>& events, const std::string& modes);

 private:
  Index forces_;
  std::vector<ContactEvent> events_;
};

}  // namespace rigidlimit
