// Tests the epicyclic gear: closed form, rank, and the load sharing of the planets.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/motion_balance.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

struct EpicyclicGear : test::BuiltIn {
  EpicyclicGear(const Values& values = {}) : BuiltIn("epicyclic_gear", values) {}
};

TEST(EpicyclicGear, ClosedFormSatisfiesTheEquations) {
  const EpicyclicGear other{{{"sun_radius", 0.2}, {"planet_mass", 1.5}, {"load_torque", -1.0}}};
  for (const EpicyclicGear& sys : {EpicyclicGear{}, other}) {
    const System system = test::system_of(sys);
    for (double t = 0.2; t < 3.0; t += 0.31)
      EXPECT_LE(test::imbalance(system, system, sys.start(), t), 1.0) << t;
  }
  const EpicyclicGear sys;  // negative controls
  const System system = test::system_of(sys);
  EXPECT_GT(test::imbalance(system, system, sys.start(), 1.0, -1.0), 10.0);
  EXPECT_GT(test::imbalance(test::system_of(EpicyclicGear{{{"planet_inertia", 0.01001}}}), system,
                            sys.start(), 1.0),
            10.0);
}

// Willis: relative to the carrier, sun and ring turn by −z_r/z_s. With the ring held the sun turns
// 1 + r_r/r_s times as fast as the carrier.
TEST(EpicyclicGear, HasTheRatioOfWillis) {
  const EpicyclicGear sys;
  const double ring = sys("sun_radius") + 2.0 * sys("planet_radius");
  const Motion motion = *sys.closed_form(sys.start(), {0.0, 0.8, 2.0});
  for (Index k = 0; k < 3; ++k) {
    const double carrier = motion.v(1, k);
    EXPECT_NEAR(motion.v(0, k), (1.0 + ring / sys("sun_radius")) * carrier, 64.0 * unit_roundoff);
    EXPECT_GT(std::abs(motion.v(0, k) - ring / sys("sun_radius") * carrier), 0.1);
  }
}

// The rank is 4, and the internal forces are planets pressed at both meshes with Σ = 0.
TEST(EpicyclicGear, HasTwoInternalForces) {
  const EpicyclicGear sys;
  const System system = test::system_of(sys);
  const ContactBasis basis = contact_basis(system, sys.start().q);
  EXPECT_EQ(basis.rank(), 4);
  ASSERT_EQ(basis.internal_forces.cols(), 2);
  const Matrix<double, 6, 5> G = sys.constraint(Vector<double, 5>::Zero());
  for (Index k = 0; k < 2; ++k) {
    const VectorXd force = basis.internal_forces.col(k);
    EXPECT_LE((force.head<3>() - force.tail<3>()).norm(), 64.0 * unit_roundoff);
    EXPECT_NEAR(force.head<3>().sum(), 0.0, 64.0 * unit_roundoff);
    EXPECT_LE((G.transpose() * force).norm(), 64.0 * unit_roundoff);
    EXPECT_GT((G.transpose() * force.cwiseAbs()).norm(), 1e-2);  // negative control
  }
}

/// Λ by hand for mesh stiffnesses c: Λ_k = (μ + δ/c_3+k)/(1/c_k + 1/c_3+k) with Σ Λ_k = L.
VectorXd shared_by_hand(const VectorXd& c, double load, double delta) {
  const Eigen::Array3d sun = c.head<3>(), ring = c.tail<3>();
  const Eigen::Array3d series = 1.0 / (1.0 / sun + 1.0 / ring);
  const double mu = (load - (series * delta / ring).sum()) / series.sum();
  VectorXd lambda(6);
  lambda.head<3>() = series * (mu + delta / ring);
  lambda.tail<3>() = lambda.head<3>().array() - delta;
  return lambda;
}

// The multiplier selected by the compliant contact, from the KKT solution, against the formula.
// Forces below 10 N, condition 1e3, stiffness ratios up to 10.
TEST(EpicyclicGear, StifferPlanetsCarryMoreOfTheLoad) {
  const EpicyclicGear sys;
  const System system = test::system_of(sys);
  const InitialState start = sys.start();
  const ContactBasis basis = contact_basis(system, start.q);
  for (const double t : {0.0, 0.4, 1.1}) {
    const Motion motion = *sys.closed_form(start, {t});
    const VectorXd q = motion.q.col(0), v = motion.v.col(0), equal = motion.lambda.col(0);
    const double delta = equal(0) - equal(3), load = equal.head<3>().sum();
    const VectorXd any = solve_kkt<double>(system, basis, q, v, t).multiplier;
    const auto selected = [&](const VectorXd& c) -> VectorXd {
      return selected_multiplier(basis, c.asDiagonal(), VectorXd::Zero(6), any);
    };
    const double tolerance = 1e4 * 10.0 * unit_roundoff;
    VectorXd c = VectorXd::Ones(6);
    EXPECT_LE((selected(c) - equal).norm(), tolerance);
    EXPECT_LE((shared_by_hand(c, load, delta) - equal).norm(), tolerance);
    c << 1.0, 3.0, 0.5, 2.0, 1.0, 5.0;
    const VectorXd shared = selected(c);
    EXPECT_LE((shared - shared_by_hand(c, load, delta)).norm(), tolerance);
    EXPECT_GT((shared - equal).norm(), 1e-2);  // negative control: not shared equally
    EXPECT_NEAR(shared.head<3>().sum(), load, tolerance);
    // A planet ten times as stiff at both meshes carries all but a sixth of a steady load.
    c << 10.0, 1.0, 1.0, 10.0, 1.0, 1.0;
    EXPECT_NEAR(selected(c)(0), 5.0 / 6.0 * load - 0.75 * delta, tolerance);
  }
}

}  // namespace
}  // namespace rigidlimit
