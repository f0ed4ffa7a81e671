// Tests the recorded terms of a system against the same terms by dual numbers of the author's
// functions.
#include "rigidlimit/mechanics/recorded_system.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

// Terms are sums of at most about twenty products of numbers up to ten. Both routes take nearly the
// same operations, in another order where Eigen sums matrix products by pairs.
constexpr double roundings = 1e3 * unit_roundoff;

template <class Sys>
class RecordedTerms : public testing::Test {
 protected:
  using Q = Vector<double, Sys::nq>;
  using V = Vector<double, Sys::n>;
  Sys sys;
  System system = make_system(sys);
  const Equations<double>& recorded = system.in<double>();
  RandomNumbers random{5};

  static double distance(const MatrixXd& a, const MatrixXd& b) {
    return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
  }
};
using Models = testing::Types<test::NonholonomicParticle, test::DrivenPendulum,
                              test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(RecordedTerms, Models);

TYPED_TEST(RecordedTerms, MatchTheTermsByDualNumbers) {
  const TypeParam& model = this->sys;
  for (int k = 0; k < 20; ++k) {
    const auto q = this->random.template vector<TypeParam::nq>(0.1, 0.9);
    const auto v = this->random.template vector<TypeParam::n>();
    const double t = this->random.uniform();
    VectorXd F(TypeParam::n), Ma(TypeParam::n), q_rate(TypeParam::nq), drift(TypeParam::m);
    MatrixXd M(TypeParam::n, TypeParam::n), G(TypeParam::m, TypeParam::n);
    this->recorded.force(q, v, t, F);
    this->recorded.mass_matrix(q, M);
    this->recorded.inertia_force(q, v, Ma);
    this->recorded.coordinate_rate(q, v, q_rate);
    this->recorded.constraints(q, G);
    this->recorded.constraint_drift(q, q_rate, v, drift);
    EXPECT_LE(this->distance(F, force(model, q, v, t)), roundings);
    EXPECT_LE(this->distance(M, mass_matrix(model, q)), roundings);
    EXPECT_LE(this->distance(Ma, inertia_force(model, q, v)), roundings);
    EXPECT_LE(this->distance(q_rate, coordinate_rate(model, q, v)), roundings);
    EXPECT_LE(this->distance(G, constraint(model, q)), roundings);
    EXPECT_LE(this->distance(drift, constraint_drift(model, q, v)), roundings);
    // Negative control: at another velocity they differ.
    EXPECT_GT(this->distance(Ma, inertia_force(model, q, Vector<double, TypeParam::n>(2.0 * v))),
              1e-3);
  }
}

// 113 bits are not rounded to 53 on the way: a mass of 1/3 has 34 digits.
struct ThirdMass {
  static constexpr int nq = 1, n = 1, m = 1;
  template <class S>
  Matrix<S, 1, 1> mass_matrix(const Vector<S, 1>&) const {
    return Matrix<S, 1, 1>(S(1) / S(3));
  }
  template <class S>
  Vector<S, 1> force(const Vector<S, 1>&, const Vector<S, 1>&) const {
    return Vector<S, 1>(S(0));
  }
  template <class S>
  Matrix<S, 1, 1> constraint(const Vector<S, 1>&) const {
    return Matrix<S, 1, 1>(S(1));
  }
};

TEST(RecordedConstants, AreRoundedInTheScalarTypeOfTheEvaluation) {
  const System system = make_system(ThirdMass{});
  MatrixX<Quad> M(1, 1);
  system.in<Quad>().mass_matrix(VectorX<Quad>::Zero(1), M);
  EXPECT_EQ(M(0, 0), Quad(1) / 3);
  EXPECT_NE(M(0, 0), Quad(1.0 / 3.0));
}

}  // namespace
}  // namespace rigidlimit
