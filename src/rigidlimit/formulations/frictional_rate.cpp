#include "rigidlimit/formulations/frictional_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

FrictionalShape::FrictionalShape(const FrictionalSystem& system, const FrictionalLaw& law)
    : nq(system.smooth.nq),
      n(system.smooth.n),
      ne(system.smooth.ne),
      m(system.smooth.m),
      nc(system.nc()) {
  if (law.friction == FrictionalLaw::Friction::projected) springs = m;
  for (const ContactPoint& c : system.contacts) {
    if (c.normal == Normal::unilateral) ++unilateral;
    if (c.normal == Normal::bilateral) ++bilateral;
  }
}

System held_by_contacts(const FrictionalSystem& system) {
  System held = system.smooth;
  for (const ContactPoint& c : system.contacts)
    if (c.normal == Normal::bilateral) ++held.ne;
  return held;
}

FrictionalRate::FrictionalRate(const FrictionalSystem& system, const InitialState& start,
                               const FrictionalLaw& law, double epsilon)
    : system_(system),
      held_(held_by_contacts(system)),
      shape_(system, law),
      contacts_(compliant_contacts(system, start, law, epsilon)),
      epsilon_(epsilon),
      rows_(shape_.ne + shape_.m, shape_.n),
      normals_(shape_.nc, shape_.n),
      held_rows_(held_.ne + shape_.m, shape_.n),
      q_rate_(shape_.nq),
      drift_(shape_.ne + shape_.m),
      normal_drift_(shape_.nc),
      gap_(shape_.nc),
      lambda_(VectorXd::Zero(shape_.m)),
      eta_rate_(VectorXd::Zero(shape_.springs)),
      p_(VectorXd::Zero(shape_.nc)),
      given_(shape_.nc),
      mass_(VectorXd::Zero(shape_.nc)),
      right_(shape_.n + held_.ne),
      x_(shape_.n + held_.ne),
      responses_(static_cast<std::size_t>(shape_.nc)),
      slope_(MatrixXd::Zero(shape_.m, shape_.bilateral)) {}

void FrictionalRate::locate_closings() {
  const double band = std::max(1e-11, 1e-14 / epsilon_);
  for (CompliantContact& c : contacts_) c.open_above = -band;
}

void FrictionalRate::operator()(double t, VectorIn y, VectorOut f) {
  const FrictionalShape& s = shape_;
  balance(t, y);
  f.head(s.nq) = q_rate_;
  if (system_.smooth.ni > 0) {
    system_.smooth.in<double>().restoring_rate(y.head(s.nq), q_rate_);
    f.head(s.nq) += q_rate_;
  }
  const auto v = y.segment(s.nq, s.n);
  const auto a = x_.head(s.n);
  const auto W = rows_.bottomRows(s.m);
  f.segment(s.nq, s.n) = a;
  f.segment(s.deflection_at(), s.springs) = eta_rate_;
  f.segment(s.sliding_at(), s.m) =
      W.lazyProduct(a) + drift_.tail(s.m) +
      exact_constraint_recovery * (W.lazyProduct(v) - y.segment(s.sliding_at(), s.m));
  for (Index i = 0; i < s.nc; ++i) {
    const Index k = contacts_[static_cast<std::size_t>(i)].unilateral;
    if (k < 0) continue;
    const double h = y(s.gap_rate_at() + k);
    f(s.gap_at() + k) = h / epsilon_;
    f(s.gap_rate_at() + k) = normals_.row(i).dot(a) + normal_drift_(i) +
                             exact_constraint_recovery * (normals_.row(i).dot(v) - h);
  }
}

void FrictionalRate::balance(double t, VectorIn y) {
  write_rows(y);
  inertia_.compute(held_, y.head(shape_.nq), held_rows_);
  write_known_normal_forces(t, y);
  write_load(t, y);
  if (shape_.bilateral > 0) {
    if (!couple(y)) x_.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  write_friction(y);
  right_.head(shape_.n) -= rows_.bottomRows(shape_.m).transpose().lazyProduct(lambda_);
  x_ = inertia_.solve_whole(right_);
}

/// [E; W], N and [E; N_b; W] at q.
void FrictionalRate::write_rows(VectorIn y) {
  const FrictionalShape& s = shape_;
  const auto q = y.head(s.nq);
  system_.smooth.in<double>().constraints(q, rows_);
  system_.in<double>().normal_rows(q, normals_);
  held_rows_.topRows(s.ne) = rows_.topRows(s.ne);
  held_rows_.bottomRows(s.m) = rows_.bottomRows(s.m);
  for (Index i = 0; i < s.nc; ++i) {
    const Index b = contacts_[static_cast<std::size_t>(i)].bilateral;
    if (b >= 0) held_rows_.row(s.ne + b) = normals_.row(i);
  }
}

/// p of given and of unilateral contacts.
void FrictionalRate::write_known_normal_forces(double t, VectorIn y) {
  const FrictionalShape& s = shape_;
  system_.in<double>().normal_force(y.head(s.nq), y.segment(s.nq, s.n), t, given_);
  for (Index i = 0; i < s.nc; ++i) {
    const CompliantContact& c = contacts_[static_cast<std::size_t>(i)];
    p_(i) = c.normal == Normal::given ? given_(i) : 0.0;
    if (c.unilateral < 0) continue;
    VectorXd& z = responses_[static_cast<std::size_t>(i)];
    z.setZero(s.n + held_.ne);
    z.head(s.n) = normals_.row(i).transpose();
    z = inertia_.solve_whole(z);
    mass_(i) = 1.0 / normals_.row(i).dot(z.head(s.n));
    p_(i) = unilateral_force<double>(c, y(s.gap_at() + c.unilateral),
                                     y(s.gap_rate_at() + c.unilateral), mass_(i));
  }
}

/// λ and η' from all p.
void FrictionalRate::write_friction(VectorIn y) {
  const FrictionalShape& s = shape_;
  slope_.setZero();
  for (const CompliantContact& c : contacts_) {
    const Index i = &c - contacts_.data(), at = s.springs > 0 ? c.first : 0;
    const Index stored = s.springs > 0 ? c.components : 0;
    const DiscSide side = friction_force<double>(
        c, p_(i), y.segment(s.deflection_at() + at, stored),
        y.segment(s.sliding_at() + c.first, c.components), lambda_.segment(c.first, c.components),
        eta_rate_.segment(at, stored));
    if (c.bilateral < 0 || p_(i) == 0.0) continue;
    if (side == DiscSide::rim || c.sliding_scale > 0.0)  // λ is proportional to |p|
      slope_.col(c.bilateral).segment(c.first, c.components) =
          lambda_.segment(c.first, c.components) / p_(i);
  }
}

/// right_ = (F + N_oᵀ p_o, the rates that E v' and N_b v' must have).
void FrictionalRate::write_load(double t, VectorIn y) {
  const FrictionalShape& s = shape_;
  const auto q = y.head(s.nq), v = y.segment(s.nq, s.n);
  const Equations<double>& equations = system_.smooth.in<double>();
  equations.coordinate_rate(q, v, q_rate_);
  equations.constraint_drift(q, q_rate_, v, drift_);
  system_.in<double>().normal_drift(q, v, normal_drift_);
  if (s.bilateral > 0) system_.in<double>().gap(q, gap_);
  equations.force(q, v, t, right_.head(s.n));
  constexpr double k = exact_constraint_recovery;
  right_.segment(s.n, s.ne) = -drift_.head(s.ne) - k * (rows_.topRows(s.ne).lazyProduct(v));
  for (Index i = 0; i < s.nc; ++i) {
    const Index b = contacts_[static_cast<std::size_t>(i)].bilateral;
    if (b < 0)
      right_.head(s.n) += p_(i) * normals_.row(i).transpose();
    else
      right_(s.n + s.ne + b) =
          -normal_drift_(i) - 2.0 * k * normals_.row(i).dot(v) - k * k * gap_(i);
  }
}

VectorXd FrictionalRate::bilateral_forces() const {
  VectorXd p(shape_.bilateral);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contacts_[i].bilateral >= 0) p(contacts_[i].bilateral) = p_(static_cast<Index>(i));
  return p;
}
void FrictionalRate::set_bilateral_forces(const VectorXd& p) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contacts_[i].bilateral >= 0) p_(static_cast<Index>(i)) = p(contacts_[i].bilateral);
}

/// The p_b of p_b = p_free + B λ(p_b), and x_. λ is continuous and piecewise linear in p_b.
bool FrictionalRate::couple(VectorIn y) {
  const FrictionalShape& s = shape_;
  friction_response_.setZero(s.n + held_.ne, s.m);
  friction_response_.topRows(s.n) = rows_.bottomRows(s.m).transpose();
  friction_response_ = inertia_.solve_whole(friction_response_);
  const VectorXd x_free = inertia_.solve_whole(right_);
  const VectorXd p_free = -x_free.tail(s.bilateral);
  const MatrixXd B = friction_response_.bottomRows(s.bilateral);
  if (!newton(y, p_free, B) && !contraction(y, p_free, B)) return false;
  x_ = x_free - friction_response_ * lambda_;
  return true;
}

/// p_b − p_free − B λ(p_b).
VectorXd FrictionalRate::defect(VectorIn y, const VectorXd& p_free, const MatrixXd& B) {
  write_friction(y);
  return bilateral_forces() - p_free - B * lambda_;
}

namespace {

/// Round-off of the terms of the defect.
bool is_solved(const VectorXd& defect, const VectorXd& p, const VectorXd& p_free) {
  constexpr double roundings = 64.0 * std::numeric_limits<double>::epsilon();
  return defect.cwiseAbs().maxCoeff() <=
         roundings * (p.cwiseAbs().maxCoeff() + p_free.cwiseAbs().maxCoeff());
}

}  // namespace

bool FrictionalRate::newton(VectorIn y, const VectorXd& p_free, const MatrixXd& B) {
  set_bilateral_forces(p_free);
  const Index nb = shape_.bilateral;
  for (int k = 0; k < 20; ++k) {
    const VectorXd r = defect(y, p_free, B);
    const VectorXd p = bilateral_forces();
    if (is_solved(r, p, p_free)) return true;
    const MatrixXd J = MatrixXd::Identity(nb, nb) - B * slope_;
    set_bilateral_forces(p - LuFactors<double>(J).solve(r));
  }
  return false;
}

bool FrictionalRate::contraction(VectorIn y, const VectorXd& p_free, const MatrixXd& B) {
  set_bilateral_forces(p_free);
  for (int k = 0; k < 1000; ++k) {
    const VectorXd r = defect(y, p_free, B);
    const VectorXd p = bilateral_forces();
    if (is_solved(r, p, p_free)) return true;
    set_bilateral_forces(p - r);
  }
  return false;
}

}  // namespace rigidlimit
