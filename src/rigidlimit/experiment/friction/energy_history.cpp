#include "rigidlimit/experiment/friction/energy_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

struct Instant {
  VectorXd q, v;
  EnergyAccounts accounts;
};

/// The reached samples, and the left and right limits of every event, in the order of time.
std::vector<Instant> instants_of(const NonsmoothMotion& motion) {
  std::vector<Instant> all;
  std::size_t next = 0;
  const auto add_events_before = [&](double t) {
    for (; next < motion.events.size() && motion.events[next].t <= t; ++next) {
      const ContactEvent& event = motion.events[next];
      const EnergyAccounts accounts = motion.event_accounts.col(static_cast<Index>(next));
      all.push_back({event.q, event.v_before, accounts});
      all.push_back({event.q, event.v_after, accounts});
    }
  };
  for (std::size_t k = 0; k < motion.motion.times.size(); ++k) {
    const auto i = static_cast<Index>(k);
    if (!motion.motion.q.col(i).allFinite() || !motion.motion.v.col(i).allFinite()) break;
    // A sample at an event is right-continuous: it follows both limits.
    add_events_before(motion.motion.times[k]);
    all.push_back({motion.motion.q.col(i), motion.motion.v.col(i), motion.accounts.col(i)});
  }
  add_events_before(motion.t_reached);
  return all;
}

}  // namespace

EnergyHistory energy_of(const FrictionStudy& study, const NonsmoothMotion& motion) {
  const System& system = study.model.smooth;
  EnergyHistory energy;
  energy.known = system.has_potential;
  const std::vector<Instant> instants = instants_of(motion);
  if (instants.empty() || !energy.known) return energy;
  double least = std::numeric_limits<double>::infinity(), low = least, high = -least;
  for (const Instant& now : instants) {
    const double total = mechanical_energy(system, now.q, now.v);
    if (&now == &instants.front()) energy.at_start = total;
    const double without_work = total - now.accounts(0);
    energy.largest_growth = std::max(energy.largest_growth, without_work - least);
    energy.largest_change =
        std::max(energy.largest_change, std::abs(without_work - energy.at_start));
    least = std::min(least, without_work);
    low = std::min(low, total);
    high = std::max(high, total);
    energy.scale = std::max({energy.scale, kinetic_energy(system, now.q, now.v),
                             std::abs(now.accounts(0)), std::abs(now.accounts(1))});
  }
  energy.scale = std::max(energy.scale, high - low);
  const Instant& last = instants.back();
  energy.at_end = mechanical_energy(system, last.q, last.v);
  energy.work = last.accounts(0);
  energy.lost_in_slipping = last.accounts(1);
  energy.lost_at_impacts = last.accounts(2);
  for (const ContactEvent& event : motion.events)
    energy.lost_at_impacts += kinetic_energy(system, event.q, event.v_before) -
                              kinetic_energy(system, event.q, event.v_after);
  energy.unaccounted = energy.at_start + energy.work - energy.lost_at_impacts -
                       energy.lost_in_slipping - energy.at_end;
  return energy;
}

}  // namespace rigidlimit
