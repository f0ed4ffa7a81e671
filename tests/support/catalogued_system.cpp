#include "support/catalogued_system.hpp"

namespace rigidlimit::test {

KktSolution<double> kkt_at(const System& system, const VectorXd& q, const VectorXd& v, double t) {
  return solve_kkt<double>(system, contact_basis(system, q), q, v, t);
}

VectorXd rolling_at(const System& system, const VectorXd& q, const VectorXd& v) {
  return projected_velocity<double>(system, contact_basis(system, q), q, v);
}

}  // namespace rigidlimit::test
