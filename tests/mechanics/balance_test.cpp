// Tests the terms of the equations from one tape, and their derivatives, with slipping contacts.
#include "rigidlimit/mechanics/motion_tapes.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

/// The skate with an exact row, an invariant, a gap and a given normal force. All terms depend on
/// all variables; it has no physical meaning.
struct HeldSkate : test::BodyFrameSkate {
  template <class S>
  Matrix<S, 1, n> exact_constraint(const Vector<S, nq>& q) const {
    return Matrix<S, 1, n>(S(1), 0.2 * q(0), q(3));
  }
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    return Vector<S, 1>(q(2) * q(2) + q(3) * q(3) - 1.0);
  }
  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>& q) const {
    using std::sin;
    return Vector<S, 1>(q(0) * q(1) + sin(q(2)));
  }
  template <class S>
  Vector<S, 1> normal_force(const Vector<S, nq>& q, const Vector<S, n>& v, const S& t) const {
    using std::cos;
    return Vector<S, 1>(cos(3.0 * t) * q(1) + v(0) * v(2));
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "blade", .normal = Normal::given, .friction = 0.3}};
  }
};

class ContactBalance : public testing::Test {
 protected:
  static constexpr Index nq = HeldSkate::nq, n = HeldSkate::n, h = 3;
  FrictionalSystem system = make_frictional_system(HeldSkate{});
  const Balance& balance = system.smooth.tapes->contact_balance();
  test::RandomNumbers random{11};
  VectorXd q = random.vector<4>(0.1, 0.9), v = random.vector<3>(), a = random.vector<3>();
  VectorXd p = random.vector<3>();
  double t = 0.3;

  /// The terms in the order of BalanceDerivatives.
  VectorXd all(double time, const VectorXd& y) const {
    BalanceTerms at;
    balance.terms(time, y.head(nq), y.tail(n), at);
    VectorXd terms(nq + 2 * n + 3 * h + 2);
    terms << at.coordinate_rate(), at.velocity(), at.force(),
        at.mass() * a + at.rows().transpose() * p, at.drift(), at.rows() * a, at.gap(),
        at.normal_force();
    return terms;
  }
  static MatrixXd joined(const BalanceDerivatives& d) {
    MatrixXd all(nq + 2 * n + 3 * h + 2, d.force.cols());
    all << d.coordinate_rate, d.velocity, d.force, d.load, d.drift, d.acceleration, d.gap,
        d.normal_force;
    return all;
  }
  VectorXd state() const {
    VectorXd y(nq + n);
    y << q, v;
    return y;
  }
};

// One tape replaces the tapes of the terms: sums of about ten products of numbers of order one.
TEST_F(ContactBalance, TermsAreThoseOfTheEquations) {
  const Equations<double>& equations = system.smooth.in<double>();
  VectorXd q_rate(nq), Tv(nq), F(n), drift(2), normal_drift(1), gap(1), normal_force(1);
  MatrixXd M(n, n), X(h, n), rows(2, n), N(1, n);
  equations.coordinate_rate(q, v, Tv);
  equations.restoring_rate(q, q_rate);
  EXPECT_GT(q_rate.norm(), 1e-2);  // the comparison is not empty
  q_rate += Tv;
  equations.mass_matrix(q, M);
  equations.force(q, v, t, F);
  equations.constraints(q, rows);
  equations.constraint_drift(q, Tv, v, drift);
  system.geometry->normal_rows(q, N);
  system.geometry->normal_drift(q, v, normal_drift);
  system.geometry->gap(q, gap);
  system.geometry->normal_force(q, v, t, normal_force);
  X << rows, N;
  VectorXd expected(nq + 2 * n + 3 * h + 2);
  expected << q_rate, X * v, F, M * a + X.transpose() * p, drift, normal_drift, X * a, gap,
      normal_force;
  EXPECT_LE((all(t, state()) - expected).cwiseAbs().maxCoeff(), 100.0 * unit_roundoff);
  // Negative control: a tape that did not read t.
  EXPECT_GT((all(t + 0.1, state()) - expected).norm(), 1e-2);
}

TEST_F(ContactBalance, DerivativesAreThoseOfTheTerms) {
  const auto numerical =
      test::central_jacobian([&](const VectorXd& y) { return all(t, y); }, state(), 1.0 / 256.0);
  const MatrixXd d = joined(balance.derivatives(t, q, v, a, p));
  EXPECT_LE((d - numerical.value).cwiseAbs().maxCoeff(), numerical.bound);
  EXPECT_LT(numerical.bound, 1e-9);
  // Negative control: a and p matter.
  EXPECT_GT((joined(balance.derivatives(t, q, v, 2.0 * a, p)) - d).norm(), 1e-2);
  EXPECT_GT((joined(balance.derivatives(t, q, v, a, 2.0 * p)) - d).norm(), 1e-2);
}

TEST_F(ContactBalance, TimeAffectsForcesOnly) {
  const auto numerical =
      test::central_difference([&](double time) { return all(time, state()); }, t, 1.0 / 256.0);
  const BalanceDerivatives d = balance.time_derivatives(t, q, v);
  EXPECT_LE((joined(d) - numerical.value).cwiseAbs().maxCoeff(), numerical.bound);
  EXPECT_GT(d.force.norm(), 0.1);
  EXPECT_GT(d.normal_force.norm(), 0.1);
}

TEST_F(ContactBalance, GradientOfTheLoadIsThatOfItsWork) {
  const auto work = [&](const VectorXd& at) {
    VectorXd y(nq + n);
    y << at, v;
    return VectorXd::Constant(1, a.dot(all(t, y).segment(nq + h + n, n)));
  };
  const auto numerical = test::central_jacobian(work, q, 1.0 / 256.0);
  const VectorXd gradient = balance.load_gradient(q, a, p);
  EXPECT_LE((gradient - numerical.value.transpose()).norm(), 2.0 * numerical.bound);
  EXPECT_GT((balance.load_gradient(q, a, -p) - gradient).norm(), 1e-2);  // p matters
}

// Rolling contacts have the rows without normals: the first of the full rows.
TEST_F(ContactBalance, HasTheFirstRowsWithoutNormals) {
  const BalanceDerivatives rolling =
      system.smooth.tapes->balance().derivatives(t, q, v, a, p.head(2));
  const BalanceDerivatives d = balance.derivatives(t, q, v, a, p);
  EXPECT_EQ(rolling.drift, d.drift.topRows(2));
  EXPECT_EQ(rolling.force, d.force);
  EXPECT_EQ(rolling.gap.rows(), 0);
  EXPECT_GT((rolling.load - d.load).norm(), 1e-2);  // without N it differs
}

}  // namespace
}  // namespace rigidlimit
