// Tests kinks of compliant contacts beside that of the curb's edge: the order that a high-order
// method loses when it steps across them, and that each is located once.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

/// State at `end` of a solve by `method`, with kinks located or stepped across.
VectorXd state_at(OdeProblem problem, double end, const char* method, const SolveOptions& options,
                  bool located) {
  if (!located) problem.roots = nullptr;
  const Solution solution = find_ode_method(method)->solve(problem, {end}, options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_EQ(solution.roots.empty(), !located);
  return solution.states.col(0);
}

SolveOptions steps_of(double size) {
  SolveOptions options;
  options.fixed_step = size;
  return options;
}

/// Fehlberg's pair of order 7 or 8 with n fixed steps, |error| over the components of `reference`.
double error_of(const OdeProblem& problem, double end, int n, bool located,
                const VectorXd& reference) {
  const VectorXd y = state_at(problem, end, "runge_kutta_fehlberg78", steps_of(end / n), located);
  return (y.head(reference.size()) - reference).cwiseAbs().maxCoeff();
}

/// The mean order from n steps to 2ᵏ n: the order of a method that steps across depends on the
/// position of the kink within a step.
double order_of(const OdeProblem& problem, double end, int n, int k, bool located,
                const VectorXd& reference) {
  const double coarse = error_of(problem, end, n, located, reference);
  return std::log2(coarse / error_of(problem, end, n << k, located, reference)) / k;
}

/// An elastic stop: a weightless disc meets a spring at 1 m/s after 0.31 m and leaves it after half
/// a period of ω = sqrt(C/m)/ε = 10/s, at 1 m/s. The force has a kink at both ends.
TEST(ElasticStop, ReducesTheOrderUnlessLocated) {
  const SystemEntry& entry = *find_system(builtin_systems(), "bouncing_ball");
  const double radius = 0.1, free = 0.31;
  const FrictionalSystem system = entry.make_frictional({1.0, radius, 0.5, 0.0, 0.0, 1.0});
  const InitialState start{Eigen::Vector3d(0.0, radius + free, 0.0),
                           Eigen::Vector3d(0.0, -1.0, 0.0)};
  const FrictionalLaw law{.tangential_stiffness = VectorXd::Ones(1),
                          .normal_stiffness = VectorXd::Ones(1)};
  const OdeProblem problem = frictional_compliant(system, start, law, 0.1).problem;
  const double contact = M_PI / 10.0;
  VectorXd known(6);
  known << 0.0, radius + 1.0 - free - contact, 0.0, 0.0, 1.0, 0.0;
  EXPECT_GT(order_of(problem, 1.0, 10, 2, true, known), 6.0);
  EXPECT_LT(error_of(problem, 1.0, 40, true, known), 1e-9);
  // A step across errs by O(h²) in v.
  EXPECT_LT(order_of(problem, 1.0, 10, 4, false, known), 3.5);
  EXPECT_GT(error_of(problem, 1.0, 40, false, known), 1e-6);
}

/// A particle that slides along the ground y = 0 and, beyond a ridge x = 0, down y = −x³/3L². There
/// the curvature begins to grow, and with it the normal force and friction. (A jump of the
/// curvature makes f discontinuous, which root functions do not cover. A stage of an explicit
/// method may then lie beyond a root at the end of its step: Fehlberg's pair falls to order 1.)
struct ParticleOnRidge {
  static constexpr int nq = 2, n = 2, m = 1;
  double mass = 1.0, gravity = 9.81, length = 1.0, friction = 0.2;

  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Matrix<S, 2, 2>::Identity() * S(mass);
  }
  template <class S>
  Vector<S, 2> force(const Vector<S, 2>&, const Vector<S, 2>&) const {
    return {S(0), S(-mass * gravity)};
  }
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 2>& q) const {
    return {S(1), select(q(0) > S(0), S(-q(0) * q(0) / (length * length)), S(0))};
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "ground", .normal = Normal::bilateral, .friction = friction}};
  }
  template <class S>
  Vector<S, 1> gap(const Vector<S, 2>& q) const {
    const S drop = q(0) * q(0) * q(0) / (3.0 * length * length);
    return Vector<S, 1>(select(q(0) > S(0), S(q(1) + drop), q(1)));
  }
  template <class S>
  Vector<S, 1> kinks(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q(0));
  }
};

TEST(Ridge, ReducesTheOrderUnlessLocated) {
  const FrictionalSystem system = make_frictional_system(ParticleOnRidge{});
  const InitialState start{Eigen::Vector2d(-0.25, 0.0), Eigen::Vector2d(2.0, 0.0)};
  const FrictionalLaw law{.tangential_stiffness = VectorXd::Ones(1),
                          .normal_stiffness = VectorXd::Ones(1)};
  const auto compliant = frictional_compliant(system, start, law, 0.2);
  SolveOptions exact;
  exact.rtol = 1e-13;
  exact.atol = 1e-15;
  const VectorXd reference = state_at(compliant.problem, 0.4, "radau_iia_7", exact, true).head(4);
  EXPECT_GT(reference(0), 0.1);  // beyond the ridge
  EXPECT_GT(order_of(compliant.problem, 0.4, 5, 2, true, reference), 6.0);
  EXPECT_LT(error_of(compliant.problem, 0.4, 20, true, reference), 1e-10);
  EXPECT_LT(order_of(compliant.problem, 0.4, 5, 4, false, reference), 3.5);
  EXPECT_GT(error_of(compliant.problem, 0.4, 20, false, reference), 1e-8);
}

/// Kind, contact and direction of every root of the wheel that rolls against the curb and climbs it
/// (experiments/impacts/curb_climb.toml).
std::vector<std::string> kinks_of_the_climb(const char* method, double atol) {
  const SystemEntry& entry = *find_system(builtin_systems(), "wheel_and_curb");
  const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
  const InitialState start{Eigen::Vector3d(0.7, 0.1, 0.0), Eigen::Vector3d(-1.5, 0.0, 15.0)};
  const FrictionalLaw law{.tangential_stiffness = VectorXd::Constant(3, 1e4),
                          .normal_stiffness = VectorXd::Constant(3, 1e4),
                          .tangential_power = 2.0};
  const auto compliant = frictional_compliant(system, start, law, 1e-3, Closing::located);
  SolveOptions options;
  options.rtol = 1e-9;
  options.atol = atol;
  options.max_steps = 20000;
  const Solution solution = find_ode_method(method)->solve(compliant.problem, {0.93}, options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  const std::vector<CompliantKink> kinks = kinks_of(system);
  std::vector<std::string> all;
  for (const Root& root : solution.roots) {
    if (root.t < 1e-6) continue;  // it rolls to rounding only, and loads its spring
    const CompliantKink& kink = kinks[static_cast<std::size_t>(root.which)];
    all.push_back("kind " + std::to_string(static_cast<int>(kink.kind)) + ", contact " +
                  std::to_string(kink.which) + (root.direction > 0 ? ", +" : ", -"));
  }
  return all;
}

// A multistep method locates each root of Radau IIA once. From the absolute tolerance of w, 1e-8
// m/s, D_t/ε_t makes 3.6 N, less than the friction, but a contact that begins to slip returns to the
// rim some ten times. When CVODE itself determined the signs behind a root, it located 5 789 roots.
TEST(ClimbingWheel, HasTheSameKinksInRadauAndCvode) {
  const std::vector<std::string> radau = kinks_of_the_climb("radau_iia_5", 1e-10);
  EXPECT_GE(radau.size(), 10U);
  EXPECT_EQ(kinks_of_the_climb("cvode_bdf", 1e-10), radau);
  EXPECT_LE(kinks_of_the_climb("cvode_bdf", 1e-8).size(), 3 * radau.size());
}

}  // namespace
}  // namespace rigidlimit
