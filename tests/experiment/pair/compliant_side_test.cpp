// Tests the contact data of a study: D from the damping ratio, the initial spring deflection and
// the rolling start.
#include "rigidlimit/experiment/pair/compliant_side.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

struct Contact {
  explicit Contact(const std::vector<std::string>& overrides)
      : study(test::sample_study(overrides)) {}
  RollingStudy study;
};

const std::string disk_text =
    "[study]\nname = \"disk\"\n[system]\nname = \"rolling_disk\"\n[epsilon]\nvalues = [1e-2]\n"
    "[time]\nend = 1.0\n[contact]\nstiffness = [[2.0, 0.3], [0.3, 1.0]]\n";

TEST(LawOf, OneContactHasDampingTwiceTheRootOfStiffnessOverDelassus) {
  // A = 1/m, so D = 2 ζ sqrt(C m) = 2 · 0.7 · sqrt(3 · 2).
  const Contact c({"system.mass=2.0", "contact.stiffness=3.0", "contact.damping_ratio=0.7",
                   "contact.damping_exponent=1.5"});
  const ViscoelasticLaw law = law_of(c.study);
  EXPECT_NEAR(law.damping(0, 0), 1.4 * std::sqrt(6.0), 1e-14);
  EXPECT_EQ(law.stiffness(0, 0), 3.0);
  EXPECT_EQ(law.damping_exponent, 1.5);
}

TEST(LawOf, SeveralContactsHaveOnlyDoubleRealRoots) {
  // s² I + s A D + A C has double roots only iff D A D = 4 C (for s.p.d. A, C, D).
  const RollingStudy study = test::study_from(disk_text, {"contact.damping_ratio=1.0"});
  const MatrixXd A = delassus(study.model, study.initial.q).selfadjointView<Eigen::Lower>();
  const MatrixXd D = law_of(study).damping;
  const MatrixXd C = study.contact.stiffness;
  // Two matrix square roots and an inverse square root: tens of roundings times cond(A) < 10.
  EXPECT_LT((D * A * D - 4.0 * C).norm(), 1e-13 * C.norm());
  EXPECT_EQ(D, MatrixXd(D.transpose()));
  // Negative control: a multiple of the identity, which suffices for one contact, fails.
  const MatrixXd plain = 2.0 * std::sqrt(C(0, 0) / A(0, 0)) * MatrixXd::Identity(2, 2);
  EXPECT_GT((plain * A * plain - 4.0 * C).norm(), 0.1 * C.norm());
}

TEST(LawOf, KeepsAGivenDamping) {
  const Contact c({"contact.damping=0.3"});
  EXPECT_EQ(law_of(c.study).damping(0, 0), 0.3);
}

TEST(InitialDeflection, IsZeroForAnUnloadedSpring) {
  const Contact c({});
  EXPECT_EQ(initial_deflection(c.study), VectorXd::Zero(1));
}

TEST(InitialDeflection, OnAPreparedSpringBalancesTheMultiplier) {
  // Λ(0) = −m u0 ω = −0.91 (docs/theory.md, section 9), so η(0) = −0.91/C.
  const Contact c({"contact.preparation=\"prepared\"", "contact.stiffness=2.0"});
  EXPECT_NEAR(initial_deflection(c.study)(0), -0.455, 1e-15);
}

TEST(InitialDeflection, OnAPreparedSpringUsesTheFullStiffness) {
  const RollingStudy study = test::study_from(disk_text, {"contact.preparation=\"prepared\""});
  const VectorXd force = study.contact.stiffness * initial_deflection(study);
  const VectorXd multiplier = multiplier_at_start(study);
  EXPECT_LT((force - multiplier).norm(), 1e-14 * multiplier.norm());
}

TEST(InitialDeflection, BalancesTheMultiplierAfterProjection) {
  const Contact c(
      {"initial={v=[0.7, 0.2, 1.3], project=true}", "contact.preparation=\"prepared\""});
  EXPECT_NEAR(initial_deflection(c.study)(0), -0.91, 1e-15) << "0.2 m/s are taken away";
}

TEST(InitialDeflection, KeepsAGivenValue) {
  const Contact c({"contact.deflection=[-0.25]"});
  EXPECT_EQ(initial_deflection(c.study)(0), -0.25);
}

TEST(RigidStart, ProjectsAlongTheContactImpulse) {
  // M (v − v̂) = Gᵀ p for some p, and G v̂ = 0.
  const Contact c({"initial={q=[0.0, 0.0, 0.4], v=[0.7, 0.2, 1.3], project=true}"});
  const InitialState start = rigid_start(c.study);
  EXPECT_LT(sliding_velocity(c.study.model, start).norm(), 1e-15);
  const VectorXd jump = c.study.initial.v - start.v;  // M is a multiple of I on (x', y')
  EXPECT_NEAR(jump(0) * std::cos(0.4) + jump(1) * std::sin(0.4), 0.0, 1e-15);
  EXPECT_NEAR(jump(2), 0.0, 1e-15);
  EXPECT_GT(jump.norm(), 0.05);
}

TEST(RigidStart, KeepsARollingStart) {
  const Contact c({});
  EXPECT_EQ(rigid_start(c.study).v, c.study.initial.v);
}

TEST(IsConsistent, AllowsRoundingToFifteenDigitsOnly) {
  const Contact c({});
  InitialState state = c.study.initial;
  state.q(2) = 0.7;
  state.v << 0.7 * 0.764842187284488, 0.7 * 0.644217687237691, 1.3;  // cos, sin to 15 digits
  EXPECT_TRUE(is_consistent(c.study.model, state));
  state.v(0) += 1e-12;
  EXPECT_FALSE(is_consistent(c.study.model, state));
}

// One contact with A = 1 and C = 1: y'' + 2 ζ y'/ε + y/ε² = 0 has the rate ζ/ε and the period 2π
// ε/√(1 − ζ²). Without damping it never decays; at ζ = 1 it does not ring.
TEST(RingingOf, HasThePeriodAndTheDecayOfTheContact) {
  constexpr double epsilon = 1e-3, pi = 3.14159265358979323846;
  for (const double ratio : {0.0, 0.01, 0.5}) {
    const Contact c({fmt::format("contact.damping_ratio={}", ratio)});
    const auto ringing = ringing_of(c.study, epsilon);
    ASSERT_TRUE(ringing.has_value()) << ratio;
    EXPECT_NEAR(ringing->period, 2.0 * pi * epsilon / std::sqrt(1.0 - ratio * ratio), 1e-12);
    EXPECT_NEAR(1.0 / ringing->duration, ratio / (18.0 * epsilon), 1e-9);
    EXPECT_GE(ringing->duration, 0.0);
  }
  EXPECT_FALSE(ringing_of(Contact({"contact.damping_ratio=1.0"}).study, epsilon).has_value());
}

}  // namespace
}  // namespace rigidlimit
