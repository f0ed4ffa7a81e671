#include "rigidlimit/contact/time_stepping/step_events.hpp"

#include <algorithm>

#include "rigidlimit/contact/modes_text.hpp"

namespace rigidlimit {

namespace {

VectorXd kinks_at(const FrictionalSystem& system, const VectorXd& q) {
  VectorXd kinks(system.kink_count);
  if (system.kink_count > 0) system.kinks(q, kinks);
  return kinks;
}

/// Change of the speed of a contact by forces in one step.
double ordinary_change(const StepTaken& step) {
  return 8.0 * step.h * step.terms.free.cwiseAbs().maxCoeff();
}

}  // namespace

StepEvents::StepEvents(const FrictionalSystem& system, const InitialState& start,
                       const NonsmoothOptions& options)
    : system_(system),
      options_(options),
      modes_(static_cast<std::size_t>(system.nc()), ContactMode::free),
      slip_(VectorXd::Zero(system.smooth.m)),
      kinks_(kinks_at(system, start.q)) {}

std::vector<ContactMode> StepEvents::modes_after(const StepTaken& step) const {
  std::vector<ContactMode> modes(modes_.size(), ContactMode::free);
  const VectorXd rate = step.terms.rows * step.v_after;
  for (std::size_t k = 0; k < step.active.size(); ++k) {
    const Index i = step.active[k].which;
    const bool leaves =
        system_.contacts[static_cast<std::size_t>(i)].normal == Normal::unilateral &&
        rate(system_.smooth.m + i) > options_.speed_tolerance + ordinary_change(step);
    if (!leaves) modes[static_cast<std::size_t>(i)] = step.modes[k];
  }
  return modes;
}

std::vector<Index> StepEvents::struck(const StepTaken& step) const {
  std::vector<Index> all;
  for (const ActiveContact& one : step.active) {
    const Index row = system_.smooth.m + one.which;
    if (system_.contacts[static_cast<std::size_t>(one.which)].normal != Normal::given &&
        step.terms.delassus(row, row) * step.reaction(row) >
            ordinary_change(step) + options_.speed_tolerance)
      all.push_back(one.which);
  }
  return all;
}

void StepEvents::add(const StepTaken& step, EventKind kind, std::vector<Index> contacts) {
  if (static_cast<long>(events_.size()) >= options_.max_events) {
    ++dropped_;
    return;
  }
  const bool impact = kind == EventKind::impact;
  events_.push_back(
      {.t = step.t,
       .kind = kind,
       .contacts = std::move(contacts),
       .q = step.q,
       .v_before = step.v_before,
       .v_after = impact ? step.v_after : step.v_before,
       .impulse = impact ? forces_of(system_, step.reaction) : VectorXd::Zero(system_.forces()),
       .modes = text_of(modes_)});
}

void StepEvents::note_kinks(const StepTaken& step) {
  const VectorXd kinks = kinks_at(system_, step.q);
  for (Index k = 0; k < kinks.size(); ++k)
    if (!first_ && (kinks(k) > 0.0) != (kinks_(k) > 0.0)) add(step, EventKind::kink, {});
  kinks_ = kinks;
}

void StepEvents::note_change(const StepTaken& step, Index contact, ContactMode now) {
  const ContactMode before = modes_[static_cast<std::size_t>(contact)];
  const ContactPoint& point = system_.contacts[static_cast<std::size_t>(contact)];
  const auto slip = [&](const VectorXd& w) { return w.segment(point.first, point.components); };
  const VectorXd w = step.terms.rows.topRows(system_.smooth.m) * step.v_after;
  const bool turned =
      before == ContactMode::slip && now == ContactMode::slip && slip(w).dot(slip(slip_)) < 0.0;
  modes_[static_cast<std::size_t>(contact)] = now;
  if (turned) add(step, EventKind::reversal, {contact});
  if (before == now) return;
  if (before == ContactMode::free) {
    add(step, EventKind::touch, {contact});
  } else {
    add(step,
        now == ContactMode::free    ? EventKind::detachment
        : now == ContactMode::stick ? EventKind::stick
                                    : EventKind::slip,
        {contact});
  }
}

void StepEvents::note(const StepTaken& step) {
  const std::vector<ContactMode> now = modes_after(step);
  const std::vector<Index> hit = struck(step);
  was_impact_ = !hit.empty();
  if (first_) {
    std::vector<ContactMode> at_start = now;
    for (const Index i : hit) at_start[static_cast<std::size_t>(i)] = ContactMode::free;
    initial_modes_ = text_of(at_start);
    if (hit.empty()) modes_ = now;
  }
  note_kinks(step);
  if (!hit.empty()) {
    modes_ = now;
    add(step, EventKind::impact, hit);
  } else {
    for (std::size_t i = 0; i < now.size(); ++i)
      if (!first_) note_change(step, static_cast<Index>(i), now[i]);
  }
  slip_ = step.terms.rows.topRows(system_.smooth.m) * step.v_after;
  first_ = false;
}

}  // namespace rigidlimit
