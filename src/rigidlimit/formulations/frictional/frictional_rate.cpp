#include "rigidlimit/formulations/frictional/frictional_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

FrictionalShape::FrictionalShape(const FrictionalSystem& system, const FrictionalLaw& law,
                                 Closing closing)
    : nq(system.smooth.nq),
      n(system.smooth.n),
      ne(system.smooth.ne),
      m(system.smooth.m),
      nc(system.nc()) {
  if (law.friction == FrictionalLaw::Friction::projected) springs = m;
  for (Index i = 0; i < ne; ++i) held.push_back(i);
  for (Index i = 0; i < nc; ++i) {
    const Normal normal = system.contacts[static_cast<std::size_t>(i)].normal;
    if (normal == Normal::unilateral) ++unilateral;
    if (normal != Normal::bilateral) continue;
    ++bilateral;
    held.push_back(normal_at() + i);
  }
  if (closing == Closing::located) {
    marks = unilateral;
    if (system.smooth.switches) switches = system.smooth.switches->count();
  }
  constexpr double k = exact_constraint_recovery;
  recovery.setConstant(ne + bilateral, k);
  recovery.tail(bilateral).setConstant(2.0 * k);
}

FrictionalRate::FrictionalRate(const FrictionalSystem& system, const InitialState& start,
                               const FrictionalLaw& law, double epsilon, Closing closing)
    : shared_(std::make_shared<const FrictionalSystem>(system)),
      shape_(system, law, closing),
      contacts_(compliant_contacts(system, start, law, epsilon)),
      epsilon_(epsilon),
      lambda_(VectorXd::Zero(shape_.m)),
      eta_rate_(VectorXd::Zero(shape_.springs)),
      p_(VectorXd::Zero(shape_.nc)),
      mass_(VectorXd::Zero(shape_.nc)),
      right_(shape_.n + shape_.held_count()),
      x_(shape_.n + shape_.held_count()),
      responses_(static_cast<std::size_t>(shape_.nc)),
      slope_(MatrixXd::Zero(shape_.m, shape_.bilateral)) {}

bool FrictionalRate::closed(const CompliantContact& c, VectorIn y) const {
  return shape_.marks > 0 ? y(shape_.mark_at() + c.unilateral) > 0.5
                          : y(shape_.gap_at() + c.unilateral) < 0.0;
}

/// A state without sides has the equations as they are.
void FrictionalRate::choose_piece(VectorIn y) {
  if (shape_.switches == 0) return;
  const auto at = y.segment(shape_.side_at(), shape_.switches);
  const auto side = [&](Index k) { return at(k) > 0.0 ? 1 : (at(k) < 0.0 ? -1 : 0); };
  bool same = !sides_.empty();
  for (Index k = 0; k < at.size() && same; ++k)
    same = sides_[static_cast<std::size_t>(k)] == side(k);
  if (same) return;
  sides_.clear();
  for (Index k = 0; k < at.size(); ++k) sides_.push_back(side(k));
  piece_ =
      at.isZero(0.0) ? &system_.smooth : &system_.smooth.switches->with(system_.smooth, sides_);
}

void FrictionalRate::operator()(double t, VectorIn y, VectorOut f) {
  const FrictionalShape& s = shape_;
  balance(t, y);
  f.head(s.nq) = terms_.coordinate_rate();
  f.tail(s.marks + s.switches).setZero();
  f.segment(s.nq, s.n) = x_.head(s.n);
  f.segment(s.deflection_at(), s.springs) = eta_rate_;
  const auto X = terms_.rows();
  const auto w = y.segment(s.sliding_at(), s.m);
  // The deviation of w is formed first, instead of k W v and k w separately, each rounded beside
  // the accelerations of an impact. With the other order of sums CVODE failed in curb_plastic at
  // its tightest tolerance.
  constexpr double k = exact_constraint_recovery;
  f.segment(s.sliding_at(), s.m) = X.middleRows(s.ne, s.m).lazyProduct(x_.head(s.n)) +
                                   terms_.drift().segment(s.ne, s.m) +
                                   k * (terms_.velocity().segment(s.ne, s.m) - w);
  for (Index i = 0; i < s.nc; ++i) {
    const Index u = contacts_[static_cast<std::size_t>(i)].unilateral;
    if (u < 0) continue;
    const Index row = s.normal_at() + i;
    const double h = y(s.gap_rate_at() + u);
    f(s.gap_at() + u) = h / epsilon_;
    f(s.gap_rate_at() + u) =
        X.row(row).dot(x_.head(s.n)) + terms_.drift()(row) + k * (terms_.velocity()(row) - h);
  }
}

void FrictionalRate::balance(double t, VectorIn y) {
  const FrictionalShape& s = shape_;
  choose_piece(y);
  tapes().terms(t, y.head(s.nq), y.segment(s.nq, s.n), terms_);
  inertia_.compute(terms_.mass(), terms_.rows()(s.held, Eigen::all));
  write_known_normal_forces(y);
  write_load();
  if (s.bilateral > 0) {
    if (!couple(y)) x_.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  write_friction(y);
  right_.head(s.n) -= terms_.rows().middleRows(s.ne, s.m).transpose().lazyProduct(lambda_);
  x_ = inertia_.solve_whole(right_);
}

/// p for given and for unilateral contacts.
void FrictionalRate::write_known_normal_forces(VectorIn y) {
  const FrictionalShape& s = shape_;
  for (Index i = 0; i < s.nc; ++i) {
    const CompliantContact& c = contacts_[static_cast<std::size_t>(i)];
    p_(i) = c.normal == Normal::given ? terms_.normal_force()(i) : 0.0;
    if (c.unilateral < 0) continue;
    const auto normal = terms_.rows().row(s.normal_at() + i);
    VectorXd& z = responses_[static_cast<std::size_t>(i)];
    z.setZero(s.n + s.held_count());
    z.head(s.n) = normal.transpose();
    z = inertia_.solve_whole(z);
    mass_(i) = 1.0 / normal.dot(z.head(s.n));
    if (closed(c, y))
      p_(i) = unilateral_force(c, y(s.gap_at() + c.unilateral), y(s.gap_rate_at() + c.unilateral),
                               mass_(i));
  }
}

/// λ and η' from all p.
void FrictionalRate::write_friction(VectorIn y) {
  const FrictionalShape& s = shape_;
  slope_.setZero();
  for (const CompliantContact& c : contacts_) {
    const Index i = &c - contacts_.data(), at = s.springs > 0 ? c.first : 0;
    const Index stored = s.springs > 0 ? c.components : 0;
    const DiscSide side =
        friction_force(c, p_(i), y.segment(s.deflection_at() + at, stored),
                       y.segment(s.sliding_at() + c.first, c.components),
                       lambda_.segment(c.first, c.components), eta_rate_.segment(at, stored));
    if (c.bilateral < 0 || p_(i) == 0.0) continue;
    if (side == DiscSide::rim || c.sliding_scale > 0.0)  // λ is proportional to |p|
      slope_.col(c.bilateral).segment(c.first, c.components) =
          lambda_.segment(c.first, c.components) / p_(i);
  }
}

/// right_ = (F + N_oᵀ p_o, the required E v' and N_b v').
void FrictionalRate::write_load() {
  const FrictionalShape& s = shape_;
  constexpr double k = exact_constraint_recovery;
  right_ << terms_.force(),
      -terms_.drift()(s.held) - s.recovery.cwiseProduct(terms_.velocity()(s.held));
  for (Index i = 0; i < s.nc; ++i) {
    const Index b = contacts_[static_cast<std::size_t>(i)].bilateral;
    if (b < 0)
      right_.head(s.n) += p_(i) * terms_.rows().row(s.normal_at() + i).transpose();
    else
      right_(s.n + s.ne + b) -= k * k * terms_.gap()(i);
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

/// Solves p_b = p_free + B λ(p_b) for p_b and x_. λ is continuous and piecewise linear in p_b.
bool FrictionalRate::couple(VectorIn y) {
  const FrictionalShape& s = shape_;
  friction_response_.setZero(s.n + s.held_count(), s.m);
  friction_response_.topRows(s.n) = terms_.rows().middleRows(s.ne, s.m).transpose();
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
