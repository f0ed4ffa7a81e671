#include "rigidlimit/experiment/friction/event_sequences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace rigidlimit {

namespace {

using Sequence = std::vector<CompliantEvent>;

/// Kinds of compliant events: an impact becomes a touch, a reversal a stick and a slip.
Sequence rigid_sequence(const RigidSide& rigid) {
  Sequence all;
  for (const ContactEvent& event : rigid.report.motion.events)
    for (const Index contact : event.contacts) {
      if (event.kind == EventKind::accumulation) continue;
      if (event.kind == EventKind::reversal) {
        all.push_back({event.t, EventKind::stick, contact});
        all.push_back({event.t, EventKind::slip, contact});
      } else {
        const bool impact = event.kind == EventKind::impact;
        all.push_back({event.t, impact ? EventKind::touch : event.kind, contact});
      }
    }
  return all;
}

Sequence compared(const Sequence& all, double end, double layer) {
  std::map<Index, double> closed;
  Sequence kept;
  for (const CompliantEvent& event : all) {
    if (event.t > end || event.kind == EventKind::kink) continue;
    const auto at = closed.find(event.contact);
    const bool follows = at != closed.end() && event.t - at->second <= layer;
    if (event.kind == EventKind::touch) closed[event.contact] = event.t;
    if (event.kind == EventKind::touch || !follows) kept.push_back(event);
  }
  return kept;
}

bool same_kinds(const Sequence& a, const Sequence& b) {
  return std::ranges::equal(a, b, [](const CompliantEvent& x, const CompliantEvent& y) {
    return x.kind == y.kind && x.contact == y.contact;
  });
}

std::string text_of(const Sequence& events, const FrictionalSystem& system) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, events.size()); ++k)
    text +=
        fmt::format("{}{} {} {:.6g} s", k == 0 ? "" : "; ", name_of(events[k].kind),
                    system.contacts[static_cast<std::size_t>(events[k].contact)].name, events[k].t);
  if (events.size() > most) text += fmt::format("; {} more", events.size() - most);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string note_on_events(const FrictionStudy& study, const RigidSide& rigid,
                           const FrictionMotion& compliant) {
  const FrictionSolve& solve = compliant.solve;
  const double layer = study.time.layer_width * solve.epsilon;
  const Sequence of_rigid = compared(rigid_sequence(rigid), rigid.end, layer);
  const Sequence others = compared(compliant.events, rigid.end, layer);
  if (same_kinds(of_rigid, others)) return "";
  return fmt::format(
      "{}, {}, ε = {:.3g}: events differ from those of the rigid motion: {}; rigid: {}",
      text_of(solve.law), solve.solver, solve.epsilon, text_of(others, study.model),
      text_of(of_rigid, study.model));
}

}  // namespace rigidlimit
