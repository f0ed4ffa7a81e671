#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/frictional/frictional_jacobian.hpp"

namespace rigidlimit {

std::vector<CompliantKink> kinks_of(const FrictionalSystem& system) {
  std::vector<CompliantKink> kinks;
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& c = system.contacts[static_cast<std::size_t>(i)];
    if (c.normal == Normal::unilateral)
      kinks.push_back({CompliantKink::Kind::contact, i});
    else if (c.friction > 0.0)
      kinks.push_back({CompliantKink::Kind::sign, i});
    if (c.friction > 0.0) kinks.push_back({CompliantKink::Kind::rim, i});
  }
  for (Index k = 0; k < system.kink_count; ++k) kinks.push_back({CompliantKink::Kind::geometry, k});
  return kinks;
}

namespace {

/// The root functions, one for each of kinks_of().
class Kinks {
 public:
  explicit Kinks(FrictionalRate rate)
      : rate_(std::move(rate)),
        kinks_(kinks_of(rate_.system())),
        of_q_(rate_.system().kink_count) {}

  void operator()(double t, VectorIn y, VectorOut values) {
    rate_.balance(t, y);
    if (of_q_.size() > 0) rate_.system().kinks(y.head(rate_.shape().nq), of_q_);
    for (std::size_t k = 0; k < kinks_.size(); ++k)
      values(static_cast<Index>(k)) = value(kinks_[k], y);
  }

 private:
  double value(const CompliantKink& kink, VectorIn y) const {
    if (kink.kind == CompliantKink::Kind::geometry) return of_q_(kink.which);
    const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(kink.which)];
    const double p = rate_.normal_forces()(kink.which);
    if (kink.kind == CompliantKink::Kind::sign) return p;
    if (kink.kind == CompliantKink::Kind::contact) return closed(c, kink.which, y);
    const FrictionalShape& s = rate_.shape();
    const auto w = y.segment(s.sliding_at() + c.first, c.components);
    if (c.sliding_scale > 0.0) return w.squaredNorm() - c.sliding_scale * c.sliding_scale;
    const auto eta = y.segment(s.deflection_at() + c.first, c.components);
    const double radius = c.friction * p;
    return (c.stiffness * eta + c.damping * w).squaredNorm() - radius * radius;
  }

  /// Positive where p is: the minimum of −γ and of the unlimited force of spring and damper over
  /// C_n.
  double closed(const CompliantContact& c, Index i, VectorIn y) const {
    const FrictionalShape& s = rate_.shape();
    const double gamma = y(s.gap_at() + c.unilateral), h = y(s.gap_rate_at() + c.unilateral);
    const double root = c.normal_damping > 0.0 ? std::sqrt(rate_.effective_mass(i)) : 0.0;
    return std::min(-gamma, -gamma - c.normal_damping * root * h / c.normal_stiffness);
  }

  FrictionalRate rate_;
  std::vector<CompliantKink> kinks_;
  VectorXd of_q_;
};

/// Marks contacts that have just closed or opened. A contact closes at γ = 0. The remainder is the
/// motion within the resolution of t, which for a stiff contact is a noticeable part of its impact.
void set_marks(const FrictionalShape& s, const std::vector<CompliantContact>& contacts,
               const std::vector<CompliantKink>& kinks, const std::vector<int>& crossed,
               VectorOut y) {
  for (std::size_t k = 0; k < kinks.size(); ++k) {
    if (kinks[k].kind != CompliantKink::Kind::contact || crossed[k] == 0) continue;
    const Index u = contacts[static_cast<std::size_t>(kinks[k].which)].unilateral;
    y(s.mark_at() + u) = crossed[k] > 0 ? 1.0 : 0.0;
    // A force that returns before its gap has opened (γ < 0, h > 0) begins without a jump.
    if (crossed[k] > 0 && y(s.gap_rate_at() + u) < 0.0) y(s.gap_at() + u) = 0.0;
  }
}

/// Marks contacts that are about to close at the start, where no root occurs.
void mark_closed_at_start(const FrictionalShape& s, FrictionalRate rate, VectorXd& y0) {
  VectorXd f(s.size());
  rate(0.0, y0, f);
  for (Index u = 0; u < s.marks; ++u) {
    const double h = y0(s.gap_rate_at() + u);
    const bool closes = h < 0.0 || (h == 0.0 && f(s.gap_rate_at() + u) < 0.0);
    if (y0(s.gap_at() + u) == 0.0 && closes) y0(s.mark_at() + u) = 1.0;
  }
}

/// (q, v, 0, W v, g/ε, N v). Throws InputError if a unilateral contact is penetrated.
VectorXd initial_values(const FrictionalSystem& system, const InitialState& start,
                        const FrictionalShape& s, double epsilon) {
  if (start.q.size() != s.nq || start.v.size() != s.n)
    throw InputError(fmt::format("the start has {} coordinates and {} velocities, not {} and {}",
                                 start.q.size(), start.v.size(), s.nq, s.n));
  BalanceTerms at;
  system.smooth.tapes->contact_balance().terms(0.0, start.q, start.v, at);
  VectorXd y0 = VectorXd::Zero(s.size());
  y0.head(s.nq) = start.q;
  y0.segment(s.nq, s.n) = start.v;
  y0.segment(s.sliding_at(), s.m) = at.velocity().segment(s.ne, s.m);
  for (Index i = 0, k = 0; i < s.nc; ++i) {
    const ContactPoint& c = system.contacts[static_cast<std::size_t>(i)];
    constexpr double touching = 1e-10;  // m, as in the rigid solvers
    if (c.normal == Normal::unilateral && at.gap()(i) < -touching)
      throw InputError(fmt::format("the start is inside the obstacle: gap = {} m", at.gap()(i)),
                       c.name);
    if (c.normal != Normal::unilateral) continue;
    y0(s.gap_at() + k) = std::max(at.gap()(i), 0.0) / epsilon;
    y0(s.gap_rate_at() + k++) = at.velocity()(s.normal_at() + i);
  }
  return y0;
}

Motion motion_of(const Solution& solution, FrictionalRate rate) {
  const FrictionalShape s = rate.shape();
  MatrixXd forces(s.m + s.nc, solution.states.cols());
  for (Index k = 0; k < forces.cols(); ++k) {
    if (!solution.states.col(k).allFinite()) {
      forces.col(k).setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    rate.balance(solution.times[static_cast<std::size_t>(k)], solution.states.col(k));
    forces.col(k) << rate.friction(), rate.normal_forces();
  }
  return {.times = solution.times,
          .q = solution.states.topRows(s.nq),
          .v = solution.states.middleRows(s.nq, s.n),
          .lambda = std::move(forces)};
}

}  // namespace

MotionProblem<OdeProblem> frictional_compliant(const FrictionalSystem& system,
                                               const InitialState& start, const FrictionalLaw& law,
                                               double epsilon, Closing closing) {
  const FrictionalRate rate(system, start, law, epsilon, closing);
  const FrictionalShape& shape = rate.shape();
  OdeProblem ode;
  ode.name = "compliant contacts with friction in (q, v, eta, w, gamma, h)";
  ode.y0 = initial_values(system, start, shape, epsilon);
  if (shape.marks > 0) mark_closed_at_start(shape, rate, ode.y0);
  ode.rhs = rate;
  const bool given = std::any_of(system.contacts.begin(), system.contacts.end(),
                                 [](const auto& c) { return c.normal == Normal::given; });
  FrictionalDerivatives derivatives(rate);
  ode.jacobian = [derivatives](double t, VectorIn y, MatrixOut J) mutable {
    derivatives.write_jacobian(t, y, J);
  };
  if (system.smooth.explicit_time || given)
    ode.time_derivative = [derivatives](double t, VectorIn y, VectorOut f) mutable {
      derivatives.write_time_derivative(t, y, f);
    };
  const std::vector<CompliantKink> kinks = kinks_of(system);
  RootFunctions roots{.count = static_cast<Index>(kinks.size()), .values = Kinks(rate)};
  if (shape.marks > 0)
    roots.reached = [shape, contacts = rate.contacts(), kinks](
                        double, const std::vector<int>& crossed, VectorOut y) {
      set_marks(shape, contacts, kinks, crossed, y);
      return true;
    };
  if (!kinks.empty()) ode.roots = std::make_shared<const RootFunctions>(std::move(roots));
  return {std::move(ode), [rate](const Solution& solution) { return motion_of(solution, rate); }};
}

}  // namespace rigidlimit
