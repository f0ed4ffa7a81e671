#include "rigidlimit/mechanics/frictional_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

void check_contacts(const std::vector<ContactPoint>& contacts, Index rows, Index count) {
  if (static_cast<Index>(contacts.size()) != count)
    throw InputError(fmt::format("{} contacts, but gap(q) has {} entries", contacts.size(), count));
  Index next = 0;
  for (const ContactPoint& c : contacts) {
    const Index least = c.friction == 0.0 ? 0 : 1;
    if (c.first != next || c.components < least || c.components > 2)
      throw InputError(
          fmt::format(
              "its rows begin at {} and their number is {}: they must begin at {} and be {}",
              c.first, c.components, next, least == 0 ? "0, 1 or 2" : "1 or 2"),
          c.name);
    next += c.components;
    if (!(c.friction >= 0.0) || !std::isfinite(c.friction))
      throw InputError(fmt::format("friction = {} is not >= 0", c.friction), c.name);
    if (!(c.restitution >= 0.0 && c.restitution <= 1.0))
      throw InputError(fmt::format("restitution = {} is not in [0, 1]", c.restitution), c.name);
  }
  if (next != rows)
    throw InputError(
        fmt::format("the contacts have {} rows, but constraint(q) has {}", next, rows));
}

FrictionalSystem with_sides(const FrictionalSystem& system, const Sides& sides) {
  if (sides.empty()) return system;
  FrictionalSystem piece = system;
  piece.smooth = system.smooth.switches->with(system.smooth, sides);
  piece.geometry = std::make_shared<const ContactGeometry>(*piece.smooth.recorded);
  return piece;
}

const char* name_of(EventKind kind) {
  switch (kind) {
    case EventKind::impact: return "impact";
    case EventKind::touch: return "touch";
    case EventKind::detachment: return "detachment";
    case EventKind::stick: return "stick";
    case EventKind::slip: return "slip";
    case EventKind::reversal: return "reversal";
    case EventKind::accumulation: return "accumulation";
    case EventKind::kink: return "kink";
    case EventKind::time_switch: return "time switch";
  }
  return "unknown";
}

std::string text_of(const ContactEvent& event, const FrictionalSystem& system) {
  std::string text = name_of(event.kind);
  for (const Index c : event.contacts)
    text += " " + system.contacts[static_cast<std::size_t>(c)].name;
  return text;
}

}  // namespace rigidlimit
