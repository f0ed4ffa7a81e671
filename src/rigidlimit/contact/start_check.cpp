#include "rigidlimit/contact/start_check.hpp"

#include <fmt/ranges.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/visible_state.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

void check_size(const VectorXd& values, Index size, const char* what) {
  if (values.size() != size)
    throw InputError(fmt::format("the start has {} entries of {}, but the system has {}",
                                 values.size(), what, size));
  for (Index i = 0; i < size; ++i)
    if (!std::isfinite(values(i)))
      throw InputError(fmt::format("entry {} of {} at the start is {}", i, what, values(i)));
}

/// Reason why this contact is inadmissible at the start; empty: it is admissible.
std::string refusal(const ContactPoint& contact, double gap, double speed, double zero_gap,
                    double zero_speed) {
  if (contact.normal == Normal::given) return {};
  if (contact.normal == Normal::unilateral)
    return gap >= -zero_gap ? std::string()
                            : fmt::format("contact {} is penetrated, gap {}", contact.name, gap);
  if (!(std::abs(gap) <= zero_gap))
    return fmt::format("bilateral contact {} is open, gap {}", contact.name, gap);
  if (!(std::abs(speed) <= zero_speed))
    return fmt::format("bilateral contact {} opens with speed {}", contact.name, speed);
  return {};
}

}  // namespace

void check_motion_input(const FrictionalSystem& system, const InitialState& start,
                        const std::vector<double>& times) {
  check_size(start.q, system.smooth.nq, "q");
  check_size(start.v, system.smooth.n, "v");
  if (times.size() < 2) throw InputError("a motion needs at least two times");
  for (std::size_t k = 0; k < times.size(); ++k)
    if (!std::isfinite(times[k]) || (k > 0 && !(times[k] > times[k - 1])))
      throw InputError(fmt::format("time {} is {}: times must increase", k, times[k]));
}

Motion empty_motion(const FrictionalSystem& system, const std::vector<double>& times) {
  const auto count = static_cast<Index>(times.size());
  const double nothing = std::nan("");
  return {.times = times,
          .q = MatrixXd::Constant(system.smooth.nq, count, nothing),
          .v = MatrixXd::Constant(system.smooth.n, count, nothing),
          .lambda = MatrixXd::Constant(system.forces(), count, nothing)};
}

void check_options(const FrictionalSystem& system, const NonsmoothOptions& options) {
  const auto positive = [](const char* what, double value) {
    if (!(value > 0.0) || !std::isfinite(value))
      throw InputError(fmt::format("{} = {} must be positive and finite", what, value));
  };
  positive("rtol", options.rtol);
  positive("atol", options.atol);
  positive("gap_tolerance", options.gap_tolerance);
  positive("speed_tolerance", options.speed_tolerance);
  positive("accumulation_time", options.accumulation_time);
  const OdeMethod* method = find_ode_method(options.method);
  if (!method || !method->roots)
    throw InputError(fmt::format("{} is not a method with root finding", options.method));
  const std::string stiff = options.stiff_method;
  const OdeMethod* other = find_ode_method(stiff);
  if (!stiff.empty() && (!other || !other->roots || !other->stiff))
    throw InputError(fmt::format("{} is not a method for stiff problems with root finding", stiff));
  if (options.max_steps < 1)
    throw InputError(fmt::format("max_steps = {} must be at least 1", options.max_steps));
  if (options.max_events < 1)
    throw InputError(fmt::format("max_events = {} must be at least 1", options.max_events));
  if (options.compliance.size() > 0 &&
      (options.compliance.size() != system.forces() ||
       !(options.compliance.minCoeff() >= 0.0 && options.compliance.maxCoeff() > 0.0)))
    throw InputError(fmt::format("compliance has {} entries, must be {} that are >= 0, not all 0",
                                 options.compliance.size(), system.forces()));
}

std::optional<NonsmoothMotion> inadmissible_start(const FrictionalSystem& system,
                                                  const InitialState& start,
                                                  const std::vector<double>& times,
                                                  const NonsmoothOptions& options) {
  const ContactTerms terms = contact_terms(system, start.q, start.v, times.front());
  const ZeroBounds zero =
      zero_bounds(system, terms, start.q, start.v, options.gap_tolerance, options.speed_tolerance);
  for (Index i = 0; i < system.nc(); ++i) {
    const Index row = system.smooth.m + i;
    const std::string why = refusal(system.contacts[static_cast<std::size_t>(i)], terms.gap(i),
                                    terms.rate(row), zero.gap(i), zero.speed(row));
    if (why.empty()) continue;
    NonsmoothMotion refused;
    refused.outcome = Outcome::inadmissible_state;
    refused.message = fmt::format("t = {}: {}, {}", times.front(), why,
                                  text_of_state(system.smooth, start.q, start.v));
    refused.t_reached = times.front();
    refused.motion = empty_motion(system, times);
    return refused;
  }
  return std::nullopt;
}

std::string names_of(const FrictionalSystem& system, const std::vector<ActiveContact>& active) {
  if (active.empty()) return "none";
  std::string names;
  for (const ActiveContact& one : active)
    names +=
        (names.empty() ? "" : ", ") + system.contacts[static_cast<std::size_t>(one.which)].name;
  return names;
}

std::string text_of_state(const System& system, const VectorXd& q, const VectorXd& v) {
  return fmt::format("q = ({}), v = ({})", fmt::join(visible_coordinates(system, q), ", "),
                     fmt::join(visible_velocities(system, v), ", "));
}

}  // namespace rigidlimit
