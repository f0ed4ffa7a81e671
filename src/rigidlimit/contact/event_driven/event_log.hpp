// Events at one instant of an event-driven motion, collected until its modes are known.
#pragma once

#include <string>
#include <vector>

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

}  // namespace rigidlimit
