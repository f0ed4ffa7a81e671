#include "rigidlimit/experiment/friction/rigid_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// End of the comparison with the rigid motion.
double compared_end(const FrictionStudy& study, const NonsmoothMotion& motion) {
  if (motion.outcome == Outcome::success) return study.time.compared;
  if (!study.time.until_stop) return 0.0;
  // The motion fails at its end: the samples keep a distance from it.
  const double safe = motion.t_reached - std::max(study.time.margin, 1e-6 * study.time.end);
  return std::clamp(safe, 0.0, study.time.compared);
}

std::vector<double> event_times_of(const NonsmoothMotion& motion, double end) {
  std::vector<double> times;
  for (const ContactEvent& event : motion.events)
    if (event.t <= end && (times.empty() || event.t > times.back())) times.push_back(event.t);
  return times;
}

/// For an accumulation: its distance from the last event time of the closed form before the next
/// event. Its impacts are nearer, but they are not its end.
double distance_of_accumulation(double t, const std::vector<ContactEvent>& events,
                                const std::vector<double>& known) {
  double before = std::numeric_limits<double>::infinity();
  for (const ContactEvent& event : events)
    if (event.t > t) before = std::min(before, 0.5 * (t + event.t));
  double last = std::nan("");
  for (const double at : known)
    if (at < before && !(at <= last)) last = at;
  return std::abs(last - t);
}

/// The largest distance of an event from the nearest one of the closed form.
double distance_of_events(const NonsmoothMotion& motion, const std::vector<double>& known) {
  double largest = std::nan("");
  for (const ContactEvent& event : motion.events) {
    if (event.kind == EventKind::kink || event.kind == EventKind::time_switch) continue;
    if (event.kind == EventKind::accumulation) {
      const double off = distance_of_accumulation(event.t, motion.events, known);
      if (!(largest >= off)) largest = off;
      continue;
    }
    double nearest = std::nan("");
    for (const double t : known)
      if (!(std::abs(t - event.t) >= nearest)) nearest = std::abs(t - event.t);
    if (!(largest >= nearest)) largest = nearest;
  }
  return largest;
}

void find_events(const FrictionStudy& study, RigidSide& side) {
  side.windows.margin = study.time.margin;
  side.windows.events = event_times_of(side.report.motion, side.end);
  if (study.solvers.reference != FrictionSolvers::Reference::closed_form) return;
  const auto known =
      study.model.closed_history(study.initial, uniform_grid(study.time.end, study.time.samples));
  if (!known) return;
  side.report.known_event_times = known->event_times;
  side.report.event_time_error = distance_of_events(side.report.motion, known->event_times);
}

}  // namespace

VectorXd redundant_compliance(const FrictionStudy& study) {
  const FrictionalSystem& system = study.model;
  const Index m = system.smooth.m;
  VectorXd all = VectorXd::Zero(system.forces());
  std::vector<Index> unknown;  // rows of the forces that the laws determine
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    for (Index row = contact.first; row < contact.first + contact.components; ++row) {
      all(row) = 1.0 / study.contact.tangential_stiffness(i);
      least = std::min(least, all(row));
      unknown.push_back(row);
    }
    if (contact.normal == Normal::given) continue;
    unknown.push_back(m + i);
    if (contact.normal != Normal::unilateral) continue;
    all(m + i) = 1.0 / study.contact.normal_stiffness(i);
    least = std::min(least, all(m + i));
  }
  for (Index i = 0; i < system.nc(); ++i)
    if (system.contacts[static_cast<std::size_t>(i)].normal == Normal::bilateral &&
        std::isfinite(least))
      all(m + i) = 1e-9 * least;
  const MatrixXd delassus = contact_rows(system, study.initial.q).delassus(unknown, unknown);
  const bool redundant = std::ssize(independent_columns(delassus, 1e-9)) < delassus.cols();
  return redundant && all.maxCoeff() > 0.0 ? all : VectorXd();
}

NonsmoothOptions rigid_options(const FrictionStudy& study, double factor,
                               const std::function<bool()>& stop_requested) {
  NonsmoothOptions options;
  options.rtol = factor * study.solvers.rigid_rtol;
  options.atol = factor * study.solvers.rigid_atol;
  options.speed_tolerance *= factor;
  options.accumulation_time *= factor;
  if (factor > 1.0) {
    options.method = rigid_reference_method;
    options.stiff_method = "";
  }
  options.max_steps = study.solvers.rigid_max_steps;
  options.compliance = redundant_compliance(study);
  options.stop_requested = stop_requested;
  return options;
}

RigidSide rigid_side_of(const FrictionStudy& study, NonsmoothMotion motion) {
  RigidSide side;
  side.report.motion = std::move(motion);
  side.end = compared_end(study, side.report.motion);
  find_events(study, side);
  side.report.energy = energy_of(study, side.report.motion);
  return side;
}

std::optional<KnownHistory> known_history(const FrictionStudy& study, const RigidSide& side) {
  if (study.solvers.reference != FrictionSolvers::Reference::closed_form) return std::nullopt;
  return study.model.closed_history(study.initial, side.times);
}

void set_judged(const FrictionStudy& study, const NonsmoothMotion& driven,
                const NonsmoothMotion& loose, RigidSide& side) {
  RigidHistory& report = side.report;
  if (auto known = known_history(study, side)) {
    report.judged = "closed form";
    report.reference = "event-driven";
    side.judged = std::move(known->motion);
    side.reference = driven.motion;
  } else {
    report.judged = "event-driven";
    report.reference = fmt::format("event-driven by {} at tolerances × {:.0f}",
                                   rigid_reference_method, rigid_loosening);
    side.judged = driven.motion;
    side.reference = loose.motion;
  }
  const NonsmoothMotion& compared = report.judged == "closed form" ? driven : loose;
  for (const NonsmoothMotion* one : {&driven, &compared})
    if (one->outcome != Outcome::success)
      report.uncompared =
          fmt::format("{} ends at t = {:.9g} s: {}", one == &compared ? "the reference" : "it",
                      one->t_reached, name_of(one->outcome));
  if (!report.uncompared.empty()) return;
  const Motion off = difference(side.judged, side.reference);
  report.q_error = magnitude(off, {.quantity = Quantity::q}, side.windows);
  report.v_error = magnitude(off, {.quantity = Quantity::v}, side.windows);
}

std::string text_of(const ContactEvent& event, const FrictionalSystem& system) {
  std::string text = name_of(event.kind);
  for (const Index c : event.contacts)
    text += " " + system.contacts[static_cast<std::size_t>(c)].name;
  return text;
}

std::string modes_at(const NonsmoothMotion& motion, double t) {
  std::string modes = motion.initial_modes;
  for (const ContactEvent& event : motion.events)
    if (event.t <= t) modes = event.modes;
  return modes;
}

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

}  // namespace

/// The error of K + P at an instant: rounding, and an error `atol` of q against all contact forces
/// and of v against all momenta. A body at rest has no other scale of energy.
double floor_at(const FrictionStudy& study, const HistoryInstant& now) {
  const System& system = study.model.smooth;
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  const double kinetic = kinetic_energy(system, now.q, now.v),
               potential = mechanical_energy(system, now.q, now.v) - kinetic;
  VectorXd force(system.n), momentum(system.n);
  system.in<double>().force(now.q, now.v, study.initial.t, force);
  system.in<double>().inertia_force(now.q, now.v, momentum);
  return rounding * (kinetic + std::abs(potential)) +
         study.solvers.rigid_atol * (force.lpNorm<1>() + momentum.lpNorm<1>());
}

EnergyHistory energy_of(const FrictionStudy& study, const NonsmoothMotion& motion) {
  const System& system = study.model.smooth;
  EnergyHistory energy;
  energy.known = system.has_potential;
  const std::vector<HistoryInstant> instants = instants_of(study.model, motion);
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
    energy.floor = std::max(energy.floor, floor_at(study, now));
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
                              surface_work(study.model, event) -
                              kinetic_energy(system, event.q, event.v_after);
  energy.unaccounted = energy.at_start + energy.work - energy.lost_at_impacts -
                       energy.lost_in_slipping - energy.at_end;
  return energy;
}

namespace {

/// Logarithmic: the springs and dampers of a contact may have times far below ε.
std::vector<double> layer_distances(const FrictionTime& time, double epsilon) {
  constexpr double shortest = Windows::neighbour_distance;
  const double decades = std::log10(std::max(time.layer_width * epsilon / shortest, 1.0));
  const int count = static_cast<int>(std::ceil(decades * time.layer_per_decade));
  std::vector<double> distances{shortest, time.margin};
  for (int k = 1; k <= count; ++k)
    distances.push_back(shortest * std::pow(10.0, decades * k / count));
  return distances;
}

}  // namespace

std::vector<double> friction_grid(const FrictionTime& time, double end, double epsilon,
                                  const std::vector<double>& event_times) {
  std::vector<double> times = uniform_grid(end, time.samples);
  const std::vector<double> layer = layer_distances(time, epsilon);
  const auto add_around = [&](double centre) {
    for (const double distance : layer)
      for (const double t : {centre - distance, centre + distance}) times.push_back(t);
  };
  add_around(0.0);
  for (const double t : event_times) add_around(t);
  const auto is_out = [&](double t) {
    if (t < 0.0 || t > end) return true;
    return t > 0.0 && t < end && std::ranges::any_of(event_times, [&](double e) {
             return std::abs(t - e) < 0.99 * Windows::neighbour_distance;
           });
  };
  std::erase_if(times, is_out);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace rigidlimit
