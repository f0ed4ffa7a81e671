// Tests that a system with contacts moves the same in a rolling study and, sticking, with friction.
#include <gmock/gmock.h>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "support/frictional_start.hpp"
#include "support/random_numbers.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

std::vector<SystemEntry> entries_of_both_kinds() {
  std::vector<SystemEntry> all;
  for (const SystemEntry& entry : builtin_systems())
    if (entry.rolls() && entry.slips()) all.push_back(entry);
  return all;
}

ContactStates all_in(ContactMode mode, const FrictionalSystem& system) {
  ContactStates states(system.contacts.size());
  for (ContactState& state : states) state.mode = mode;
  return states;
}

/// At random rolling states, v' of sticking contacts equals v' of rolling. Both solve linear
/// systems of up to ten unknowns, condition numbers up to 1e4 (disc radius 0.04 m): 1e-10 of v'.
TEST(RollingContact, EqualsAStickingContact) {
  test::RandomNumbers random(23);
  int looked_at = 0;
  for (const SystemEntry& entry : entries_of_both_kinds()) {
    SCOPED_TRACE(entry.info.name);
    const std::vector<double> values = entry.frictional_default_values();
    const System rolling = entry.make(values);
    const FrictionalSystem slipping = entry.make_frictional(values);
    const ContactStates stick = all_in(ContactMode::stick, slipping);
    for (int i = 0; i < 5; ++i, ++looked_at) {
      InitialState at = entry.start(values);
      for (double& x : at.q) x += 0.05 * x * random.uniform();
      for (double& x : at.v) x += random.uniform();
      at.q = configuration_within(slipping, stick, at.q);
      const ContactBasis basis = contact_basis(rolling, at.q);
      at.v = projected_velocity<double>(rolling, basis, at.q, at.v);
      const VectorXd rolls = solve_kkt<double>(rolling, basis, at.q, at.v, 0.3).acceleration;
      const auto rate = [&](const ContactStates& states) {
        return piece_rate(slipping, states, at.q, at.v, 0.3, {}).acceleration;
      };
      const double size = 1.0 + rolls.cwiseAbs().maxCoeff();
      EXPECT_LE((rate(stick) - rolls).cwiseAbs().maxCoeff(), 1e-10 * size);
    }
  }
  EXPECT_EQ(looked_at, 30);
  // Negative control: a wheel with an open contact on an incline does not roll.
  const auto [wheel, start] = test::frictional_case("wheel");
  const System rolling = find_system(builtin_systems(), "wheel")
                             ->make(find_system(builtin_systems(), "wheel")->default_values());
  const VectorXd rolls =
      solve_kkt<double>(rolling, contact_basis(rolling, start.q), start.q, start.v, 0.0)
          .acceleration;
  const ContactStates open = all_in(ContactMode::free, wheel);
  EXPECT_GT((piece_rate(wheel, open, start.q, start.v, 0.0, {}).acceleration - rolls).norm(), 0.1);
}

/// With enough friction the event-driven motion is the closed form of rolling, including drag. rtol
/// 1e-12 over some 10² steps: 1e-10 of states of order 1. With too little friction it differs.
TEST(RollingContact, MovesByTheClosedFormOfRolling) {
  const std::vector<double> times = test::uniform_grid(0.0, 1.0, 20);
  for (const char* name : {"wheel", "wheel_euler"})
    for (const bool enough : {true, false}) {
      const SystemEntry& entry = *find_system(builtin_systems(), name);
      const InitialState start = entry.start(entry.default_values());
      const Motion rolls = entry.make(entry.default_values()).closed_form(start, times).value();
      const auto [system, ignored] =
          test::frictional_case(name, {{"friction", enough ? 10.0 : 0.01}});
      const NonsmoothMotion motion = event_driven_motion(system, start, times);
      ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
      const double distance = (motion.motion.v - rolls.v).cwiseAbs().maxCoeff();
      const double in_lambda =
          (motion.motion.lambda.topRows(1) - rolls.lambda).cwiseAbs().maxCoeff();
      if (enough) {
        EXPECT_LE(distance, 1e-10) << name;
        EXPECT_LE(in_lambda, 1e-9) << name;
        EXPECT_TRUE(motion.events.empty()) << name;
      } else {
        EXPECT_GT(distance, 1e-2) << name;
      }
    }
}

/// A block on a wavy slide, q = (x, y), with the row x'. A bilateral contact keeps y = sin(x)/2, or
/// a given force 3 t acts along the gap.
struct Block {
  static constexpr int nq = 2, n = 2, m = 1;
  Normal normal = Normal::bilateral;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>::Identity();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(0), S(-9.81)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return {S(1), S(0)};
  }
  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q(1) - 0.5 * sin(q(0))));
  }
  template <class S>
  Vector<S, 1> normal_force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    return Vector<S, 1>(S(3.0 * t));
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "slide", .first = 0, .components = 1, .normal = normal}};
  }
};

TEST(RollingContact, IsHeldByAnExactRowIfBilateral) {
  const System held = make_system(Block{});
  ASSERT_EQ(held.ne, 1);
  ASSERT_EQ(held.ni, 1);
  const Eigen::Vector2d q(0.3, 0.2);
  MatrixXd rows(2, 2);
  held.in<double>().constraints(q, rows);
  EXPECT_EQ(rows.row(0), Eigen::RowVector2d(-0.5 * std::cos(0.3), 1.0));
  EXPECT_EQ(rows.row(1), Eigen::RowVector2d(1.0, 0.0));
  VectorXd e(1);
  held.in<double>().invariants(q, e);
  EXPECT_EQ(e(0), 0.2 - 0.5 * std::sin(0.3));
  EXPECT_FALSE(held.explicit_time);
}

TEST(RollingContact, IsPushedByAGivenNormalForce) {
  const System pushed = make_system(Block{.normal = Normal::given});
  EXPECT_EQ(pushed.ne, 0);
  EXPECT_TRUE(pushed.explicit_time);
  VectorXd F(2);
  pushed.in<double>().force(Eigen::Vector2d(0.3, 0.2), Eigen::Vector2d::Zero(), 2.0, F);
  EXPECT_EQ(F, Eigen::Vector2d(-0.5 * std::cos(0.3) * 6.0, -9.81 + 6.0));
}

TEST(RollingContact, CannotBeUnilateral) {
  try {
    make_system(Block{.normal = Normal::unilateral});
    ADD_FAILURE() << "it rolls";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("its contact 'slide' may open"));
  }
  const SystemEntry& ball = *find_system(builtin_systems(), "bouncing_ball");
  EXPECT_TRUE(ball.slips());
  EXPECT_FALSE(ball.rolls());
}

/// M, rows, F and invariants of the rolling system with these values, at a generic state.
std::vector<double> computed(const SystemEntry& entry, const std::vector<double>& values) {
  const System system = entry.make(values);
  InitialState at = entry.start(entry.default_values());
  test::RandomNumbers random(5);
  for (double& x : at.v) x += random.uniform();
  for (double& x : at.q) x += 0.1 * random.uniform();
  MatrixXd M(system.n, system.n), rows(system.ne + system.m, system.n);
  VectorXd F(system.n), e(system.ni);
  system.in<double>().mass_matrix(at.q, M);
  system.in<double>().constraints(at.q, rows);
  system.in<double>().force(at.q, at.v, 0.7, F);
  system.in<double>().invariants(at.q, e);
  std::vector<double> all;
  for (const MatrixXd& X : {M, rows, MatrixXd(F), MatrixXd(e)})
    all.insert(all.end(), X.data(), X.data() + X.size());
  return all;
}

/// A rolling study may set exactly the parameters that the rolling system reads.
TEST(RollingContact, ReadsItsParametersAndNotThoseOfFriction) {
  for (const SystemEntry& entry : entries_of_both_kinds()) {
    const std::vector<ParameterInfo> parameters = entry.frictional_parameters();
    const std::vector<double> usual = computed(entry, entry.frictional_default_values());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      std::vector<double> values = entry.frictional_default_values();
      values[i] += 0.01;
      EXPECT_EQ(computed(entry, values) != usual, i < entry.parameters.size())
          << entry.info.name << ": " << parameters[i].name;
    }
  }
}

}  // namespace
}  // namespace rigidlimit
