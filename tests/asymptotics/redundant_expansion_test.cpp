// Tests the expansion of redundant contacts (docs/theory.md, section 6).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/expansion_checks.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::ExpansionCase;
using test::Spring;

/// Four coordinates, with masses and contacts that depend on them. The third contact slides as a
/// combination of two independent ones: G = H G_I, H = [1 0; 0 1; ½ −1.2]. No physical meaning.
template <int Contacts>
struct ThreeOnTwo {
  static constexpr int nq = 4, n = 4, m = Contacts;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    Matrix<S, n, n> M = Vector<S, n>(S(1.2), S(0.9), S(1.1), S(0.8)).asDiagonal();
    M(0, 0) += 0.3 * q(2) * q(2);
    M(0, 1) = M(1, 0) = 0.2 * q(3);
    return M;
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v, const S& t) const {
    using std::sin;
    return {sin(2.0 * t) + 0.3 * v(1) * v(2), S(0.7) - 0.2 * v(1), q(0) * v(3) - 0.4,
            0.5 - 0.6 * v(0) * v(2)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    Matrix<S, 2, n> independent;
    independent << S(1), sin(q(2)), 0.5 * q(3), S(0.2), q(2), S(1), -cos(q(0)), S(0.3);
    Matrix<S, m, n> G;
    for (int k = 0; k < n; ++k) {
      G(0, k) = independent(0, k);
      G(1, k) = independent(1, k);
      if constexpr (m == 3) G(2, k) = 0.5 * independent(0, k) - 1.2 * independent(1, k);
    }
    return G;
  }
};
const Eigen::Matrix<double, 3, 2> combination{{1.0, 0.0}, {0.0, 1.0}, {0.5, -1.2}};
const Eigen::Vector3d internal = Eigen::Vector3d(-0.5, 1.2, 1.0).normalized();  // Hᵀ n = 0

const System& three() {
  static const System system = make_system(ThreeOnTwo<3>{});
  return system;
}
const System& two() {
  static const System system = make_system(ThreeOnTwo<2>{});
  return system;
}

InitialState rolling() {
  test::RandomNumbers random(61);
  const VectorXd q = random.vector<4>(), v = random.vector<4>(-2.0, 2.0);
  return {q, projected_velocity<double>(two(), independent_contacts(2), q, v)};
}

/// A law for each contact; the dampers are not proportional to the springs.
const ViscoelasticLaw law{Eigen::Vector3d(1.0, 2.0, 0.7).asDiagonal(),
                          Eigen::Vector3d(1.6, 1.4, 2.1).asDiagonal()};
/// The law that acts on the body.
ViscoelasticLaw felt(const ViscoelasticLaw& of) {
  return {combination.transpose() * of.stiffness * combination,
          combination.transpose() * of.damping * combination};
}

ExpansionCase redundant(const ViscoelasticLaw& with, Spring spring, const VectorXd& load = {}) {
  return {three(), rolling(), with, spring, 1.0, load};
}

VectorXd lambda1(const SeriesExpansion<double>& x, double t) {
  return x.outer(t, 1).segment(8, 3);
}

/// sup over the second half of |(λ − Λ)/ε − λ₁|/|λ₁|.
double distance_to_lambda1(const ExpansionCase& c, const SeriesExpansion<double>& x,
                           std::size_t k) {
  const Motion& found = c.measured.differences[k];
  double distance = 0.0, size = 0.0;
  for (Index i = 0; i < found.lambda.cols(); ++i) {
    const double t = found.times[static_cast<std::size_t>(i)];
    if (t < 0.5) continue;
    const VectorXd first = lambda1(x, t);
    distance = std::max(distance, (found.lambda.col(i) / c.measured.epsilons[k] - first).norm());
    size = std::max(size, first.norm());
  }
  return distance / size;
}

// The body's motion does not depend on redundancy. Round-off of C_r⁻¹ and the solver at 1e-12.
TEST(RedundantExpansion, BodyMovesAsWithItsIndependentContacts) {
  const std::vector<double> times{0.0, 0.25, 1.0};
  const VectorXd load = Eigen::Vector3d(0.3, -0.2, 0.5);
  // η_I = C_r⁻¹ Hᵀ C η.
  const ViscoelasticLaw reduced = felt(law);
  const VectorXd load_felt = symmetric_solve(
      reduced.stiffness, VectorXd(combination.transpose() * (law.stiffness * load)));
  const SeriesExpansion<double> e(three(), rolling(), law, load, 2, 1.0);
  const SeriesExpansion<double> twin(two(), rolling(), reduced, load_felt, 2, 1.0);
  for (const double t : times)
    for (int k = 0; k <= 2; ++k) {
      const VectorXd found = e.outer(t, k), wanted = twin.outer(t, k);
      EXPECT_LE((found.head(8) - wanted.head(8)).norm(), 1e-10);
      EXPECT_LE((combination.transpose() * found.segment(8, 3) - wanted.segment(8, 2)).norm(),
                1e-10);
      const VectorXd layer = e.layer(t, k), of_twin = twin.layer(t, k);  // at τ = t
      EXPECT_LE((layer.head(8) - of_twin.head(8)).norm(), 1e-10);
      EXPECT_LE((combination.transpose() * layer.tail(3) - of_twin.tail(2)).norm(), 1e-10);
    }
  // Negative control: the deflection of the first two contacts alone is another load.
  const SeriesExpansion<double> other(two(), rolling(), reduced, load.head(2), 2, 1.0);
  EXPECT_GT(
      (combination.transpose() * e.layer(0.0, 0).tail(3) - other.layer(0.0, 0).tail(2)).norm(),
      0.01);
}

TEST(RedundantExpansion, RemainderHasOneOrderMore) {
  test::expect_remainders(redundant(law, Spring::unloaded), {3.0, 2.0, 1.0}, {3.0, 3.0, 3.0});
}

TEST(RedundantExpansion, RemainderHasOneOrderMoreFromAPreparedSpring) {
  test::expect_remainders(redundant(law, Spring::prepared), {3.0, 3.0, 2.0}, {3.0, 3.0, 3.0});
}

// The load along n is permanent and also part of Λ: it has no effect on the remainder.
TEST(RedundantExpansion, HoldsWithAnInternalLoad) {
  const ExpansionCase c =
      redundant(law, Spring::unloaded, Eigen::Vector3d(0.3, -0.2, 0.5) + 2.0 * internal);
  test::expect_remainders(c, {3.0, 2.0, 1.0}, {3.0, 3.0, 3.0});
  // Negative control: the Λ of unloaded springs differs by a constant.
  const ContactBasis basis = contact_basis(three(), c.start.q);
  const VectorXd lambda = law.stiffness * c.full_load;
  const VectorXd of_none =
      selected_multiplier(basis, law.stiffness, VectorXd(VectorXd::Zero(3)), lambda);
  EXPECT_GT((lambda - of_none).norm(), 0.1);
  EXPECT_LE((combination.transpose() * (lambda - of_none)).norm(), 1e-13);
}

// (λ − Λ)/ε → λ₁ linearly. It is internal: Hᵀλ₁ = 0.
TEST(RedundantExpansion, InternalForceOfTheDampersIsOfFirstOrder) {
  const ExpansionCase c = redundant(law, Spring::unloaded);
  const SeriesExpansion<double> x = c.expansion();
  for (const double t : {0.0, 0.5, 1.0})
    EXPECT_LE((combination.transpose() * lambda1(x, t)).norm(), 1e-11 * x.outer_size(1).lambda);
  EXPECT_GT(x.outer_size(1).lambda, 0.05);
  EXPECT_EQ(c.leading()->sup_orders(0.1).lambda, 1.0);
  const double coarse = distance_to_lambda1(c, x, 1), fine = distance_to_lambda1(c, x, 2);
  EXPECT_LT(fine, 0.3);  // ε times |λ₂|/|λ₁|, which is about 70
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.15);
  // Negative controls: without λ₁, and with −λ₁, the remainder of λ keeps order 1.
  const auto less = [&](double factor) {
    return [&x, factor](double epsilon, const std::vector<double>& times) {
      Motion terms = x.deviation(epsilon, times, 2);
      for (std::size_t k = 0; k < times.size(); ++k)
        terms.lambda.col(Index(k)) -= factor * epsilon * lambda1(x, times[k]);
      return terms;
    };
  };
  for (const double factor : {1.0, 2.0})
    test::expect_orders(test::remainder_orders(c.measured, less(factor), 0.5), {3.0, 3.0, 1.0},
                        0.15, "lambda1 wrong");
}

// D is proportional to C: each spring balances its own damper, and λ₁ = 0.
TEST(RedundantExpansion, ProportionalDampersLeaveNoInternalForce) {
  const ViscoelasticLaw proportional{law.stiffness, 1.3 * law.stiffness};
  const ExpansionCase c = redundant(proportional, Spring::unloaded);
  EXPECT_LE(c.expansion().outer_size(1).lambda, 1e-12);
  EXPECT_EQ(c.leading()->sup_orders(0.1).lambda, 2.0);
  test::expect_remainders(c, {3.0, 2.0, 1.0}, {3.0, 3.0, 3.0});
}

/// A contact that no velocity can move.
struct Detached {
  static constexpr int nq = 1, n = 1, m = 1;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>(S(1));
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return Vector<S, n>(S(1));
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0));
  }
};

TEST(RedundantExpansion, RefusesContactsWithoutEffect) {
  const VectorXd zero = VectorXd::Zero(1);
  const MatrixXd one = MatrixXd::Ones(1, 1);
  EXPECT_THROW(
      SeriesExpansion<double>(make_system(Detached{}), {zero, zero}, {one, one}, zero, 2, 1.0),
      InputError);
}

}  // namespace
}  // namespace rigidlimit
