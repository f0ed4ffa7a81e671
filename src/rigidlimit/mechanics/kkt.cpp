#include "rigidlimit/mechanics/kkt.hpp"

#include <cmath>

#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

namespace {

/// K⁻¹ right.
template <class T>
VectorX<T> solved(const MatrixX<T>& K, VectorX<T> right) {
  SmallLu<T> lu;
  lu.compute(K);
  lu.solve_in_place(right);
  return right;
}

}  // namespace

template <class T>
MatrixX<T> kkt_matrix(const System& system, const ContactBasis& basis, VectorInOf<T> q) {
  const MatrixX<T> rows = independent_rows<T>(system, basis, q);
  const Index n = system.n, size = n + rows.rows();
  MatrixX<T> K = MatrixX<T>::Zero(size, size);
  system.in<T>().mass_matrix(q, K.topLeftCorner(n, n));
  K.bottomLeftCorner(rows.rows(), n) = rows;
  K.topRightCorner(n, rows.rows()) = rows.transpose();
  return K;
}

template <class T>
KktSolution<T> solve_kkt(const System& system, const ContactBasis& basis, VectorInOf<T> q,
                         VectorInOf<T> v, const T& t) {
  const Index n = system.n, ne = system.ne, m = system.m, r = basis.rank();
  const Equations<T>& equations = system.in<T>();
  VectorX<T> right(n + ne + r), q_rate(system.nq), drift(ne + m);
  equations.force(q, v, t, right.head(n));
  equations.coordinate_rate(q, v, q_rate);
  equations.constraint_drift(q, q_rate, v, drift);
  right.tail(ne + r) = -independent_entries<T>(system, basis, drift);
  const MatrixX<T> K = kkt_matrix<T>(system, basis, q);
  if (ne > 0) {
    right.segment(n, ne) -= T(exact_constraint_recovery) * (K.block(n, 0, ne, n) * v);
    right.segment(n, ne) += T(exact_constraint_recovery) * system.exact_rates().cast<T>();
  }
  const VectorX<T> x = solved(K, std::move(right));
  KktSolution<T> solution{x.head(n), x.segment(n, ne), VectorX<T>::Zero(m)};
  for (Index i = 0; i < r; ++i)
    solution.multiplier(basis.rows[static_cast<std::size_t>(i)]) = x(n + ne + i);
  return solution;
}

namespace {

/// [E; G] at q.
MatrixXd rows_at(const System& system, const VectorXd& q) {
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(q, rows);
  return rows;
}

/// M⁻¹ Gᵀ from those rows.
MatrixXd response_of(const System& system, const VectorXd& q, const MatrixXd& rows) {
  Inertia<double> inertia;
  inertia.compute(system, q, rows);
  return inertia.solve(MatrixXd(rows.bottomRows(system.m).transpose()));
}

}  // namespace

MatrixXd velocity_of_impulse(const System& system, const VectorXd& q) {
  return response_of(system, q, rows_at(system, q));
}

MatrixXd delassus(const System& system, const VectorXd& q) {
  const MatrixXd rows = rows_at(system, q);
  const MatrixXd A = rows.bottomRows(system.m) * response_of(system, q, rows);
  return 0.5 * (A + A.transpose());
}

VectorXd sliding_velocity(const System& system, const InitialState& state) {
  return (rows_at(system, state.q) * state.v).tail(system.m);
}
VectorXd exact_velocity(const System& system, const InitialState& state) {
  return (rows_at(system, state.q) * state.v).head(system.ne) - system.exact_rates();
}

template <class T>
VectorX<T> projected_velocity(const System& system, const ContactBasis& basis, VectorInOf<T> q,
                              VectorInOf<T> v) {
  const MatrixX<T> K = kkt_matrix<T>(system, basis, q);
  const Index n = system.n, held = K.rows() - n;
  VectorX<T> right = VectorX<T>::Zero(n + held);
  right.tail(held) = -(K.bottomLeftCorner(held, n) * v);
  right.segment(n, system.ne) += system.exact_rates().cast<T>();
  const VectorX<T> change = solved(K, std::move(right));
  return v + change.head(n);
}

double kinetic_energy(const System& system, const VectorXd& q, const VectorXd& v) {
  VectorXd momentum(system.n);
  system.in<double>().inertia_force(q, v, momentum);
  return 0.5 * v.dot(momentum);
}

double mechanical_energy(const System& system, const VectorXd& q, const VectorXd& v) {
  return kinetic_energy(system, q, v) + system.in<double>().potential(q);
}

namespace {

/// F, and (∂q P [Tv], (∂q M[Tv]) v).
struct PowerFactors {
  PowerFactors(const System& system, const VectorXd& q, const VectorXd& v, double t) : F(system.n) {
    VectorXd q_rate(system.nq);
    system.in<double>().coordinate_rate(q, v, q_rate);
    system.in<double>().force(q, v, t, F);
    change = system.tapes->energy_change(q, v, q_rate);
  }
  VectorXd F, change;
};

}  // namespace

double non_conservative_power(const System& system, const VectorXd& q, const VectorXd& v,
                              double t) {
  const PowerFactors factors(system, q, v, t);
  double power = v.dot(factors.F) + factors.change(0);
  for (Index i = 0; i < system.n; ++i) power += 0.5 * v(i) * factors.change(1 + i);
  return power;
}

double size_of_power(const System& system, const VectorXd& q, const VectorXd& v, double t) {
  const PowerFactors factors(system, q, v, t);
  return v.cwiseProduct(factors.F).lpNorm<1>() + std::abs(factors.change(0)) +
         0.5 * v.cwiseProduct(factors.change.tail(system.n)).lpNorm<1>();
}

template MatrixX<double> kkt_matrix(const System&, const ContactBasis&, VectorInOf<double>);
template MatrixX<Quad> kkt_matrix(const System&, const ContactBasis&, VectorInOf<Quad>);
template KktSolution<double> solve_kkt(const System&, const ContactBasis&, VectorInOf<double>,
                                       VectorInOf<double>, const double&);
template KktSolution<Quad> solve_kkt(const System&, const ContactBasis&, VectorInOf<Quad>,
                                     VectorInOf<Quad>, const Quad&);
template VectorX<double> projected_velocity(const System&, const ContactBasis&, VectorInOf<double>,
                                            VectorInOf<double>);
template VectorX<Quad> projected_velocity(const System&, const ContactBasis&, VectorInOf<Quad>,
                                          VectorInOf<Quad>);

}  // namespace rigidlimit
