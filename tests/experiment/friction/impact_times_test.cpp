// Tests the impact times of a compliant ball against a formula.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/mechanics/restitution.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

/// The ball of experiments/impacts/bouncing_ball_oblique.toml, with mass 1. Friction does not act
/// on its height g. The normal contact is linear, g'' + 2 ζ ω g' + ω² g = −G, ω = sqrt(C)/ε, until
/// the force G + g'' vanishes. In long double, cancellation costs 1e-18 s.
struct Ball {
  double stiffness, epsilon;
  long double lost = 0.0L;  ///< m, penetration at which the force begins

  static constexpr long double G = 9.81, height = 0.5;

  std::vector<long double> impacts(std::size_t count) const {
    long double u = std::sqrt(2.0L * G * height), t = u / G;
    std::vector<long double> times{t};
    while (times.size() < count) {
      const Leaving leaves = contact(u);
      const long double next = std::sqrt(leaves.v * leaves.v + 2.0L * G * leaves.g);
      t += leaves.t + (leaves.v + next) / G;
      u = next;
      times.push_back(t);
    }
    return times;
  }

 private:
  struct Leaving {
    long double t, g, v;
  };
  /// g + G/ω² is a damped oscillation.
  Leaving contact(long double u) const {
    const long double omega = std::sqrt(static_cast<long double>(stiffness)) / epsilon;
    const long double zeta = damping_of_restitution(0.5);
    const long double ratio = std::sqrt(1.0L - zeta * zeta), rest = G / (omega * omega);
    const long double z0 = rest - lost;
    const auto z = [&](long double s) {  // s = ω t
      return std::exp(-zeta * s) *
             (z0 * std::cos(ratio * s) + (zeta * z0 - u / omega) / ratio * std::sin(ratio * s));
    };
    const auto rate = [&](long double s) {
      return std::exp(-zeta * s) *
             (-u * std::cos(ratio * s) + (zeta * u - omega * z0) / ratio * std::sin(ratio * s));
    };
    long double low = 0.0L, high = std::numbers::pi_v<long double> / ratio;
    for (int k = 0; k < 80; ++k) {
      const long double s = 0.5L * (low + high);
      (G - omega * omega * z(s) - 2.0L * zeta * omega * rate(s) > 0.0L ? low : high) = s;
    }
    return {low / omega, z(low) - rest, rate(low)};
  }
};

FrictionResult bounced(const char* stiffness) {
  const std::string C = stiffness;
  const FrictionStudy study = read_friction_study(
      test::in_repository("experiments/impacts/bouncing_ball_oblique.toml"),
      {"contact.normal_stiffness=" + C, "contact.tangential_stiffness=" + C, "epsilon.count=2",
       "time.end=0.9", "time.samples=10", "time.layer_per_decade=1", "time.matched_events=3",
       "solvers.moreau_jean=[1e-2]", "inequality.draws=0"});
  return run_friction_study(study);
}

double off(const EventMatch& match, const Ball& ball) {
  const auto formula = ball.impacts(match.event + 1).back();
  return std::abs(static_cast<double>(static_cast<long double>(match.t) - formula));
}

// An error bar is an estimate: errors of up to three bars pass. A bar must be at most a tenth of
// the difference to the rigid impact. Exception: the last stiffness at the smaller ε, where the
// period of the contact, 2π ε/sqrt(C), is near the resolution of t.
TEST(ImpactTimes, MatchTheFormulaForFourStiffnesses) {
  for (const char* stiffness : {"1e4", "1e8", "1e10", "1e12"}) {
    const FrictionResult result = bounced(stiffness);
    ASSERT_EQ(result.matches.size(), 6U);
    for (const EventMatch& match : result.matches) {
      const Ball ball{.stiffness = std::stod(stiffness), .epsilon = match.epsilon};
      EXPECT_GT(match.solver_error, 0.0);
      EXPECT_LE(off(match, ball), 3.0 * match.solver_error)
          << stiffness << ", ε = " << match.epsilon << ", event " << match.event;
      const bool resolved = ball.stiffness < 1e12 || match.epsilon > 1e-3;
      if (match.event > 0 && resolved) {
        EXPECT_LE(match.solver_error, 0.1 * std::abs(match.difference));
        // Negative control: a contact force that begins 2e-11 ε m late, a former defect.
        Ball late = ball;
        late.lost = 2e-11L * match.epsilon;
        EXPECT_GT(off(match, late), 3.0 * match.solver_error);
      }
    }
    // Order 1 between ε and ε/16. The next power of ε adds O(ε) of the difference: 2 %.
    const EventMatch& second = result.matches.at(3);
    if (std::stod(stiffness) < 1e12) {
      EXPECT_NEAR(second.order, 1.0, 0.02) << stiffness;
    }
  }
}

}  // namespace
}  // namespace rigidlimit
