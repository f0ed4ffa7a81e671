#include "rigidlimit/contact/variational_inequality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "rigidlimit/core/stop_request.hpp"

namespace rigidlimit {

namespace {

/// w (m) at one configuration.
VectorXd sliding_velocity(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v) {
  const System& smooth = system.smooth;
  MatrixXd rows(smooth.ne + smooth.m, smooth.n);
  smooth.in<double>().constraints(q, rows);
  return (rows * v).tail(smooth.m);
}

/// Random velocities from the raw bits of an engine that the standard fixes; its distributions
/// vary.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}

  VectorXd velocity(Index components, double longest) {
    const double length = longest * uniform();
    if (components == 1) return VectorXd::Constant(1, uniform() < 0.5 ? -length : length);
    const double angle = 2.0 * std::numbers::pi * uniform();
    return length * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  }

 private:
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

bool finite_column(const Motion& motion, Index k) {
  return motion.q.col(k).allFinite() && motion.v.col(k).allFinite() &&
         motion.lambda.col(k).allFinite();
}

/// One contact at one time: w, T = −λ and μ|p|.
struct InequalityState {
  VectorXd u_1;
  VectorXd T;
  double rim = 0.0;

  double value(const VectorXd& v_1) const {
    return T.dot(v_1 - u_1) + rim * (v_1.norm() - u_1.norm());
  }
};

InequalityState state_of(const FrictionalSystem& system, const Motion& motion, Index k, Index i) {
  const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
  const VectorXd w = sliding_velocity(system, motion.q.col(k), motion.v.col(k));
  return {.u_1 = w.segment(contact.first, contact.components),
          .T = -motion.lambda.col(k).segment(contact.first, contact.components),
          .rim = contact.friction * std::abs(motion.lambda(system.smooth.m + i, k))};
}

}  // namespace

InequalityCheck check_inequality(const FrictionalSystem& system, const Motion& motion,
                                 const VirtualVelocities& virtual_velocities) {
  StopRequest stop(virtual_velocities.stop_requested, 4096);
  InequalityCheck check{.speed = virtual_velocities.speed};
  for (Index k = 0; k < motion.v.cols(); ++k)
    for (Index i = 0; i < system.nc() && finite_column(motion, k); ++i) {
      stop.check();
      check.speed = std::max(check.speed, state_of(system, motion, k, i).u_1.norm());
    }
  double least = std::numeric_limits<double>::infinity(), relative = least;
  Draws draws(virtual_velocities.seed);
  for (Index k = 0; k < motion.v.cols(); ++k) {
    double scale = 0.0;
    for (Index i = 0; i < system.nc() && finite_column(motion, k); ++i) {
      const InequalityState state = state_of(system, motion, k, i);
      scale = std::max(scale, (state.T.norm() + state.rim) * check.speed);
    }
    for (Index i = 0; i < system.nc() && finite_column(motion, k); ++i) {
      const InequalityState state = state_of(system, motion, k, i);
      if (state.T.size() == 0) continue;  // no sliding row, no friction
      const bool presses = state.T.norm() + state.rim > 0.0;
      for (int draw = 0; draw < virtual_velocities.draws; ++draw, ++check.drawn) {
        stop.check();
        const double value = state.value(draws.velocity(state.u_1.size(), 2.0 * check.speed));
        least = std::min(least, value);
        if (!presses || value / scale >= relative) continue;
        relative = value / scale;
        check.contact = i;
        check.t = motion.times[static_cast<std::size_t>(k)];
      }
    }
  }
  if (check.drawn > 0) check.least = least;
  if (check.contact >= 0) check.relative = relative;
  return check;
}

}  // namespace rigidlimit
