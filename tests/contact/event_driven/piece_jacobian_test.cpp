// Tests the Jacobian of a piece against differences, for all systems and modes of the catalogue.
#include "rigidlimit/contact/event_driven/piece_jacobian.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/systems/builtin_codes.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/frictional_models.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

/// A state that satisfies the closed contacts, which slip at speeds of order one.
struct Moving {
  ContactStates states;
  VectorXd q, v;
};

Moving moving(const FrictionalSystem& system, const InitialState& start,
              const std::vector<ContactMode>& modes, RandomNumbers& random) {
  Moving at{.states = ContactStates(modes.size()), .q = start.q, .v = start.v};
  for (double& x : at.q) x += random.uniform(-0.01, 0.01);
  for (double& x : at.v) x += random.uniform(-1.0, 1.0);
  if (system.smooth.ni > 0) at.q.tail<4>().normalize();
  for (std::size_t i = 0; i < modes.size(); ++i) at.states[i].mode = modes[i];
  at.q = configuration_within(system, at.states, at.q);
  at.v = velocity_within(system, at.states, at.q, at.v, {});
  const VectorXd rate = contact_terms(system, at.q, at.v, 0.0).rate;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ContactPoint& contact = system.contacts[i];
    if (modes[i] == ContactMode::slip && has_friction(contact))
      at.states[i].direction = rate.segment(contact.first, contact.components).normalized();
  }
  return at;
}

VectorXd rhs(const FrictionalSystem& system, const Moving& at, const VectorXd& y) {
  const Index nq = system.smooth.nq;
  const PieceRate rate = piece_rate(system, at.states, y.head(nq), y.tail(y.size() - nq), 0.0, {});
  VectorXd f(y.size());
  f << rate.q_rate, rate.acceleration;
  return f;
}

/// Central differences over four points, h = 1e-3. The error is h⁴/30 of the fifth derivative, plus
/// the rounding of f over h.
MatrixXd by_differences(const FrictionalSystem& system, const Moving& at, const VectorXd& y) {
  constexpr double h = 1e-3;
  MatrixXd J(y.size(), y.size());
  for (Index k = 0; k < y.size(); ++k) {
    const auto f = [&](double steps) {
      return rhs(system, at, y + steps * h * VectorXd::Unit(y.size(), k));
    };
    J.col(k) = (8.0 * (f(1.0) - f(-1.0)) - (f(2.0) - f(-2.0))) / (12.0 * h);
  }
  return J;
}

double distance(const FrictionalSystem& system, const Moving& at, const MatrixXd& J) {
  VectorXd y(at.q.size() + at.v.size());
  y << at.q, at.v;
  const MatrixXd D = by_differences(system, at, y);
  return (J - D).cwiseAbs().maxCoeff() / std::max(1.0, D.cwiseAbs().maxCoeff());
}

MatrixXd jacobian(const FrictionalSystem& system, const Moving& at) {
  const Index size = at.q.size() + at.v.size();
  MatrixXd J = MatrixXd::Constant(size, size, std::nan(""));
  piece_jacobian(system, at.states, at.q, at.v, 0.0, {}, J);
  return J;
}

/// Every contact of every system separately, slipping and sticking. The fifth derivatives of w/|w|
/// with |w| = 0.1 and lengths of 0.04 m give up to 1e-12/30 · 24/0.1⁵ of the Jacobian, 1e-7. The
/// errors elsewhere are below half of it.
TEST(PieceJacobian, MatchesDifferencesWithFixedModes) {
  int looked_at = 0;
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.slips()) continue;
    const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
    const InitialState start = entry.frictional_start(entry.frictional_default_values());
    for (std::size_t i = 0; i < system.contacts.size(); ++i)
      for (const ContactMode mode : {ContactMode::slip, ContactMode::stick}) {
        if (system.contacts[i].name == "curb") continue;  // far from the start
        std::vector<ContactMode> modes(system.contacts.size(), ContactMode::free);
        modes[i] = mode;
        RandomNumbers random(17);
        const Moving at = moving(system, start, modes, random);
        EXPECT_LT(distance(system, at, jacobian(system, at)), 1e-6)
            << entry.info.name << " " << system.contacts[i].name << " " << name_of(mode);
        ++looked_at;
      }
  }
  EXPECT_GE(looked_at, 18);
}

/// All tapes that a piece evaluates for systems of the catalogue, of the balance of forces, have
/// built-in machine code.
TEST(PieceJacobian, EvaluatesOnlyBuiltInCode) {
  std::size_t asked = 0;
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.slips()) continue;
    const CodeCollector collector([&](const TapeForm& form, bool) {
      const auto is_it = [&](const BuiltinCode& code) { return code.key == key_of(form); };
      EXPECT_TRUE(std::ranges::any_of(builtin_codes(), is_it))
          << entry.info.name << ": " << form.steps.size() << " steps";
      asked += form.steps.size();
    });
    const std::vector<double> values = entry.frictional_default_values();
    const FrictionalSystem system = entry.make_frictional(values);
    RandomNumbers random(17);
    jacobian(system, moving(system, entry.frictional_start(values),
                            std::vector(system.contacts.size(), ContactMode::free), random));
  }
  EXPECT_GT(asked, 1000u);
}

/// With exact rows E, and two contacts at once.
TEST(PieceJacobian, HoldsWithExactRowsAndSeveralContacts) {
  const FrictionalSystem dumbbell = test::system_of(test::DumbbellAboveFloor{});
  const InitialState lying{Eigen::Vector4d(0.0, 0.0, 1.0, 0.0), Eigen::Vector4d::Ones()};
  const FrictionalSystem wheel = test::system_of(test::WheelAtAnEdge{});
  const InitialState corner{test::corner_of(test::WheelAtAnEdge{}), Eigen::Vector3d::Zero()};
  RandomNumbers random(4);
  for (const ContactMode mode : {ContactMode::slip, ContactMode::stick}) {
    const Moving alone = moving(dumbbell, lying, {mode, ContactMode::free}, random);
    EXPECT_LT(distance(dumbbell, alone, jacobian(dumbbell, alone)), 1e-6);
    const Moving both = moving(wheel, corner, {ContactMode::slip, mode}, random);
    EXPECT_LT(distance(wheel, both, jacobian(wheel, both)), 1e-6);
  }
}

/// Negative control: friction of constant direction causes an error of μ p A/|w|, a thousand times
/// the bound above.
TEST(PieceJacobian, NeedsTheRotationOfFriction) {
  const SystemEntry* entry = find_system(builtin_systems(), "spinning_disk");
  ASSERT_NE(entry, nullptr);
  const FrictionalSystem system = entry->make_frictional(entry->frictional_default_values());
  RandomNumbers random(17);
  Moving at = moving(system, entry->frictional_start(entry->frictional_default_values()),
                     {ContactMode::slip}, random);
  const MatrixXd whole = jacobian(system, at);
  // w' = … − μ p A d: the derivative of d is μ p A/|w| across w.
  const ContactTerms terms = contact_terms(system, at.q, at.v, 0.0);
  const PieceRate rate = piece_rate(system, at.states, at.q, at.v, 0.0, {});
  const Eigen::Vector2d w = terms.rate.head<2>(), across(-w(1) / w.norm(), w(0) / w.norm());
  const VectorXd turning = -0.3 * rate.reaction(2) / w.norm() * terms.response.leftCols(2) * across;
  MatrixXd kept = whole;
  kept.bottomRightCorner(6, 6) -= turning * (across.transpose() * terms.rows.topRows(2));
  EXPECT_GT(distance(system, at, kept), 1e-3);
}

}  // namespace
}  // namespace rigidlimit
