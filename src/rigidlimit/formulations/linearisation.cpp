#include "rigidlimit/formulations/linearisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

namespace {

Eigen::VectorXcd reduced_eigenvalues(const System& system, const InitialState& state) {
  const OdeProblem reduced = rigid_reduced(system, state).problem;
  MatrixXd J(reduced.y0.size(), reduced.y0.size());
  reduced.jacobian(0.0, reduced.y0, J);
  std::optional<Eigen::VectorXcd> found = eigenvalues_of(J);
  if (!found)
    throw InputError(
        fmt::format("the iteration for the eigenvalues of the linearised motion of {} "
                    "velocities did not converge",
                    system.n));
  Eigen::VectorXcd& values = *found;
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

  // Derivatives of M a − F + [E; G]ᵀ p, with a and p fixed.
  const BalanceDerivatives d =
      system.tapes->balance().derivatives(0.0, state.q, state.v, kkt.acceleration, p);
  const MatrixXd change = d.load - d.force, of_velocity = change.rightCols(n);
  MatrixXd of_position(n, n);
  for (Index k = 0; k < n; ++k) {
    VectorXd dq(system.nq);
    system.in<double>().coordinate_rate(state.q, VectorXd::Unit(n, k), dq);
    of_position.col(k) = change.leftCols(system.nq) * dq;
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
