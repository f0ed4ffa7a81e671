#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/frictional/frictional_rate.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// ∂f/∂y and ∂f/∂t. At a kink the derivative is that of the branch of the value.
///
/// x = (a, κ) and p_b are differentiated implicitly: with X the inertia's answer to λ, B = −X_b and
/// L = ∂λ/∂p_b,
///
///   ∂x = ∂x|p_b − X L ∂p_b,   (I − B L) ∂p_b = −∂x_b|p_b,
///
/// ∂x|p_b is the inertia's response to the residual of the values at fixed (a, κ, p_b). m_eff of a
/// unilateral contact is 1/s with s = 2 N z − zᵀ M z − 2 κ_zᵀ R z. s is stationary in (z, κ_z),
/// which may therefore stay fixed.
///
/// Each copy has a workspace: one thread at a time.
class FrictionalDerivatives {
 public:
  explicit FrictionalDerivatives(FrictionalRate rate) : rate_(std::move(rate)) {}

  void write_jacobian(double t, VectorIn y, MatrixOut J);
  void write_time_derivative(double t, VectorIn y, VectorOut f);

 private:
  struct Forces;
  /// ∂f in K directions: y changes by dy (size × K), and the terms of the body by `d`, whose
  /// columns belong to the first directions.
  MatrixXd change(VectorIn y, const MatrixXd& dy, const BalanceDerivatives& d) const;
  Forces force_changes(VectorIn y, const MatrixXd& dy, const BalanceDerivatives& d) const;
  void add_unilateral(Index i, VectorIn y, const MatrixXd& dy, Forces& changes) const;
  VectorXd mobility_gradient(Index i, VectorIn q) const;
  MatrixXd solve(const BalanceDerivatives& d, Forces& changes) const;

  FrictionalRate rate_;
};

/// ∂p (nc × K) and ∂λ (m × K), at first with (a, κ, p_b) fixed.
struct FrictionalDerivatives::Forces {
  MatrixXd p, lambda;
};

void FrictionalDerivatives::write_jacobian(double t, VectorIn y, MatrixOut J) {
  const FrictionalShape& s = rate_.shape();
  rate_.balance(t, y);
  VectorXd load(s.normal_at() + s.nc);
  load << rate_.accelerations().segment(s.n, s.ne), rate_.friction(), -rate_.normal_forces();
  J = change(y, MatrixXd::Identity(s.size(), s.size()),
             rate_.tapes().derivatives(t, y.head(s.nq), y.segment(s.nq, s.n),
                                       rate_.accelerations().head(s.n), load));
}

void FrictionalDerivatives::write_time_derivative(double t, VectorIn y, VectorOut f) {
  const FrictionalShape& s = rate_.shape();
  rate_.balance(t, y);
  f = change(y, MatrixXd::Zero(s.size(), 1),
             rate_.tapes().time_derivatives(t, y.head(s.nq), y.segment(s.nq, s.n)));
}

/// ∂s/∂q, s the mobility 1/m_eff of contact i.
VectorXd FrictionalDerivatives::mobility_gradient(Index i, VectorIn q) const {
  const FrictionalShape& s = rate_.shape();
  const VectorXd& response = rate_.response(i);
  VectorXd load = VectorXd::Zero(s.normal_at() + s.nc);
  load(s.held) = 2.0 * response.tail(s.held_count());
  load(s.normal_at() + i) = -2.0;
  return -rate_.tapes().load_gradient(q, response.head(s.n), load);
}

/// ∂p of contact i: m_eff = 1/s.
void FrictionalDerivatives::add_unilateral(Index i, VectorIn y, const MatrixXd& dy,
                                           Forces& changes) const {
  const FrictionalShape& s = rate_.shape();
  const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(i)];
  const Index gamma = s.gap_at() + c.unilateral, h = s.gap_rate_at() + c.unilateral;
  changes.p.row(i).setZero();
  if (!rate_.closed(c, y)) return;
  const double mass = rate_.effective_mass(i);
  const UnilateralSlope slope = unilateral_slope(c, y(gamma), y(h), mass);
  changes.p.row(i) = slope.gamma * dy.row(gamma) + slope.h * dy.row(h);
  if (slope.effective_mass != 0.0)
    changes.p.row(i) -= slope.effective_mass * mass * mass *
                        (mobility_gradient(i, y.head(s.nq)).transpose() * dy.topRows(s.nq));
}

FrictionalDerivatives::Forces FrictionalDerivatives::force_changes(
    VectorIn y, const MatrixXd& dy, const BalanceDerivatives& d) const {
  const FrictionalShape& s = rate_.shape();
  Forces changes{MatrixXd::Zero(s.nc, dy.cols()), MatrixXd(s.m, dy.cols())};
  for (Index i = 0; i < s.nc; ++i) {
    const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(i)];
    if (c.normal == Normal::given)
      changes.p.row(i).head(d.normal_force.cols()) = d.normal_force.row(i);
    if (c.unilateral >= 0) add_unilateral(i, y, dy, changes);
    const Index w = s.sliding_at() + c.first, stored = s.springs > 0 ? c.components : 0;
    const Index eta = s.deflection_at() + (s.springs > 0 ? c.first : 0);
    const FrictionSlope slope = friction_slope(c, rate_.normal_forces()(i), y.segment(eta, stored),
                                               y.segment(w, c.components));
    MatrixXd pull = dy.middleRows(w, c.components);
    if (stored > 0) pull = c.stiffness * dy.middleRows(eta, stored) + c.damping * pull;
    changes.lambda.middleRows(c.first, c.components) =
        slope.by_force * changes.p.row(i) + slope.by_pull * pull;
  }
  return changes;
}

/// ∂x; adds to ∂λ the contribution of ∂p_b.
MatrixXd FrictionalDerivatives::solve(const BalanceDerivatives& d, Forces& changes) const {
  const FrictionalShape& s = rate_.shape();
  const Index moved = d.force.cols();
  const auto X = rate_.terms().rows();
  constexpr double k = exact_constraint_recovery;
  MatrixXd left = MatrixXd::Zero(s.n + s.held_count(), changes.p.cols());
  left.topRows(s.n) = X.bottomRows(s.nc).transpose() * changes.p;
  left.topRows(s.n) -= X.middleRows(s.ne, s.m).transpose() * changes.lambda;
  left.topLeftCorner(s.n, moved) += d.force - d.load;
  left.bottomLeftCorner(s.held_count(), moved) =
      -(d.drift + d.acceleration)(s.held, Eigen::all) -
      s.recovery.asDiagonal() * d.velocity(s.held, Eigen::all);
  for (Index b = 0; b < s.bilateral; ++b)
    left.row(s.n + s.ne + b).head(moved) -=
        k * k * d.gap.row(s.held[static_cast<std::size_t>(s.ne + b)] - s.normal_at());
  MatrixXd change = rate_.inertia().solve_whole(left);
  if (s.bilateral == 0) return change;
  const MatrixXd& response = rate_.friction_response();
  const MatrixXd& L = rate_.friction_slope();
  const MatrixXd J =
      MatrixXd::Identity(s.bilateral, s.bilateral) - response.bottomRows(s.bilateral) * L;
  const MatrixXd owed = L * LuFactors<double>(J).solve(MatrixXd(-change.bottomRows(s.bilateral)));
  changes.lambda += owed;
  return change - response * owed;
}

MatrixXd FrictionalDerivatives::change(VectorIn y, const MatrixXd& dy,
                                       const BalanceDerivatives& d) const {
  const FrictionalShape& s = rate_.shape();
  const Index moved = d.force.cols();
  constexpr double k = exact_constraint_recovery;
  Forces changes = force_changes(y, dy, d);
  MatrixXd f = MatrixXd::Zero(s.size(), dy.cols());
  f.topLeftCorner(s.nq, moved) = d.coordinate_rate;
  f.middleRows(s.nq, s.n) = solve(d, changes).topRows(s.n);
  MatrixXd contact_rate = rate_.terms().rows() * f.middleRows(s.nq, s.n);
  contact_rate.leftCols(moved) += d.acceleration + d.drift + k * d.velocity;
  f.middleRows(s.sliding_at(), s.m) =
      contact_rate.middleRows(s.ne, s.m) - k * dy.middleRows(s.sliding_at(), s.m);
  for (const CompliantContact& c : rate_.contacts()) {
    if (s.springs > 0) {
      const Index eta = s.deflection_at() + c.first;
      f.middleRows(eta, c.components) = (changes.lambda.middleRows(c.first, c.components) -
                                         c.stiffness * dy.middleRows(eta, c.components)) /
                                        (c.damping * c.deflection_scale);
    }
    if (c.unilateral < 0) continue;
    const Index h = s.gap_rate_at() + c.unilateral, i = &c - rate_.contacts().data();
    f.row(s.gap_at() + c.unilateral) = dy.row(h) / rate_.epsilon();
    f.row(h) = contact_rate.row(s.normal_at() + i) - k * dy.row(h);
  }
  return f;
}

}  // namespace

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
  if (const auto& switches = system.smooth.switches)
    for (Index k = 0; k < switches->count(); ++k)
      if (!switches->depends_on_time_alone(k)) kinks.push_back({CompliantKink::Kind::switches, k});
  return kinks;
}

namespace {

/// Whether a state that follows a function of (q, v) has lost it: far beyond the errors of a solve.
bool is_stale(double state, double function) {
  constexpr double relative = 1e-5;
  return std::abs(state - function) > relative * (1.0 + std::abs(function));
}

/// The root functions, one for each of kinks_of().
class Kinks {
 public:
  explicit Kinks(FrictionalRate rate)
      : rate_(std::move(rate)),
        kinks_(kinks_of(rate_.system())),
        of_q_(rate_.system().kink_count) {}

  void operator()(double t, VectorIn y, VectorOut values) {
    rate_.balance(t, y);
    const FrictionalShape& s = rate_.shape();
    if (of_q_.size() > 0) rate_.system().kinks(y.head(s.nq), of_q_);
    if (const auto& switches = rate_.system().smooth.switches)
      sigma_ = switches->values(t, y.head(s.nq), y.segment(s.nq, s.n));
    for (std::size_t k = 0; k < kinks_.size(); ++k)
      values(static_cast<Index>(k)) = value(kinks_[k], y);
  }

 private:
  double value(const CompliantKink& kink, VectorIn y) const {
    if (kink.kind == CompliantKink::Kind::geometry) return of_q_(kink.which);
    if (kink.kind == CompliantKink::Kind::switches) return sigma_(kink.which);
    const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(kink.which)];
    const double p = rate_.normal_forces()(kink.which);
    if (kink.kind == CompliantKink::Kind::sign) return p;
    if (kink.kind == CompliantKink::Kind::contact) return closed(c, kink.which, y);
    const FrictionalShape& s = rate_.shape();
    // Friction without a normal force only reaches the rim: an open contact slips.
    if (c.unilateral >= 0 && s.marks > 0 && !rate_.closed(c, y)) return 1.0;
    const auto w = y.segment(s.sliding_at() + c.first, c.components);
    if (c.sliding_scale > 0.0) return w.squaredNorm() - c.sliding_scale * c.sliding_scale;
    const auto eta = y.segment(s.deflection_at() + c.first, c.components);
    const double radius = c.friction * p;
    return (c.stiffness * eta + c.damping * w).squaredNorm() - radius * radius;
  }

  /// Positive where p is: the minimum of −γ and of the unlimited force of spring and damper over
  /// C_n. In a flight γ and h are those of (q, v): its steps may pass a narrow surface without
  /// seeing it in the rates of γ and h.
  double closed(const CompliantContact& c, Index i, VectorIn y) const {
    const FrictionalShape& s = rate_.shape();
    const bool open = s.marks > 0 && y(s.mark_at() + c.unilateral) < 0.5;
    double gamma = y(s.gap_at() + c.unilateral), h = y(s.gap_rate_at() + c.unilateral);
    if (open && gamma > 0.0) {
      gamma = rate_.terms().gap()(i) / rate_.epsilon();
      h = rate_.terms().velocity()(s.normal_at() + i);
    }
    const double root = c.normal_damping > 0.0 ? std::sqrt(rate_.effective_mass(i)) : 0.0;
    return std::min(-gamma, -gamma - c.normal_damping * root * h / c.normal_stiffness);
  }

  FrictionalRate rate_;
  std::vector<CompliantKink> kinks_;
  VectorXd of_q_, sigma_;
};

/// Sets w and h to W v and N v where they have lost them: behind a corner of a surface, or a narrow
/// one that a flight has met.
void follow_rows(FrictionalRate& rate, double t, VectorOut y) {
  const FrictionalShape& s = rate.shape();
  rate.balance(t, y);
  const auto velocity = rate.terms().velocity();
  const auto follow = [&](Index state, Index row) {
    if (is_stale(y(state), velocity(row))) y(state) = velocity(row);
  };
  for (Index k = 0; k < s.m; ++k) follow(s.sliding_at() + k, s.ne + k);
  for (Index i = 0; i < s.nc; ++i)
    if (const Index u = rate.contacts()[static_cast<std::size_t>(i)].unilateral; u >= 0)
      follow(s.gap_rate_at() + u, s.normal_at() + i);
}

/// Changes the sides of switches, and marks contacts that have just closed or opened. A contact
/// closes at γ = 0. The remainder is the motion within the resolution of t, which for a stiff
/// contact is a noticeable part of its impact, or that of a surface between two steps.
void set_marks(FrictionalRate& rate, const std::vector<CompliantKink>& kinks, double t,
               const std::vector<int>& crossed, VectorOut y) {
  const FrictionalShape& s = rate.shape();
  std::vector<Index> closed;
  bool rows_change = false;
  for (std::size_t k = 0; k < kinks.size(); ++k) {
    const auto [kind, which] = kinks[k];
    if (crossed[k] == 0) continue;
    if (kind == CompliantKink::Kind::switches) y(s.side_at() + which) = crossed[k];
    if (kind == CompliantKink::Kind::contact) {
      const Index u = rate.contacts()[static_cast<std::size_t>(which)].unilateral;
      y(s.mark_at() + u) = crossed[k] > 0 ? 1.0 : 0.0;
      if (crossed[k] > 0) closed.push_back(u);
    }
    rows_change = rows_change || kind == CompliantKink::Kind::switches || !closed.empty();
  }
  if (rows_change) follow_rows(rate, t, y);
  for (const Index u : closed)  // a force that returns before its gap has opened has no jump
    if (y(s.gap_rate_at() + u) < 0.0) y(s.gap_at() + u) = 0.0;
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

/// RootFunctions::may_return: of the gaps of open contacts and of switches.
std::vector<bool> may_return(const ReturnCheck& check, const FrictionalShape& s,
                             const std::vector<CompliantContact>& contacts,
                             const std::vector<CompliantKink>& kinks,
                             const RootFunctions::Part& part) {
  const Index size = s.nq + s.n;
  Ranges at{VectorXd(1 + size), VectorXd(1 + size)}, rates = at;
  at.low << part.t0, part.low.head(size);
  at.high << part.t1, part.high.head(size);
  rates.low << 1.0, part.rate_low.head(size);
  rates.high << 1.0, part.rate_high.head(size);
  const std::vector<bool> of_system = check(at, rates);
  std::vector<bool> of_kinks;
  for (const CompliantKink& kink : kinks) {
    const bool contact = kink.kind == CompliantKink::Kind::contact;
    bool may = false;
    if (contact && s.marks > 0) {
      const Index u = contacts[static_cast<std::size_t>(kink.which)].unilateral;
      may = part.low(s.mark_at() + u) < 0.5 && of_system[static_cast<std::size_t>(kink.which)];
    } else if (kink.kind == CompliantKink::Kind::switches) {
      may = of_system[static_cast<std::size_t>(s.nc + kink.which)];
    }
    of_kinks.push_back(may);
  }
  return of_kinks;
}

/// The sides of the switches at the start (Switches::sides_at_start()).
void set_sides_at_start(const FrictionalShape& s, FrictionalRate rate, VectorXd& y0) {
  const auto rates = [&](const Sides& sides, double t, VectorIn q, VectorIn v) {
    VectorXd y = y0, f(s.size());
    y.head(s.nq) = q;
    y.segment(s.nq, s.n) = v;
    for (std::size_t k = 0; k < sides.size(); ++k)
      y(s.side_at() + static_cast<Index>(k)) = sides[k];
    rate(t, y, f);
    return Switches::Rates{f.head(s.nq), f.segment(s.nq, s.n)};
  };
  const Sides sides = rate.system().smooth.switches->sides_at_start(0.0, y0.head(s.nq),
                                                                    y0.segment(s.nq, s.n), rates);
  for (Index k = 0; k < s.switches; ++k) y0(s.side_at() + k) = sides[static_cast<std::size_t>(k)];
}

/// The instants at which switches of t alone change.
std::vector<RootFunctions::Instant> instants_of(const FrictionalShape& s, const Switches& switches,
                                                double end) {
  std::vector<RootFunctions::Instant> all;
  for (const Switches::Instant& instant : switches.instants(end))
    all.push_back({instant.t, [s, which = instant.which](VectorOut y) {
                     for (const Index k : which) y(s.side_at() + k) *= -1.0;
                   }});
  return all;
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

Motion frictional_motion(const Solution& solution, FrictionalRate rate) {
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

namespace {

/// Normal forces by the law at a sample, with γ and h changed by `shift`, m and m/s.
VectorXd forces_by_law(FrictionalRate& rate, const Motion& motion, Index k, double shift) {
  const FrictionalShape& s = rate.shape();
  const double t = motion.times[static_cast<std::size_t>(k)];
  VectorXd y = VectorXd::Zero(s.size());
  y.head(s.nq) = motion.q.col(k);
  y.segment(s.nq, s.n) = motion.v.col(k);
  BalanceTerms at;
  rate.tapes().terms(t, motion.q.col(k), motion.v.col(k), at);
  for (Index i = 0; i < s.nc; ++i) {
    const Index u = rate.contacts()[static_cast<std::size_t>(i)].unilateral;
    if (u < 0) continue;
    y(s.gap_at() + u) = (at.gap()(i) + shift) / rate.epsilon();
    y(s.gap_rate_at() + u) = at.velocity()(s.normal_at() + i) + shift;
  }
  rate.balance(t, y);
  return rate.normal_forces();
}

std::string text_of_violation(const FrictionalSystem& system, Index i, double t, double gap,
                              double force, double least, double most) {
  return fmt::format(
      "contact {} contradicts its law at t = {:.9g} s: gap {:.6g} m, normal force {:.6g} N, "
      "by the law {:.6g} to {:.6g} N",
      system.contacts[static_cast<std::size_t>(i)].name, t, gap, force, least, most);
}

}  // namespace

std::string violation_of_law(const FrictionalSystem& system, const InitialState& start,
                             const FrictionalLaw& law, double epsilon, const Motion& motion,
                             double error) {
  FrictionalRate rate(system, start, law, epsilon, Closing::crossed);
  const FrictionalShape& s = rate.shape();
  if (s.unilateral == 0 || motion.q.cols() == 0) return {};
  const MatrixXd p = motion.lambda.bottomRows(s.nc);
  VectorXd gap(s.nc);
  for (Index k = 0; k < motion.q.cols() && motion.q.col(k).allFinite(); ++k) {
    const VectorXd least = forces_by_law(rate, motion, k, error),
                   most = forces_by_law(rate, motion, k, -error);
    for (Index i = 0; i < s.nc; ++i) {
      if (rate.contacts()[static_cast<std::size_t>(i)].unilateral < 0) continue;
      constexpr double rounding = 1e-9;
      if (p(i, k) >= least(i) * (1.0 - rounding) && p(i, k) <= most(i) * (1.0 + rounding)) continue;
      system.geometry->gap(motion.q.col(k), gap);
      return text_of_violation(system, i, motion.times[static_cast<std::size_t>(k)], gap(i),
                               p(i, k), least(i), most(i));
    }
  }
  return {};
}

MotionProblem<OdeProblem> frictional_compliant(const FrictionalSystem& system,
                                               const InitialState& start, const FrictionalLaw& law,
                                               double epsilon, Closing closing) {
  const FrictionalRate rate(system, start, law, epsilon, closing);
  const FrictionalShape& shape = rate.shape();
  OdeProblem ode;
  ode.name = "compliant contacts with friction in (q, v, eta, w, gamma, h)";
  ode.y0 = initial_values(system, start, shape, epsilon);
  if (shape.switches > 0) set_sides_at_start(shape, rate, ode.y0);
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
  if (shape.switches > 0)
    roots.instants = [shape, switches = system.smooth.switches](double end) {
      return instants_of(shape, *switches, end);
    };
  if (shape.marks + shape.switches > 0)
    roots.reached = [rate = rate, kinks](double t, const std::vector<int>& crossed,
                                         VectorOut y) mutable {
      set_marks(rate, kinks, t, crossed, y);
      return true;
    };
  roots.may_return = [returns = system.return_check, contacts = rate.contacts(), shape,
                      kinks](const RootFunctions::Part& part) {
    return may_return(*returns, shape, contacts, kinks, part);
  };
  if (!kinks.empty() || roots.instants)
    ode.roots = std::make_shared<const RootFunctions>(std::move(roots));
  return {std::move(ode),
          [rate](const Solution& solution) { return frictional_motion(solution, rate); }};
}

}  // namespace rigidlimit
