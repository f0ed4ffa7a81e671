#include "rigidlimit/contact/energy_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

struct HistoryInstant {
  VectorXd q, v;
  EnergyAccounts accounts;
};

/// The work of the surfaces that move in an impact: −κᵀe of M Δv = Nᵀp − Wᵀλ − Eᵀκ.
double surface_work(const FrictionalSystem& system, const ContactEvent& event) {
  const System& smooth = system.smooth;
  if (smooth.exact_rates().isZero(0.0)) return 0.0;
  MatrixXd rows(smooth.ne + smooth.m, smooth.n), normal(system.nc(), smooth.n);
  VectorXd momentum(smooth.n);
  smooth.in<double>().constraints(event.q, rows);
  system.geometry->normal_rows(event.q, normal);
  smooth.in<double>().inertia_force(event.q, event.v_after - event.v_before, momentum);
  const VectorXd v = least_exact_velocity(smooth, event.q);  // E v = e
  const VectorXd w = (rows * v).tail(smooth.m), g_rate = normal * v;
  return momentum.dot(v) + event.impulse.head(smooth.m).dot(w) -
         event.impulse.tail(system.nc()).dot(g_rate);
}

/// The reached samples, and the left and right limits of every event, in the order of time. Their
/// work contains that of the surfaces in impacts.
std::vector<HistoryInstant> instants_of(const FrictionalSystem& system,
                                        const NonsmoothMotion& motion) {
  std::vector<HistoryInstant> all;
  std::size_t next = 0;
  EnergyAccounts struck = EnergyAccounts::Zero();
  const auto add_events_before = [&](double t) {
    for (; next < motion.events.size() && motion.events[next].t <= t; ++next) {
      const ContactEvent& event = motion.events[next];
      const EnergyAccounts accounts = motion.event_accounts.col(static_cast<Index>(next));
      all.push_back({event.q, event.v_before, accounts + struck});
      struck(0) += surface_work(system, event);
      all.push_back({event.q, event.v_after, accounts + struck});
    }
  };
  for (std::size_t k = 0; k < motion.motion.times.size(); ++k) {
    const auto i = static_cast<Index>(k);
    if (!motion.motion.q.col(i).allFinite() || !motion.motion.v.col(i).allFinite()) break;
    // A sample at an event is right-continuous: it follows both limits.
    add_events_before(motion.motion.times[k]);
    all.push_back(
        {motion.motion.q.col(i), motion.motion.v.col(i), motion.accounts.col(i) + struck});
  }
  add_events_before(motion.t_reached);
  return all;
}

/// The error of K + P at an instant: rounding, and an error `atol` of q against all contact forces
/// and of v against all momenta. A body at rest has no other scale of energy.
double floor_at(const System& system, const HistoryInstant& now, double t, double atol) {
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  const double kinetic = kinetic_energy(system, now.q, now.v),
               potential = mechanical_energy(system, now.q, now.v) - kinetic;
  VectorXd force(system.n), momentum(system.n);
  system.in<double>().force(now.q, now.v, t, force);
  system.in<double>().inertia_force(now.q, now.v, momentum);
  return rounding * (kinetic + std::abs(potential)) +
         atol * (force.lpNorm<1>() + momentum.lpNorm<1>());
}

}  // namespace

EnergyHistory energy_of(const FrictionalSystem& contacts, const NonsmoothMotion& motion,
                        double atol) {
  const System& system = contacts.smooth;
  EnergyHistory energy;
  energy.known = system.has_potential;
  const std::vector<HistoryInstant> instants = instants_of(contacts, motion);
  if (instants.empty() || !energy.known) return energy;
  double least = std::numeric_limits<double>::infinity(), low = least, high = -least;
  for (const HistoryInstant& now : instants) {
    const double total = mechanical_energy(system, now.q, now.v);
    if (&now == &instants.front()) energy.at_start = total;
    const double without_work = total - now.accounts(0);
    energy.largest_growth = std::max(energy.largest_growth, without_work - least);
    energy.largest_change =
        std::max(energy.largest_change, std::abs(without_work - energy.at_start));
    least = std::min(least, without_work);
    low = std::min(low, total);
    high = std::max(high, total);
    energy.floor = std::max(energy.floor, floor_at(system, now, motion.motion.times.front(), atol));
    energy.scale = std::max({energy.scale, kinetic_energy(system, now.q, now.v),
                             std::abs(now.accounts(0)), std::abs(now.accounts(1))});
  }
  energy.scale = std::max(energy.scale, high - low);
  const HistoryInstant& last = instants.back();
  energy.at_end = mechanical_energy(system, last.q, last.v);
  energy.work = last.accounts(0);
  energy.lost_in_slipping = last.accounts(1);
  energy.lost_at_impacts = last.accounts(2);
  for (const ContactEvent& event : motion.events)
    energy.lost_at_impacts += kinetic_energy(system, event.q, event.v_before) +
                              surface_work(contacts, event) -
                              kinetic_energy(system, event.q, event.v_after);
  energy.unaccounted = energy.at_start + energy.work - energy.lost_at_impacts -
                       energy.lost_in_slipping - energy.at_end;
  return energy;
}

}  // namespace rigidlimit
