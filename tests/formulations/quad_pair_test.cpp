// The pair in 113 bits: its right-hand sides round to those in double, and its starts roll to 34
// digits.
#include "rigidlimit/formulations/quad_pair_of.hpp"

#include <gmock/gmock.h>

#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using Sys = test::BodyFrameSkate;
using QuadVector = Vector<Quad, Eigen::Dynamic>;

VectorXd rounded(const QuadVector& x) {
  return x.unaryExpr([](const Quad& value) { return static_cast<double>(value); });
}

/// f in Quad at a start in double is f in double, up to the rounding of the latter: 1e4 roundings
/// of the largest entry (solves with condition numbers below 100, and 1/ε²).
void expect_same(const OdeProblemOf<Quad>& quad, const OdeProblem& in_double) {
  EXPECT_EQ(quad.name, in_double.name);
  EXPECT_EQ(quad.output_size(), in_double.output_size());
  ASSERT_EQ(quad.y0.size(), in_double.y0.size());
  const VectorXd y = in_double.y0;
  QuadVector f = QuadVector::Constant(y.size(), Quad(777));
  VectorXd expected = VectorXd::Constant(y.size(), 777.0);
  quad.rhs(Quad(0.5), y.cast<Quad>(), f);
  in_double.rhs(0.5, y, expected);
  EXPECT_LE((rounded(f) - expected).norm(), 1e4 * test::unit_roundoff * expected.norm());
  MatrixXd J(y.size(), y.size()), expected_J(y.size(), y.size());
  quad.jacobian(0.5, y, J);
  in_double.jacobian(0.5, y, expected_J);
  EXPECT_EQ(J, expected_J);
}

TEST(QuadPair, RightHandSidesRoundToThoseInDouble) {
  const Sys sys;
  test::RandomNumbers random(231);
  const InitialState start = test::rolling_state(sys, random);
  const ViscoelasticLaw law{MatrixXd::Constant(1, 1, 1.3), MatrixXd::Constant(1, 1, 0.7), 1.0};
  const VectorXd eta0 = VectorXd::Constant(1, 0.4);
  const QuadPairOf<Sys> pair(sys);
  const double eps = 0.125;
  expect_same(pair.compliant(start, law, eps, eta0, false).problem,
              compliant_ode(sys, start, law, eps, eta0).problem);
  expect_same(pair.compliant_adapted(start, law, eps, eta0, false, {}).problem,
              compliant_adapted(sys, start, law, eps, eta0).problem);
  expect_same(pair.rigid_eliminated(start).problem, rigid_eliminated(sys, start).problem);
  expect_same(pair.rigid_reduced(start, {}).problem, rigid_reduced(sys, start).problem);
  expect_same(pair.rigid_semi_explicit(start).problem, rigid_semi_explicit(sys, start).problem);
}

// The start is projected in Quad: w(0) vanishes to 1e-32; taken as it is when it slides.
TEST(QuadPair, StartsRollToAllDigitsUnlessTheySlide) {
  const Sys sys;
  test::RandomNumbers random(232);
  const InitialState start = test::rolling_state(sys, random);
  const ViscoelasticLaw law{MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1), 1.0};
  const QuadPairOf<Sys> pair(sys);
  const auto w0 = [&](bool slides) {
    const auto y0 =
        pair.compliant_adapted(start, law, 0.125, VectorXd::Zero(1), slides, {}).problem.y0;
    return std::abs(static_cast<double>(y0(Sys::nq + Sys::n - 1)));
  };
  EXPECT_LE(w0(false), 1e-32);
  EXPECT_GT(w0(true), 1e-19);  // negative control: the rounding error of a double is still there
  EXPECT_LT(w0(true), 1e-14);
}

}  // namespace
}  // namespace rigidlimit
