#include "rigidlimit/asymptotics/rigid_flow.hpp"

namespace rigidlimit {

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
  x_ = kkt_.solve(independent(balance().residual(t, q, v, with_all_contacts(x_))));
  system.in<double>().coordinate_rate(q, v, q_rate_);
  dx_ = kkt_.solve(independent(
      balance().residual_rate(t, q, v, with_all_contacts(x_), 1.0, q_rate_, acceleration())));
}

VectorXd RigidInstant::multiplier_second_rate() const {
  const VectorXd q_second = balance().coordinate_rate_change(q_, v_, q_rate_, acceleration());
  const VectorXd right = independent(
      balance().residual_second_rate(t_, q_, v_, with_all_contacts(x_), q_rate_, acceleration(),
                                     with_all_contacts(dx_), q_second, dx_.head(system_.n)));
  return kkt_.solve(right).tail(basis_.rank());
}

VectorXd RigidInstant::variation(const VectorXd& q2, const VectorXd& v2,
                                 const VectorXd& bend) const {
  VectorXd right =
      independent(balance().residual_rate(t_, q_, v_, with_all_contacts(x_), 0.0, q2, v2));
  right.tail(basis_.rank()) += bend;
  return kkt_.solve(right);
}

VectorXd RigidInstant::velocity_with(const VectorXd& momentum, const VectorXd& row_velocity) const {
  VectorXd right(x_.size());
  right << momentum, row_velocity;
  return kkt_.solve(right);
}

VectorXd RigidInstant::momentum_rate(const VectorXd& s, const VectorXd& nu) const {
  VectorXd x(x_.size());
  x << s, nu;
  const VectorXd all = with_all_contacts(x);
  return balance().momentum_rate(t_, q_, v_, s, all.tail(system_.ne + system_.m), q_rate_);
}

VectorXd RigidInstant::independent(const VectorXd& residual) const {
  VectorXd chosen(x_.size());
  chosen << residual.head(system_.n),
      independent_entries<double>(system_, basis_, residual.tail(system_.ne + system_.m));
  return chosen;
}

VectorXd RigidInstant::with_all_contacts(const VectorXd& x) const {
  const Index given = system_.n + system_.ne;
  VectorXd all = VectorXd::Zero(given + system_.m);
  all.head(given) = x.head(given);
  for (Index i = 0; i < basis_.rank(); ++i)
    all(given + basis_.rows[static_cast<std::size_t>(i)]) = x(given + i);
  return all;
}

}  // namespace rigidlimit
