#include "rigidlimit/contact/event_driven/event_log.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/mechanics/kkt.hpp"

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

namespace {

/// Speeds are known to about 1e-11 of themselves: a smaller decrease is that of an elastic contact.
constexpr double least_decrease = 1e-9;

}  // namespace

void Accumulation::left(Index i, double u) {
  std::vector<double>& speeds = speeds_[static_cast<std::size_t>(i)];
  if (!(u > 0.0)) {
    speeds.clear();
    return;
  }
  if (speeds.size() == 3) speeds.erase(speeds.begin());
  speeds.push_back(u);
}

std::optional<double> Accumulation::remaining(Index i, double g_acceleration, double gap_rounding,
                                              double accumulation_time) const {
  const std::vector<double>& u = speeds_[static_cast<std::size_t>(i)];
  if (u.size() < 3 || !(g_acceleration < 0.0)) return std::nullopt;
  const double before = u[1] / u[0], ratio = u[2] / u[1], a = -g_acceleration;
  if (!(1.0 - ratio > least_decrease) || std::abs(ratio - before) > 0.1 * (1.0 - ratio))
    return std::nullopt;
  const double left = 2.0 * u[2] / (a * (1.0 - ratio));
  const double height = u[2] * u[2] / (2.0 * a);
  if (left < accumulation_time || height < 1e5 * gap_rounding) return left;
  return std::nullopt;
}

std::optional<double> Accumulation::unseen(double u, double g_acceleration, double gap_rounding,
                                           double restitution) {
  const double a = -g_acceleration;
  if (!(u > 0.0 && a > 0.0) || u * u / (2.0 * a) > 1e2 * gap_rounding) return std::nullopt;
  return 2.0 * u / a / (restitution < 1.0 ? 1.0 - restitution : 1.0);
}

Settling settling_of(const FrictionalSystem& system, const ContactStates& states, const Instant& at,
                     Index i, const NonsmoothOptions& options) {
  const ContactTerms terms = contact_terms(system, at.q, at.v, at.t);
  const Index row = system.smooth.m + i;
  Instant still = at;
  still.v -= terms.response.col(row) * (terms.rate(row) / terms.delassus(row, row));
  Settling settling{.closed = decide_modes(system, still, states, options)};
  if (!settling.closed.found) return settling;
  const VectorXd acceleration =
      piece_rate(system, settling.closed.states, still.q, still.v, still.t, options.compliance)
          .acceleration;
  settling.after = [&system, &options, at, still, acceleration,
                    modes = settling.closed.states](double s) {
    VectorXd q_rate(system.smooth.nq);
    system.smooth.in<double>().coordinate_rate(still.q, still.v + 0.5 * s * acceleration, q_rate);
    Instant later{.t = at.t + s,
                  .q = configuration_within(system, modes, still.q + s * q_rate),
                  .v = {},
                  .accounts = at.accounts};
    later.v = velocity_within(system, modes, later.q, at.v + s * acceleration, options.compliance);
    if (system.smooth.has_potential)
      later.accounts(2) += mechanical_energy(system.smooth, at.q, at.v) -
                           mechanical_energy(system.smooth, later.q, later.v);
    return later;
  };
  return settling;
}

}  // namespace rigidlimit
