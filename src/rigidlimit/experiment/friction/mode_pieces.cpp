#include "rigidlimit/experiment/friction/mode_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

ContactMode mode_named(const std::string& word) {
  for (const ContactMode mode : {ContactMode::free, ContactMode::stick, ContactMode::slip})
    if (word == name_of(mode)) return mode;
  throw InputError(fmt::format("'{}' is not a mode", word));
}

/// Column of side.judged at the last time ≤ t − (distance of the neighbours)/2, or the first after.
VectorXd force_beside(const RigidSide& side, double t, bool after) {
  const std::vector<double>& times = side.judged.times;
  const double half = 0.5 * Windows::neighbour_distance;
  const auto next = std::ranges::lower_bound(times, after && t > 0.0 ? t + half : t - half);
  const auto at = after ? next : next - (next == times.begin() ? 0 : 1);
  if (at == times.end()) throw InputError(fmt::format("no sample beside t = {:.9g} s", t));
  return side.judged.lambda.col(at - times.begin());
}

ModePiece piece_at(const FrictionStudy& study, const RigidSide& side, double t, const VectorXd& q,
                   const VectorXd& v, const std::string& modes) {
  const FrictionalSystem& system = study.model;
  ModePiece piece{.begin = t,
                  .q = q,
                  .v = v,
                  .force_before = VectorXd::Zero(system.forces()),
                  .force_after = force_beside(side, t, true)};
  if (t > 0.0) piece.force_before = force_beside(side, t, false);
  const VectorXd w = contact_rows(system, q).rows * v;
  std::istringstream words(modes);
  for (const ContactPoint& contact : system.contacts) {
    std::string word;
    std::getline(words, word, ',');
    ContactState state{.mode = mode_named(word)};
    const auto i = static_cast<Index>(piece.states.size());
    state.push = piece.force_after(system.smooth.m + i) < 0.0 ? -1.0 : 1.0;
    const VectorXd speed = w.segment(contact.first, contact.components);
    const bool moves = speed.size() > 0 && speed.norm() > 1e3 * least_directed_speed;
    const bool slips = state.mode == ContactMode::slip && has_friction(contact);
    if (slips)
      state.direction =
          moves
              ? VectorXd(speed / speed.norm())
              : VectorXd(piece.force_after.segment(contact.first, contact.components).normalized());
    piece.from_rest.push_back(slips && !moves && t == 0.0);
    piece.states.push_back(std::move(state));
  }
  return piece;
}

/// A contact that begins to slip in space turns its friction within O(ε).
bool has_formula(const ContactEvent& event, const FrictionalSystem& system) {
  return event.kind == EventKind::stick ||
         (event.kind == EventKind::slip && std::ranges::all_of(event.contacts, [&](Index c) {
            return system.contacts[static_cast<std::size_t>(c)].components == 1;
          }));
}

void require_modes(const FrictionStudy& study, const RigidSide& side) {
  for (const ContactPoint& contact : study.model.contacts)
    if (contact.normal == Normal::unilateral)
      throw InputError("no formula for the springs of unilateral contacts");
  for (const ContactEvent& event : side.report.motion.events)
    if (event.t <= side.end && !has_formula(event, study.model))
      throw InputError(fmt::format("no formula for the event '{}' at t = {:.6g} s",
                                   name_of(event.kind), event.t));
}

}  // namespace

std::vector<ModePiece> mode_pieces(const FrictionStudy& study, const RigidSide& side) {
  require_modes(study, side);
  const NonsmoothMotion& motion = side.report.motion;
  std::vector<ModePiece> pieces{
      piece_at(study, side, 0.0, study.initial.q, study.initial.v, motion.initial_modes)};
  for (std::size_t k = 0; k < motion.events.size() && motion.events[k].t <= side.end; ++k) {
    const ContactEvent& event = motion.events[k];
    if (event.t - pieces.back().begin > Windows::neighbour_distance) {
      pieces.back().end = event.t;
      pieces.push_back(piece_at(study, side, event.t, event.q, event.v_after, event.modes));
    } else if (pieces.size() == 1) {
      throw InputError("no formula for an event at the start");
    }
    pieces.back().events.push_back(k);
    ModePiece& piece = pieces.back();
    std::ranges::copy(
        event.contacts,
        std::back_inserter(event.kind == EventKind::stick ? piece.stopped : piece.released));
    if (!piece.stopped.empty() && !piece.released.empty())
      throw InputError("no formula for contacts of which one sticks as another slips");
  }
  pieces.back().end = side.end;
  return pieces;
}

}  // namespace rigidlimit
