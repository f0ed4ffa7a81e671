#include "rigidlimit/experiment/friction/rigid_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

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
  side.report.energy = energy_of(study.model, side.report.motion, study.solvers.rigid_atol);
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

std::string modes_at(const NonsmoothMotion& motion, double t) {
  std::string modes = motion.initial_modes;
  for (const ContactEvent& event : motion.events)
    if (event.t <= t) modes = event.modes;
  return modes;
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
