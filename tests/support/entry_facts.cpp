#include "support/entry_facts.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

double sliding_bound(const System& system, const InitialState& start) {
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(start.q, rows);
  const MatrixXd terms = rows.cwiseAbs() * start.v.cwiseAbs();
  return (2.0 * static_cast<double>(system.n) + 4.0) * unit_roundoff * (1.0 + terms.maxCoeff());
}

void expect_consistent_start(const System& system, const InitialState& start) {
  EXPECT_LE(sliding_velocity(system, start).cwiseAbs().maxCoeff(), sliding_bound(system, start));
  InitialState off = start;  // negative control
  off.v(0) += 1e-6;
  EXPECT_GT(sliding_velocity(system, off).cwiseAbs().maxCoeff(), sliding_bound(system, off));
  if (system.ne > 0) {
    EXPECT_LE(exact_velocity(system, start).cwiseAbs().maxCoeff(), sliding_bound(system, start));
  }
  if (system.ni > 0) {
    VectorXd e(system.ni);
    system.in<double>().invariants(start.q, e);
    EXPECT_LE(e.cwiseAbs().maxCoeff(), 16.0 * unit_roundoff);
  }
}

void expect_consistent_entry(const SystemEntry& entry, const char* name, DeclaredSizes sizes) {
  EXPECT_EQ(entry.info.name, name);
  EXPECT_EQ(entry.info.coordinates.size(), static_cast<std::size_t>(sizes.nq));
  EXPECT_EQ(entry.info.velocities.size(), static_cast<std::size_t>(sizes.n));
  EXPECT_EQ(entry.info.contacts.size(), static_cast<std::size_t>(sizes.m));
  for (const ParameterInfo& p : entry.parameters)
    EXPECT_TRUE(p.range.contains(p.default_value)) << p.name;

  std::vector<double> values = entry.default_values();
  const System system = entry.make(values);
  const InitialState start = entry.start(values);
  EXPECT_TRUE(std::equal(start.q.begin(), start.q.end(), entry.info.initial_q.begin()));
  EXPECT_TRUE(std::equal(start.v.begin(), start.v.end(), entry.info.initial_v.begin()));
  EXPECT_NO_THROW(check_system(system, name, start));
  expect_consistent_start(system, start);

  const ContactBasis basis = contact_basis(system, start.q);
  const VectorXd lambda =
      selected_multiplier(basis, MatrixXd::Identity(system.m, system.m), VectorXd::Zero(system.m),
                          solve_kkt<double>(system, basis, start.q, start.v, 0.0).multiplier);
  EXPECT_GT(lambda.cwiseAbs().minCoeff(), 1e-2 * lambda.norm()) << lambda.transpose();

  for (double& value : values) {
    value *= 1.1;
    expect_consistent_start(entry.make(values), entry.start(values));
  }
}

}  // namespace rigidlimit::test
