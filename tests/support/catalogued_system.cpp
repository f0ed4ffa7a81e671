#include "support/catalogued_system.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/central_difference.hpp"

namespace rigidlimit::test {

KktSolution<double> kkt_at(const System& system, const VectorXd& q, const VectorXd& v, double t) {
  return solve_kkt<double>(system, contact_basis(system, q), q, v, t);
}

VectorXd rolling_at(const System& system, const VectorXd& q, const VectorXd& v) {
  return projected_velocity<double>(system, contact_basis(system, q), q, v);
}

void expect_true_facts(const SystemEntry& entry, double least_load) {
  const System system = entry.make(entry.default_values());
  const InitialState start = entry.start(entry.default_values());
  const SystemInfo& info = entry.info;
  EXPECT_EQ(static_cast<Index>(info.coordinates.size()), system.nq);
  EXPECT_EQ(static_cast<Index>(info.velocities.size()), system.n);
  EXPECT_EQ(static_cast<Index>(info.contacts.size()), system.m);
  EXPECT_EQ(info.initial_q, std::vector<double>(start.q.begin(), start.q.end()));
  EXPECT_EQ(info.initial_v, std::vector<double>(start.v.begin(), start.v.end()));

  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(start.q, rows);
  const double size = rows.cwiseAbs().rowwise().sum().maxCoeff() * start.v.cwiseAbs().maxCoeff();
  const double tolerance = static_cast<double>(2 * system.n) * unit_roundoff * size;
  EXPECT_LE((rows * start.v).cwiseAbs().maxCoeff(), tolerance);
  VectorXd e = VectorXd::Zero(system.ni);
  system.in<double>().invariants(start.q, e);
  for (const double left : e) EXPECT_LE(std::abs(left), 4.0 * unit_roundoff);

  const ContactBasis basis = contact_basis(system, start.q);
  const auto kkt = solve_kkt<double>(system, basis, start.q, start.v, 0.0);
  EXPECT_GE(kkt.multiplier.cwiseAbs().maxCoeff(), least_load);

  const Motion motion = system.closed_form(start, {0.0}).value();
  const double near = 8.0 * unit_roundoff * (1.0 + start.v.cwiseAbs().maxCoeff());
  EXPECT_LE((motion.q.col(0) - start.q).cwiseAbs().maxCoeff(), near);
  EXPECT_LE((motion.v.col(0) - start.v).cwiseAbs().maxCoeff(), near);

  // Negative control: after an impulse on the first contact it slides.
  const VectorXd kicked = start.v + 0.1 * velocity_of_impulse(system, start.q).col(0);
  EXPECT_GT((rows * kicked).cwiseAbs().maxCoeff(), 1e10 * tolerance);
}

}  // namespace rigidlimit::test
