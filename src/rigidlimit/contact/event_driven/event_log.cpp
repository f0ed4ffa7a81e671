#include "rigidlimit/contact/event_driven/event_log.hpp"

#include <algorithm>

namespace rigidlimit {
namespace {

bool slips(const ContactState& state) {
  return state.mode == ContactMode::slip;
}

bool turned_back(const ContactState& old, const ContactState& now) {
  return slips(old) && slips(now) && old.direction.size() > 0 && now.direction.size() > 0 &&
         old.direction.dot(now.direction) < 0.0;
}

}  // namespace

ContactEvent EventLog::made(EventKind kind, const Instant& at) const {
  return {.t = at.t,
          .kind = kind,
          .contacts = {},
          .q = at.q,
          .v_before = at.v,
          .v_after = at.v,
          .impulse = VectorXd::Zero(forces_),
          .modes = {}};
}

void EventLog::add(EventKind kind, Index i, const Instant& at) {
  auto same = std::find_if(events_.begin(), events_.end(),
                           [&](const ContactEvent& event) { return event.kind == kind; });
  if (same == events_.end()) same = events_.insert(events_.end(), made(kind, at));
  if (i >= 0) same->contacts.push_back(i);
}

void EventLog::add_changes(const ContactStates& before, const ContactStates& after,
                           const std::vector<Index>& struck, const Instant& at) {
  for (std::size_t k = 0; k < after.size(); ++k) {
    const ContactState& old = before[k];
    const ContactState& now = after[k];
    const auto i = static_cast<Index>(k);
    if (std::find(struck.begin(), struck.end(), i) != struck.end()) continue;
    if (old.closed() && !now.closed()) add(EventKind::detachment, i, at);
    if (!old.closed() && now.closed()) add(EventKind::touch, i, at);
    if (slips(old) && now.mode == ContactMode::stick) add(EventKind::stick, i, at);
    if (old.mode == ContactMode::stick && slips(now)) add(EventKind::slip, i, at);
    if (turned_back(old, now)) add(EventKind::reversal, i, at);
  }
}

void EventLog::move_to(std::vector<ContactEvent>& events, const std::string& modes) {
  for (ContactEvent& event : events_) {
    event.modes = modes;
    events.push_back(std::move(event));
  }
  events_.clear();
}

}  // namespace rigidlimit
