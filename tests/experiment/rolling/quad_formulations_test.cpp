// Tests both formulations of every system in 113 bits: right-hand sides round to those in double,
// and initial states roll to 34 digits.
#include <gmock/gmock.h>

#include <limits>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/catalogue_system.hpp"

namespace rigidlimit {
namespace {

using QuadVector = VectorX<Quad>;

/// A system in double and in Quad with the same initial state in double.
struct InBoth : test::CatalogueSystem {
  explicit InBoth(const SystemEntry& from)
      : CatalogueSystem(from), quad{start.q.cast<Quad>(), start.v.cast<Quad>()} {
    rolling = quad;
    rolling.v = projected_velocity<Quad>(model, contacts, quad.q, quad.v);
  }
  InitialStateOf<Quad> quad;     ///< with the rounding errors of a double
  InitialStateOf<Quad> rolling;  ///< without
  static constexpr double eps = 0.125;
};

/// Compares f in Quad with f in double at a state in double. The tolerance is 1e4 roundings of the
/// largest entry in double (solves with condition numbers below 100, and 1/ε²).
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
  // Compiled equations differentiate f in another order of operations.
  EXPECT_LE((J - expected_J).norm(), 1e4 * round_off * expected_J.norm());
}

TEST(QuadFormulations, RightHandSidesRoundToThoseInDouble) {
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls() || entry.info.name == "sliding_sphere") continue;  // it starts sliding
    SCOPED_TRACE(entry.info.name);
    const InBoth s(entry);
    expect_same(compliant_ode(s.model, s.rolling, s.law, s.eps, s.eta0).problem,
                compliant_ode(s.model, s.start, s.law, s.eps, s.eta0).problem);
    expect_same(compliant_adapted(s.model, s.rolling, s.law, s.eps, s.eta0).problem,
                compliant_adapted(s.model, s.start, s.law, s.eps, s.eta0).problem);
    expect_same(rigid_eliminated(s.model, s.rolling).problem,
                rigid_eliminated(s.model, s.start).problem);
    expect_same(rigid_reduced(s.model, s.rolling).problem, rigid_reduced(s.model, s.start).problem);
    expect_same(rigid_semi_explicit(s.model, s.rolling).problem,
                rigid_semi_explicit(s.model, s.start).problem);
  }
}

// The start is projected in Quad: G v(0) vanishes to 1e-31. Negative control: the rounding error of
// the double start is larger in at least one system.
TEST(QuadFormulations, ProjectedStartsRollToAllDigits) {
  double largest = 0.0;
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls() || entry.info.name == "sliding_sphere") continue;  // it starts sliding
    SCOPED_TRACE(entry.info.name);
    const InBoth s(entry);
    MatrixX<Quad> rows(s.model.ne + s.model.m, s.model.n);
    s.model.in<Quad>().constraints(s.quad.q, rows);
    const auto sliding = [&](const InitialStateOf<Quad>& state) {
      QuadVector w = rows * state.v;
      w.head(s.model.ne) -= s.model.exact_rates().cast<Quad>();
      return static_cast<double>(w.cwiseAbs().maxCoeff());
    };
    EXPECT_LE(sliding(s.rolling), 1e-30);
    EXPECT_LT(sliding(s.quad), 1e-13);
    largest = std::max(largest, sliding(s.quad));
  }
  EXPECT_GT(largest, 1e-19);
}

}  // namespace
}  // namespace rigidlimit
