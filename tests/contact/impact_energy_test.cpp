// Tests that impacts of several coupled contacts never increase the energy, on random bodies.
#include <gmock/gmock.h>

#include "rigidlimit/contact/impact.hpp"
#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

/// A body with three planar contacts, all closed at q = 0, and constant M, W and N.
struct AnyBody {
  static constexpr int nq = 5, n = 5, m = 3;
  Matrix<double, n, n> M;
  Matrix<double, m, n> W, N;
  std::vector<ContactPoint> points;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, n>&) const {
    return M.template cast<S>();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, n>&, const Vector<S, n>&) const {
    return Vector<S, n>::Zero();
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, n>&) const {
    return W.template cast<S>();
  }
  std::vector<ContactPoint> contacts() const { return points; }
  template <class S>
  Vector<S, m> gap(const Vector<S, n>& q) const {
    return N.template cast<S>() * q;
  }
};

/// Extremes over many impacts.
struct Extremes {
  double growth = -1.0;   ///< of the energy, relative
  double newton = -1.0;   ///< the same by Newton's law
  double closing = 0.0;   ///< the fastest −g' afterwards
  double friction = 0.0;  ///< the largest |Λ| − μ P of the impulses of all phases, relative to P
  int none = 0, repeated = 0, looked_at = 0;
};

/// Options of the random bodies: the first `count` contacts strike, along directions in the first
/// `space` of five coordinates. With space < 2 count their reactions are redundant.
struct Draws {
  int count = 2, space = 5;
  bool same_restitution = false;
  bool elastic = false;  ///< e = 1 and no friction
};

AnyBody drawn(RandomNumbers& random, const Draws& draws) {
  AnyBody body;
  body.M = random.positive_definite(AnyBody::n);
  body.W.setZero();
  body.N.setZero();
  const double e = random.uniform(0.0, 1.0);
  for (int i = 0; i < AnyBody::m; ++i) {
    for (int k = 0; k < draws.space; ++k) body.W(i, k) = random.uniform();
    for (int k = 0; k < draws.space; ++k) body.N(i, k) = random.uniform();
    body.points.push_back({.name = std::to_string(i),
                           .first = i,
                           .friction = random.uniform(0.0, 1.0),
                           .restitution = draws.same_restitution ? e : random.uniform(0.0, 1.0)});
    if (draws.elastic) body.points.back().friction = 0.0;
    if (draws.elastic) body.points.back().restitution = 1.0;
  }
  return body;
}

/// Newton's law g'⁺ = −e g'⁻ with Coulomb's friction against the velocity after the impact.
double growth_by_newton(const FrictionalSystem& system, const ContactRows& rows,
                        const std::vector<Index>& closed, const VectorXd& before, double energy) {
  std::vector<ActiveContact> active;
  VectorXd free = before;
  for (const Index i : closed) {
    active.push_back({.which = i});
    free(system.smooth.m + i) += system.contacts[static_cast<std::size_t>(i)].restitution *
                                 std::min(0.0, before(system.smooth.m + i));
  }
  const ContactProblem problem =
      contact_problem_of(system, rows, free, VectorXd::Zero(system.nc()), active);
  const VectorXd u = before(rows_of(system, active));
  double growth = -1.0;
  for (const ContactSolution& end : solve_contact_problem(problem)) {
    const VectorXd& r = end.reaction;
    growth = std::max(growth, (r.dot(u) + 0.5 * r.dot(problem.delassus * r)) / energy);
  }
  return growth;
}

Extremes random_impacts(std::uint64_t seed, int number, const Draws& draws) {
  RandomNumbers random(seed);
  Extremes found;
  const VectorXd q = VectorXd::Zero(AnyBody::n);
  std::vector<Index> closed;
  for (Index i = 0; i < draws.count; ++i) closed.push_back(i);
  for (int draw = 0; draw < number; ++draw) {
    const AnyBody body = drawn(random, draws);
    const FrictionalSystem system = make_frictional_system(body);
    const VectorXd v = random.vector<AnyBody::n>();
    const ContactRows rows = contact_rows(system, q);
    const VectorXd before = rows.rows * v;
    const double energy = 0.5 * v.dot(body.M * v);
    if (before.segment(AnyBody::m, draws.count).minCoeff() > 0.0) continue;
    ++found.looked_at;
    const std::vector<Impact> answers = impacts(system, q, v, closed);
    found.none += answers.empty() ? 1 : 0;
    for (const Impact& end : answers) {
      const VectorXd& r = end.reaction;
      found.growth = std::max(found.growth, 0.5 * r.dot(before + end.rate) / energy);
      found.closing =
          std::max(found.closing, -end.rate.segment(AnyBody::m, draws.count).minCoeff());
      found.repeated += end.rounds > 1 ? 1 : 0;
      for (Index i = 0; i < draws.count; ++i) {
        const double rim =
            system.contacts[static_cast<std::size_t>(i)].friction * r(AnyBody::m + i);
        found.friction = std::max(
            found.friction, (std::abs(r(i)) - rim) / r.tail(AnyBody::m).cwiseAbs().maxCoeff());
      }
    }
    found.newton = std::max(found.newton, growth_by_newton(system, rows, closed, before, energy));
  }
  return found;
}

/// The energy never grows, for any solution, e, μ and coupling of the contacts. No contact closes
/// afterwards, and friction stays in its disc. 1e-11: the tolerance of the contact problem.
/// Negative control: Newton's law increases the energy of the same bodies.
void expect_laws(const Extremes& found, int least_looked_at) {
  EXPECT_GE(found.looked_at, least_looked_at);
  EXPECT_LE(found.growth, 1e-11);
  EXPECT_LE(found.closing, 1e-10);
  EXPECT_LE(found.friction, 1e-10);
  EXPECT_GT(found.newton, 0.01);
}

class TwoContacts : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Shards, TwoContacts, testing::Range(0, 8),
                         [](const auto& tested) { return std::to_string(tested.param); });

/// 8 × 17 000 draws, three quarters of them impacts: 100 000, half of them with equal e.
TEST_P(TwoContacts, NeverWinEnergy) {
  const Extremes found = random_impacts(static_cast<std::uint64_t>(100 + GetParam()), 17'000,
                                        {.same_restitution = GetParam() % 2 == 0});
  expect_laws(found, 12'500);
  EXPECT_EQ(found.none, 0);
  EXPECT_GT(found.repeated, 0);
}

TEST(ThreeContacts, NeverWinEnergy) {
  for (const bool same : {false, true}) {
    const Extremes found = random_impacts(7, 400, {.count = 3, .same_restitution = same});
    expect_laws(found, 300);
    EXPECT_EQ(found.none, 0);
  }
}

/// Four rows in three dimensions. A solution must exist, because A r + b with b = H v always has
/// one in the plane. For 4 of 1500 such impacts none is found within the tolerance of the contact
/// problem; they count in `none`.
TEST(RedundantContacts, NeverWinEnergy) {
  const Extremes found = random_impacts(9, 2000, {.space = 3});
  expect_laws(found, 1400);
  EXPECT_LE(found.none, 5);
}

/// With e = 1 and no friction, a round has the impulses 2 r̃ and does the work 2 r̃ᵀ(u⁻ + A r̃) =
/// 2 r̃ᵀu⁺, which is zero because r̃ᵢ or uᵢ⁺ is zero in every row. A sum of rounds does none either.
/// Its terms leave a rounding of either sign, which must not turn the impact into a plastic one.
/// 1e-11: the tolerance of the contact problem. Negative controls: an impact whose only round is
/// plastic loses energy, which elastic_loss() reports, and one with friction may lose some.
TEST(ElasticContacts, WithoutFrictionKeepTheEnergy) {
  for (const int count : {1, 2, 3}) {
    RandomNumbers random(static_cast<std::uint64_t>(40 + count));
    std::vector<Index> closed;
    for (Index i = 0; i < count; ++i) closed.push_back(i);
    int struck = 0, rough = 0;
    for (int draw = 0; draw < 300; ++draw) {
      AnyBody body = drawn(random, {.count = count, .elastic = true});
      const FrictionalSystem system = make_frictional_system(body);
      const VectorXd q = VectorXd::Zero(AnyBody::n), v = random.vector<AnyBody::n>();
      if ((body.N * v).head(count).minCoeff() > -0.1) continue;
      ++struck;
      const double energy = 0.5 * v.dot(body.M * v);
      const auto change = [&](const Impact& end) {
        return (0.5 * end.velocity.dot(body.M * end.velocity) - energy) / energy;
      };
      for (const Impact& end : impacts(system, q, v, closed)) {
        EXPECT_FALSE(end.plastic || end.cut);
        EXPECT_LT(std::abs(change(end)), 1e-11);
        EXPECT_EQ(elastic_loss(system, end), "");
      }
      for (const Impact& end : impacts(system, q, v, closed, {.max_rounds = 0})) {
        EXPECT_LT(change(end), -1e-6);
        EXPECT_THAT(elastic_loss(system, end), testing::HasSubstr("changes the energy by -"));
      }
      for (ContactPoint& point : body.points) point.friction = 0.5;
      const FrictionalSystem with_friction = make_frictional_system(body);
      for (const Impact& end : impacts(with_friction, q, v, closed)) {
        rough += change(end) < -1e-6 ? 1 : 0;
        EXPECT_EQ(elastic_loss(with_friction, end), "");
      }
    }
    EXPECT_GT(struck, 50);
    EXPECT_GT(rough, 20);
  }
}

/// At the speed 1e7 m/s a unit in the last place of the velocity is 2e-9 m/s, more than the
/// tolerance of 1e-10 m/s: two contacts that both move are closing by rounding only. Negative
/// control: at 1 m/s the same difference of speed is an impact.
TEST(ZeroBounds, GrowWithTheRoundingOfTheirTerms) {
  AnyBody body{.M = Matrix<double, 5, 5>::Identity(), .W = {}, .N = {}, .points = {}};
  body.W.setZero();
  body.N.setZero();
  body.N.row(0) << 1.0, -1.0, 0.0, 0.0, 0.0;
  for (int i = 0; i < AnyBody::m; ++i) body.points.push_back({.name = "contact", .first = i});
  const FrictionalSystem system = make_frictional_system(body);
  for (const double speed : {1e7, 1.0}) {
    const VectorXd q = VectorXd::Zero(5);
    VectorXd v = VectorXd::Zero(5);
    v.head(2) << speed, speed + 4e-9;
    const ContactTerms terms = contact_terms(system, q, v, 0.0);
    const ZeroBounds zero = zero_bounds(system, terms, q, v, 1e-10, 1e-10);
    EXPECT_EQ(contacts_of_impact(system, terms, zero).closing.empty(), speed > 1.0);
  }
}

}  // namespace
}  // namespace rigidlimit
