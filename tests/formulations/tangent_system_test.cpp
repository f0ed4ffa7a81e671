// Tests the tangent lift: its terms at one instant, and its motions of both kinds, against
// differences of neighbouring states and motions.
#include "rigidlimit/mechanics/tangent_system.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/catalogue_system.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"
#include "support/select.hpp"

namespace rigidlimit {
namespace {

using test::CatalogueSystem;

constexpr double end = 1.0;      // s
constexpr double epsilon = 0.1;  // of the compliant motions
constexpr double rtol = 1e-12;

/// The lift with δX of the wrong sign: the rows of (q, −δq).
System with_wrong_rows(const System& lift) {
  auto wrong = std::make_shared<RecordedSystem>(*lift.recorded);
  wrong->constraints = tape_of(
      [&](const ExpressionVector& q) {
        return inlined(lift.recorded->constraints,
                       joined(q.head(lift.nq / 2), ExpressionVector(-q.tail(lift.nq / 2))));
      },
      lift.nq);
  System system = lift;
  system.recorded = wrong;
  system.tapes = motion_tapes_of(system.recorded);
  system.equations = equations_of(*wrong);
  return system;
}

/// A system of the catalogue, a direction, and the lifted start.
class TangentTest : public testing::TestWithParam<const char*> {
 protected:
  TangentTest() {
    // Derivatives of the rattleback grow by a factor of 1e4: a small direction keeps the
    // sixth-order differences within their asymptotic range.
    const double size = std::string_view(GetParam()) == "rattleback" ? 0.02 : 0.5;
    for (Index i = 0; i < dq.size(); ++i) dq(i) = random.uniform(-size, size);
    for (Index i = 0; i < dv.size(); ++i) dv(i) = random.uniform(-size, size);
    lifted = tangent_start(lift, rolling(base.start), dq, dv);
  }

  /// G depends on q: the wrong sign of δG is a mistake.
  bool has_turning_rows() const { return std::string_view(GetParam()) != "v_groove_ball"; }
  /// The start with the velocity projected, since a default start may have rounding errors.
  InitialState rolling(InitialState state) const {
    const ContactBasis basis = contact_basis(base.model, state.q);
    state.v = projected_velocity<double>(base.model, basis, state.q, state.v);
    return state;
  }
  /// The start at the distance s: on the manifold of the invariants by Newton's method, rolling.
  InitialState neighbour(double s) const {
    const Index nq = base.model.nq, n = base.model.n;
    InitialState state{lifted.q.head(nq) + s * lifted.q.tail(nq),
                       lifted.v.head(n) + s * lifted.v.tail(n)};
    VectorXd back(nq);
    for (int i = 0; i < 4 && base.model.ni > 0; ++i) {
      base.model.in<double>().restoring_rate(state.q, back);
      state.q += 0.1 * back;  // the rate is 10/s times a Newton step
    }
    return rolling(state);
  }

  CatalogueSystem base{*find_system(builtin_systems(), GetParam())};
  System lift = tangent_of(base.model);
  test::RandomNumbers random{811};
  VectorXd dq{base.model.nq}, dv{base.model.n};
  InitialState lifted;
};
INSTANTIATE_TEST_SUITE_P(Systems, TangentTest,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_disk",
                                         "rolling_disk_quaternion", "two_blade_dumbbell",
                                         "coin_on_plate", "v_groove_ball", "sleigh_chain",
                                         "rattleback", "wheel_euler"),
                         [](const auto& one) { return std::string(one.param); });

VectorXd stacked(const Motion& motion) {
  VectorXd all(motion.q.size() + motion.v.size() + motion.lambda.size());
  all << motion.q.reshaped(), motion.v.reshaped(), motion.lambda.reshaped();
  return all;
}

TEST_P(TangentTest, StartIsTangentToTheConstraints) {
  const VectorXd held = exact_velocity(lift, lifted), sliding = sliding_velocity(lift, lifted);
  VectorXd e(lift.ni);
  lift.in<double>().invariants(lifted.q, e);
  // Sums of at most 20 products of numbers below 10.
  const double tolerance = 1e4 * test::unit_roundoff;
  EXPECT_LE(held.lpNorm<Eigen::Infinity>() + sliding.lpNorm<Eigen::Infinity>(), tolerance);
  EXPECT_LE(e.lpNorm<Eigen::Infinity>(), tolerance);
  EXPECT_GT(lifted.q.tail(base.model.nq).norm(), 0.01);
}

TEST_P(TangentTest, AccelerationAndMultiplierAreThoseOfADifference) {
  const auto solve = [&](const System& system, const InitialState& at) {
    const ContactBasis basis = contact_basis(system, at.q);
    const auto kkt = solve_kkt<double>(system, basis, at.q, at.v, 0.0);
    const VectorXd lambda = selected_multiplier(
        basis, system.m == base.model.m ? base.law.stiffness : tangent_of(base.law).stiffness,
        VectorXd::Zero(system.m), kkt.multiplier);
    VectorXd both(kkt.acceleration.size() + lambda.size());
    both << kkt.acceleration, lambda;
    return both;
  };
  const Index n = base.model.n, m = base.model.m;
  const auto halves = [&](const VectorXd& all, bool second) {
    VectorXd part(n + m);
    part << all.segment(second ? n : 0, n), all.segment(2 * n + (second ? m : 0), m);
    return part;
  };
  const auto numerical = test::central_difference(
      [&](double s) { return solve(base.model, neighbour(s)); }, 0.0, 2e-3, 1e4);
  const VectorXd whole = solve(lift, lifted);
  const double size = 1.0 + whole.lpNorm<Eigen::Infinity>();
  EXPECT_LE((halves(whole, false) - solve(base.model, neighbour(0.0))).lpNorm<Eigen::Infinity>(),
            1e5 * test::unit_roundoff * size);
  EXPECT_LE((halves(whole, true) - numerical.value.col(0)).lpNorm<Eigen::Infinity>(),
            numerical.bound);
  if (!has_turning_rows()) return;
  const System wrong = with_wrong_rows(lift);
  EXPECT_GT((halves(solve(wrong, lifted), true) - numerical.value.col(0)).lpNorm<Eigen::Infinity>(),
            100.0 * numerical.bound)
      << "negative control";
}

SolveOptions precise() {
  return {.rtol = rtol, .atol = 1e-14};
}

/// (q, v, λ) at the end, natural or adapted variables.
Motion compliant_end(const System& system, const InitialState& start, const ViscoelasticLaw& law,
                     const VectorXd& eta0, bool adapted) {
  const auto problem = adapted ? compliant_adapted(system, start, law, epsilon, eta0)
                               : compliant_ode(system, start, law, epsilon, eta0);
  const Solution solution =
      find_ode_method("radau_iia")->solve(problem.problem, {0.0, end}, precise());
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  Motion motion = problem.motion(solution);
  return {{end}, motion.q.rightCols(1), motion.v.rightCols(1), motion.lambda.rightCols(1)};
}

// A solve has errors of about 100 rtol: as many "roundings" of the values, in the derivative too.
TEST_P(TangentTest, CompliantMotionIsThatOfADifference) {
  const VectorXd eta0 = VectorXd::Zero(base.model.m);
  const auto numerical = test::central_difference(
      [&](double s) {
        return stacked(compliant_end(base.model, neighbour(s), base.law, eta0, true));
      },
      0.0, 3e-4, 100.0 * rtol / test::unit_roundoff);
  for (const bool adapted : {false, true}) {
    const auto end_of = [&](const System& system) {
      return stacked(derivative_in(
          compliant_end(system, lifted, tangent_of(base.law), VectorXd::Zero(system.m), adapted)));
    };
    const VectorXd derivative = end_of(lift);
    EXPECT_LE((derivative - numerical.value.col(0)).lpNorm<Eigen::Infinity>(), numerical.bound)
        << (adapted ? "adapted" : "natural");
    if (adapted || !has_turning_rows()) continue;
    EXPECT_GT((end_of(with_wrong_rows(lift)) - numerical.value.col(0)).lpNorm<Eigen::Infinity>(),
              10.0 * numerical.bound)
        << "negative control";
  }
}

TEST_P(TangentTest, RigidMotionIsThatOfADifference) {
  const auto end_of = [&](const System& system, const auto& rigid) {
    const Solution solution = solve_radau_iia(rigid.problem, {0.0, end}, precise(), RadauOptions{});
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    Motion motion = rigid.motion(solution);
    const ContactBasis basis = contact_basis(system, motion.q.col(0));
    const MatrixXd C =
        system.m == base.model.m ? base.law.stiffness : tangent_of(base.law).stiffness;
    motion.lambda.col(1) =
        selected_multiplier(basis, C, VectorXd::Zero(system.m), VectorXd(motion.lambda.col(1)));
    return Motion{{end}, motion.q.rightCols(1), motion.v.rightCols(1), motion.lambda.rightCols(1)};
  };
  const auto numerical = test::central_difference(
      [&](double s) {
        return stacked(end_of(base.model, rigid_eliminated(base.model, neighbour(s))));
      },
      0.0, 3e-4, 100.0 * rtol / test::unit_roundoff);
  const auto expect_derivative = [&](const char* form, const auto& rigid) {
    const VectorXd derivative = stacked(derivative_in(end_of(lift, rigid)));
    EXPECT_LE((derivative - numerical.value.col(0)).lpNorm<Eigen::Infinity>(), numerical.bound)
        << form;
  };
  expect_derivative("eliminated", rigid_eliminated(lift, lifted));
  expect_derivative("semi-explicit", rigid_semi_explicit(lift, lifted));
  expect_derivative("reduced", rigid_reduced(lift, lifted));
}

// ½ v*ᵀ M* v* + P* is the derivative of the energy.
TEST_P(TangentTest, EnergyIsTheDerivativeOfTheEnergy) {
  const auto numerical = test::central_difference(
      [&](double s) {
        const InitialState at = neighbour(s);
        return VectorXd::Constant(1, mechanical_energy(base.model, at.q, at.v));
      },
      0.0, 2e-3, 1e4);
  EXPECT_NEAR(mechanical_energy(lift, lifted.q, lifted.v), numerical.value(0, 0), numerical.bound);
}

/// A knife edge whose drive stops at t = 0.5 s.
struct SwitchedEdge {
  static constexpr int nq = 3, n = 3, m = 1;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>::Ones().asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    return {select(t < 0.5, S(1), S(0)), S(0), S(0)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    return Matrix<S, m, n>(-sin(q(2)), cos(q(2)), S(0));
  }
};

TEST(TangentSystem, RefusesSwitches) {
  EXPECT_THROW(tangent_of(make_system(SwitchedEdge{})), InputError);
}

TEST(TangentSystem, LiftsAndUnliftsALaw) {
  const MatrixXd C = (MatrixXd(2, 2) << 2.0, 0.3, 0.3, 1.0).finished();
  const ViscoelasticLaw law = tangent_of(ViscoelasticLaw{.stiffness = C, .damping = 2.0 * C});
  EXPECT_EQ(law.stiffness.topRightCorner(2, 2), C);
  EXPECT_EQ(under_lift(law.stiffness), C);
  EXPECT_EQ(under_lift(C), C);
  MatrixXd other = law.damping;
  other(0, 0) = 1e-3;
  EXPECT_EQ(under_lift(other), other);
}

}  // namespace
}  // namespace rigidlimit
