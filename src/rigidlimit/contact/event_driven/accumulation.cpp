#include "rigidlimit/contact/event_driven/accumulation.hpp"

#include <cmath>

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

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
