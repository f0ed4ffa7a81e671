// The pair of every system in 113 bits: its right-hand sides round to those in double, and its
// starts roll to 34 digits. (Here and not beside formulations/, where it would take minutes to
// compile: the study has the instantiations.)
#include "rigidlimit/formulations/quad_pair.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "rigidlimit/study/catalogue.hpp"

namespace rigidlimit {
namespace {

using QuadVector = Vector<Quad, Eigen::Dynamic>;

/// A system of the catalogue with its default parameters, in general position: coordinates off
/// their defaults, the velocity projected.
struct System {
  explicit System(const SystemEntry& entry) {
    std::vector<double> values;
    for (const ParameterInfo& p : entry.parameters) values.push_back(p.default_value);
    pair = entry.make_pair(values);
    quad = entry.make_quad_pair(values);
    start.q = Eigen::Map<const VectorXd>(entry.info.initial_q.data(), pair->coordinates());
    start.v = Eigen::Map<const VectorXd>(entry.info.initial_v.data(), pair->velocities());
    for (Index i = 0; i < start.q.size(); ++i) start.q(i) += 0.1 * static_cast<double>(i + 1);
    start.v = pair->projected_velocity(start);
    const MatrixXd I = MatrixXd::Identity(pair->contacts(), pair->contacts());
    law = {.stiffness = 1.3 * I, .damping = 0.7 * I};
    eta0 = VectorXd::Constant(pair->contacts(), 0.4);
  }
  std::unique_ptr<Pair> pair;
  std::unique_ptr<QuadPair> quad;
  InitialState start;
  ViscoelasticLaw law;
  VectorXd eta0;
  static constexpr double eps = 0.125;
};

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
  const double round_off = 0.5 * std::numeric_limits<double>::epsilon();
  EXPECT_LE((f.cast<double>() - expected).norm(), 1e4 * round_off * expected.norm());
  MatrixXd J(y.size(), y.size()), expected_J(y.size(), y.size());
  quad.jacobian(0.5, y, J);
  in_double.jacobian(0.5, y, expected_J);
  EXPECT_EQ(J, expected_J);
}

TEST(QuadPair, RightHandSidesRoundToThoseInDouble) {
  for (const SystemEntry& entry : systems()) {
    SCOPED_TRACE(entry.info.name);
    const System s(entry);
    expect_same(s.quad->compliant(s.start, s.law, s.eps, s.eta0, false).problem,
                s.pair->compliant(s.start, s.law, s.eps, s.eta0).problem);
    expect_same(s.quad->compliant_adapted(s.start, s.law, s.eps, s.eta0, false, {}).problem,
                s.pair->compliant_adapted(s.start, s.law, s.eps, s.eta0, {}).problem);
    expect_same(s.quad->rigid_eliminated(s.start).problem,
                s.pair->rigid_eliminated(s.start).problem);
    expect_same(s.quad->rigid_reduced(s.start, {}).problem,
                s.pair->rigid_reduced(s.start, {}).problem);
    expect_same(s.quad->rigid_semi_explicit(s.start).problem,
                s.pair->rigid_semi_explicit(s.start).problem);
  }
}

// The start is projected in Quad: w(0) vanishes to 1e-32; taken as it is when it slides, the
// rounding error of a double is still there (the negative control).
TEST(QuadPair, StartsRollToAllDigitsUnlessTheySlide) {
  for (const SystemEntry& entry : systems()) {
    SCOPED_TRACE(entry.info.name);
    const System s(entry);
    const Index m = s.pair->contacts();
    const auto w0 = [&](bool slides) {
      const QuadVector y0 =
          s.quad->compliant_adapted(s.start, s.law, s.eps, s.eta0, slides, {}).problem.y0;
      const VectorXd w = y0.segment(y0.size() - 2 * m, m).cast<double>();  // y = (q, u, w, η)
      return w.cwiseAbs().maxCoeff();
    };
    EXPECT_LE(w0(false), 1e-31);
    EXPECT_GT(w0(true), 1e-19);
    EXPECT_LT(w0(true), 1e-14);
  }
}

}  // namespace
}  // namespace rigidlimit
