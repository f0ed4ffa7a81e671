#include "rigidlimit/asymptotics/rigid_flow.hpp"

#include "rigidlimit/core/derivative.hpp"

namespace rigidlimit {
namespace {

/// x + τ dx + ½ τ² ddx to second order in τ.
VectorX<AlongTwice> parabola(const VectorXd& x, const VectorXd& dx, const VectorXd& ddx) {
  VectorX<AlongTwice> moved(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    moved(i).value.value = x(i);
    moved(i).value.derivative[0] = moved(i).derivative[0].value = dx(i);
    moved(i).derivative[0].derivative[0] = ddx(i);
  }
  return moved;
}

}  // namespace

RigidInstant::RigidInstant(const System& system, const ContactBasis& basis, double t, VectorIn q,
                           VectorIn v)
    : system_(system),
      basis_(basis),
      t_(t),
      q_(q),
      v_(v),
      kkt_(kkt_matrix<double>(system, basis, q)),
      x_(VectorXd::Zero(kkt_.rows())),
      q_rate_(system.nq) {
  x_ = kkt_.solve(residual<double>(t, q_, v_, x_));
  system.in<double>().coordinate_rate(q, v, q_rate_);
  const VectorX<Along> x_fixed = as_constants<Along>(x_);
  const VectorX<Along> moving = residual<Along>(Along::variable(t_, 0), along(q_, q_rate_),
                                                along(v_, acceleration()), x_fixed);
  dx_ = kkt_.solve(VectorXd(derivatives(moving).col(0)));
}

VectorXd RigidInstant::multiplier_second_rate() const {
  VectorX<Along> q_rate(system_.nq);
  system_.in<Along>().coordinate_rate(along(q_, q_rate_), along(v_, acceleration()), q_rate);
  AlongTwice t{Along::variable(t_, 0)};
  t.derivative[0] = Along(1.0);
  const VectorX<AlongTwice> left =
      residual<AlongTwice>(t, parabola(q_, q_rate_, derivatives(q_rate).col(0)),
                           parabola(v_, acceleration(), dx_.head(system_.n)),
                           parabola(x_, dx_, VectorXd::Zero(x_.size())));
  VectorXd right(left.size());
  for (Index i = 0; i < right.size(); ++i) right(i) = left(i).derivative[0].derivative[0];
  return kkt_.solve(right).tail(basis_.rank());
}

VectorXd RigidInstant::variation(const VectorXd& q2, const VectorXd& v2,
                                 const VectorXd& bend) const {
  const VectorX<Along> x_fixed = as_constants<Along>(x_);
  const VectorX<Along> varied = residual<Along>(Along(t_), along(q_, q2), along(v_, v2), x_fixed);
  VectorXd right = derivatives(varied).col(0);
  right.tail(basis_.rank()) += bend;
  return kkt_.solve(right);
}

VectorXd RigidInstant::velocity_with(const VectorXd& momentum, const VectorXd& row_velocity) const {
  VectorXd right(x_.size());
  right << momentum, row_velocity;
  return kkt_.solve(right);
}

VectorXd RigidInstant::momentum_rate(const VectorXd& s, const VectorXd& nu) const {
  const Equations<Along>& equations = system_.in<Along>();
  const VectorX<Along> q_moving = along(q_, q_rate_);
  VectorX<Along> force(system_.n), momentum(system_.n);
  equations.force(as_constants<Along>(q_), along(v_, s), Along(t_), force);
  equations.inertia_force(q_moving, as_constants<Along>(s), momentum);
  const MatrixX<Along> rows = independent_rows<Along>(system_, basis_, q_moving);
  momentum += rows.transpose().lazyProduct(as_constants<Along>(nu));
  return derivatives(VectorX<Along>(force + momentum)).col(0);
}

template <class S>
VectorX<S> RigidInstant::residual(const S& t, const VectorX<S>& q, const VectorX<S>& v,
                                  const VectorX<S>& x) const {
  const Index n = system_.n, ne = system_.ne, held = x.size() - n;
  const Equations<S>& equations = system_.in<S>();
  const VectorX<S> a = x.head(n), nu = x.tail(held);
  const MatrixX<S> rows = independent_rows<S>(system_, basis_, q);
  VectorX<S> q_rate(system_.nq), drift(ne + system_.m), left(x.size()), inertia(n);
  equations.coordinate_rate(q, v, q_rate);
  equations.constraint_drift(q, q_rate, v, drift);
  equations.force(q, v, t, left.head(n));
  equations.inertia_force(q, a, inertia);
  left.head(n) -= inertia;
  left.head(n) -= rows.transpose().lazyProduct(nu);
  left.tail(held) = -independent_entries<S>(system_, basis_, drift);
  left.tail(held) -= rows.lazyProduct(a);
  if (ne > 0) left.segment(n, ne) -= S(exact_constraint_recovery) * rows.topRows(ne).lazyProduct(v);
  return left;
}

}  // namespace rigidlimit
