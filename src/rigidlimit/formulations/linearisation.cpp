#include "rigidlimit/formulations/linearisation.hpp"

#include <algorithm>
#include <vector>

#include "rigidlimit/core/derivative.hpp"
#include "rigidlimit/formulations/rigid_reduced.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// The derivative of M a − F + [E; G]ᵀ p along (q + s dq, v + s dv), a and p fixed.
VectorXd change_of_balance(const System& system, const InitialState& at, const VectorXd& a,
                           const VectorXd& p, const VectorXd& dq, const VectorXd& dv) {
  const Equations<Along>& equations = system.in<Along>();
  const VectorX<Along> q = along(at.q, dq), v = along(at.v, dv);
  VectorX<Along> inertia(system.n), F(system.n);
  MatrixX<Along> rows(system.ne + system.m, system.n);
  equations.inertia_force(q, as_constants<Along>(a), inertia);
  equations.force(q, v, Along(0.0), F);
  equations.constraints(q, rows);
  VectorXd change(system.n);
  for (Index i = 0; i < system.n; ++i) {
    Along balance = inertia(i) - F(i);
    for (Index k = 0; k < rows.rows(); ++k) balance += rows(k, i) * Along(p(k));
    change(i) = balance.derivative[0];
  }
  return change;
}

Eigen::VectorXcd reduced_eigenvalues(const System& system, const InitialState& state) {
  const OdeProblem reduced = rigid_reduced(system, state).problem;
  MatrixXd J(reduced.y0.size(), reduced.y0.size());
  reduced.jacobian(0.0, reduced.y0, J);
  Eigen::VectorXcd values = J.eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::pair(-a.real(), a.imag()) < std::pair(-b.real(), b.imag());
  });
  std::ranges::copy(sorted, values.begin());
  return values;
}

MatrixXd symmetric_part(const MatrixXd& X) {
  return 0.5 * (X + X.transpose());
}
MatrixXd skew_part(const MatrixXd& X) {
  return 0.5 * (X - X.transpose());
}

}  // namespace

Linearisation linearise(const System& system, const InitialState& state) {
  const Index n = system.n;
  const ContactBasis contacts = contact_basis(system, state.q);
  const auto kkt = solve_kkt<double>(system, contacts, state.q, state.v, 0.0);
  VectorXd p(system.ne + system.m);
  p << kkt.exact_multiplier, kkt.multiplier;

  MatrixXd of_velocity(n, n), of_position(n, n);
  const VectorXd fixed_q = VectorXd::Zero(system.nq), fixed_v = VectorXd::Zero(n);
  for (Index k = 0; k < n; ++k) {
    VectorXd dq(system.nq);
    system.in<double>().coordinate_rate(state.q, VectorXd::Unit(n, k), dq);
    of_position.col(k) = change_of_balance(system, state, kkt.acceleration, p, dq, fixed_v);
    of_velocity.col(k) =
        change_of_balance(system, state, kkt.acceleration, p, fixed_q, VectorXd::Unit(n, k));
  }
  Linearisation linear;
  linear.M.resize(n, n);
  system.in<double>().mass_matrix(state.q, linear.M);
  linear.D = symmetric_part(of_velocity);
  linear.gyroscopic = skew_part(of_velocity);
  linear.K = symmetric_part(of_position);
  linear.circulatory = skew_part(of_position);
  linear.acceleration = kkt.acceleration;
  linear.multiplier = kkt.multiplier;
  linear.eigenvalues = reduced_eigenvalues(system, state);
  return linear;
}

}  // namespace rigidlimit
