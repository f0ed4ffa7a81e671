// Tests impacts of the compliant contact: restitution, and the friction of an oblique impact.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

/// A weightless homogeneous disc above the floor with the vertical speed −1 m/s and the sliding
/// velocity w0 m/s; m = 1 and r = 0.1: w' = −3 λ.
struct Throw {
  double restitution = 0.5;
  double sliding = 0.0;
  double friction = 0.3;
  double epsilon = 1e-3;
  double flight = 1e-3;  ///< s, before the impact
  FrictionalLaw law{.tangential_stiffness = VectorXd::Constant(1, 100.0),
                    .normal_stiffness = VectorXd::Constant(1, 100.0)};

  struct Outgoing {
    double normal = 0.0;
    double sliding = 0.0;
    std::vector<Root> roots;
    long rejected = 0;
  };

  Outgoing after(const char* method, double rtol, Closing closing) const {
    const SystemEntry& entry = *find_system(builtin_systems(), "bouncing_ball");
    const FrictionalSystem system =
        entry.make_frictional({1.0, 0.1, 0.5, 0.0, friction, restitution});
    const InitialState start{Eigen::Vector3d(0.0, 0.1 + flight, 0.0),
                             Eigen::Vector3d(sliding, -1.0, 0.0)};
    const auto compliant = frictional_compliant(system, start, law, epsilon, closing);
    SolveOptions options;
    options.rtol = rtol;
    options.atol = 1e-2 * rtol;
    options.max_step = 1e-3;  // no root announces the floor
    const Solution solution =
        find_ode_method(method)->solve(compliant.problem, {0.0, flight + 0.02}, options);
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    const VectorXd v = compliant.motion(solution).v.col(1);
    return {v(1), v(0) + 0.1 * v(2), solution.roots, solution.work.rejected_steps};
  }
  Outgoing located() const { return after("cvode_bdf", 1e-11, Closing::located); }

  /// Newton and Poisson's impulse m (1 + e); friction is at most μ times it, and stops the sliding.
  double routh() const { return sliding - std::min(3.0 * friction * (1.0 + restitution), sliding); }
};

// rtol 1e-11 per step over some 400 steps, and the band of the closing: the test requires 1e-8.
TEST(CompliantImpact, ReboundsWithThePrescribedRestitution) {
  for (const double e : {1.0, 0.9, 0.5, 0.2, 0.05})
    for (const double epsilon : {1e-2, 1e-4}) {
      const Throw thrown{.restitution = e, .epsilon = epsilon};
      const Throw::Outgoing out = thrown.located();
      EXPECT_NEAR(out.normal, e, 1e-8) << "e = " << e << ", epsilon = " << epsilon;
      ASSERT_GE(out.roots.size(), 2U);
      EXPECT_EQ(out.roots.front().which, 0);
      EXPECT_EQ(out.roots.front().direction, 1);
      EXPECT_NEAR(out.roots.front().t, 1e-3, 1e-13);
    }
  // Negative control: another contact has another restitution.
  EXPECT_GT(std::abs(Throw{.restitution = 0.6}.located().normal - 0.5), 0.05);
}

// A method without root location steps across the jump of the force, with rejected steps. It
// refuses a problem in which the closing must be located.
TEST(CompliantImpact, CanBeSteppedAcross) {
  const Throw thrown{.restitution = 0.5};
  const Throw::Outgoing crossed = thrown.after("rosenbrock4", 1e-10, Closing::crossed);
  EXPECT_NEAR(crossed.normal, 0.5, 1e-8);
  EXPECT_TRUE(crossed.roots.empty());
  EXPECT_GT(crossed.rejected, 20);
  EXPECT_THROW(thrown.after("rosenbrock4", 1e-10, Closing::located), InputError);
  // Located by a method that the other tests do not use.
  EXPECT_NEAR(thrown.after("radau_iia_5", 1e-10, Closing::located).normal, 0.5, 1e-8);
}

// e = 0: ζ = ε^(1 − β), and e(ζ) → 1/(4ζ²) = ε^(2β − 2)/4, here with β = 3/2. The next term is
// smaller by O(ln ζ/ζ²): 2 % at ε = 1e-3.
TEST(CompliantImpact, PlasticImpactsConvergeToRestitutionZero) {
  for (const double epsilon : {1e-3, 1e-4}) {
    const double e = Throw{.restitution = 0.0, .epsilon = epsilon}.located().normal;
    EXPECT_NEAR(e / (epsilon / 4.0), 1.0, 20.0 * epsilon);
  }
  Throw beta{.restitution = 0.0};
  beta.law.plastic_exponent = 1.0;
  EXPECT_THROW(beta.located(), InputError);
}

// Only the fall moves the disc. A located closing begins with φ'' ≥ 10⁵ at φ' = 0, where only the
// absolute tolerance matters. The solver must not mistake the first short steps for an underflow.
TEST(CompliantImpact, TightToleranceCausesNoUnderflow) {
  for (const double epsilon : {1e-2, 1e-4}) {
    const Throw thrown{.restitution = 0.0, .sliding = 0.5, .epsilon = epsilon, .flight = 0.1};
    EXPECT_NEAR(thrown.after("cvode_bdf", 1e-12, Closing::located).normal, thrown.located().normal,
                1e-8);
  }
}

// It slides throughout: λ = μ p for every tangential spring, and its impulse is μ (1 + e).
TEST(CompliantImpact, SlidingThroughoutFollowsRouthForEveryPower) {
  for (const double kappa : {1.0, 1.5}) {
    Throw thrown{.sliding = 1.5};
    thrown.law.tangential_power = kappa;
    EXPECT_NEAR(thrown.located().sliding, thrown.routh(), 1e-8);
  }
}

// When it sticks, Routh predicts w = 0 at the end. With κ = 1 both springs have the same time
// scale: w is then independent of ε and not zero. With κ > 1 the tangential contact settles first.
TEST(CompliantImpact, StickingConvergesToRouthOnlyIfTheTangentialContactIsFaster) {
  const auto left = [](double kappa, double epsilon) {
    Throw thrown{.sliding = 0.5, .epsilon = epsilon};
    thrown.law.tangential_power = kappa;
    EXPECT_EQ(thrown.routh(), 0.0);
    return thrown.located().sliding;
  };
  EXPECT_NEAR(left(1.0, 1e-2), -2.36483e-2, 1e-7);
  EXPECT_NEAR(left(1.0, 1e-3), left(1.0, 1e-2), 1e-8);
  const double coarse = left(1.25, 1e-2), fine = left(1.25, 1e-3);
  EXPECT_LT(std::abs(coarse), 1e-4);
  EXPECT_LT(std::abs(fine), 1e-3 * std::abs(coarse));
  EXPECT_LT(std::abs(left(2.0, 1e-2)), 1e-12);
}

// A plastic damper delivers the normal impulse within ε^β: κ must exceed β, not 1. For smaller κ
// the impact ends before the tangential contact responds, and sliding remains.
TEST(CompliantImpact, PlasticImpactsFollowRouthOnlyIfThePowerExceedsThatOfTheDamper) {
  const auto left = [](double kappa, double epsilon) {
    Throw thrown{.restitution = 0.0, .sliding = 0.5, .epsilon = epsilon};
    thrown.law.tangential_power = kappa;
    return thrown.located().sliding;
  };
  EXPECT_LT(std::abs(left(2.0, 1e-3)), 1e-12);
  EXPECT_GT(left(1.25, 1e-3), 0.1);
  EXPECT_GT(left(1.25, 1e-4), left(1.25, 1e-3) + 0.05);
}

}  // namespace
}  // namespace rigidlimit
