// Tests norms in which a layer decays.
#include "rigidlimit/certify/decaying_norm.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rigidlimit {
namespace {

/// g₂'' + 2 g₂' + g₂ = 0: the double eigenvalue −1 with one eigenvector.
const MatrixXd critical{{-2.0, -1.0}, {1.0, 0.0}};

const MatrixXd unit = MatrixXd::Identity(2, 2);

BallVector random_vector(Index size) {
  return balls(VectorXd::Random(size));
}

/// Layers whose slowest eigenvalue has the real part −rate.
struct Layer {
  MatrixXd J;
  double rate;
};
const std::vector<Layer> layers{
    {critical, 1.0},
    {MatrixXd{{-0.2, -1.0}, {1.0, 0.0}}, 0.1},
    {MatrixXd{{-4.0, -3.0}, {1.0, 0.0}}, 1.0},
    // Two contacts with the stiffness 1 and the damping 2 and 0.5.
    {MatrixXd{{-2.0, 0.0, -1.0, 0.0}, {0.0, -0.5, 0.0, -1.0}, {1, 0, 0, 0}, {0, 1, 0, 0}}, 0.25}};

DecayingNorm norm_of_layer(const Layer& layer) {
  return {layer.J, MatrixXd::Identity(layer.J.rows(), layer.J.rows())};
}

// No norm decays faster than the slowest eigenvalue; this one has 0.7 of it, and the bound 0.95 of
// that at least.
TEST(DecayingNorm, DecaysAlmostAsFastAsTheSlowestEigenvalue) {
  const Ball kappa = DecayingNorm(critical, unit).decay(balls(critical));
  EXPECT_GT(kappa.lower(), 0.5);
  EXPECT_LE(kappa.upper(), 1.0);
  for (const Layer& layer : layers) {
    const Ball decay = norm_of_layer(layer).decay(balls(layer.J));
    EXPECT_GE(decay.lower(), 0.7 * 0.95 * layer.rate);
    EXPECT_LE(decay.upper(), layer.rate);
  }
}

// The Euclidean norm of the critical layer grows at first: the symmetric part of J is singular.
TEST(DecayingNorm, IsNotTheEuclideanNorm) {
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatrixXd>(critical + critical.transpose())
                .eigenvalues()
                .maxCoeff(),
            0.0);
}

TEST(DecayingNorm, SolutionsDecayWithTheBound) {
  constexpr double rounding = 1e-12;
  for (const Layer& layer : layers) {
    const DecayingNorm norm = norm_of_layer(layer);
    const Ball kappa = norm.decay(balls(layer.J));
    for (const double tau : {0.01, 0.3, 1.0, 5.0}) {
      const BallMatrix flow = exponential(BallMatrix(balls(layer.J) * Ball(tau)));
      for (int k = 0; k < 20; ++k) {
        const BallVector g = random_vector(layer.J.rows());
        EXPECT_LE(norm.size(flow * g).upper(),
                  (norm.size(g) * exp(-kappa * tau)).upper() * (1.0 + rounding));
      }
    }
  }
}

TEST(DecayingNorm, DecayHoldsForAllMatricesOfABall) {
  const DecayingNorm norm(critical, unit);
  BallMatrix J = balls(critical);
  J(0, 0) += Ball::around_zero(0.05);
  const Ball kappa = norm.decay(J);
  EXPECT_GT(kappa.lower(), 0.0);
  for (const double shift : {-0.05, 0.0, 0.05}) {
    MatrixXd one = critical;
    one(0, 0) += shift;
    EXPECT_LE(kappa.upper(), -one.eigenvalues().real().maxCoeff());
  }
}

TEST(DecayingNorm, BallWithAGrowingMatrixHasNoDecay) {
  const DecayingNorm norm(critical, unit);
  BallMatrix J = balls(critical);
  J(0, 0) += Ball::around_zero(2.5);  // −2 + 2.5: both eigenvalues have real part 0.25
  EXPECT_TRUE(norm.decay(J) == 0);
  J = balls(critical);
  J(0, 1) += Ball::around_zero(1.0);  // no stiffness: an eigenvalue 0
  EXPECT_TRUE(norm.decay(J) == 0);
  EXPECT_TRUE(norm.decay(balls(-critical)) == 0);
}

TEST(DecayingNorm, GrowingLayerIsRefused) {
  EXPECT_THROW(DecayingNorm(MatrixXd{{0.1, -1.0}, {1.0, 0.0}}, unit), std::domain_error);
  EXPECT_THROW(DecayingNorm(MatrixXd{{-1.0, 1.0}, {1.0, 0.0}}, unit), std::domain_error);
  EXPECT_THROW(DecayingNorm(MatrixXd::Zero(2, 2), unit), std::domain_error);
}

// Balls of 192 bits: the bounds hold up to 1e-50 times the condition, far below this.
constexpr double rounding = 1e-12;

TEST(DecayingNorm, ComponentsAreBoundedByTheNorm) {
  for (const Layer& layer : layers) {
    const DecayingNorm norm = norm_of_layer(layer);
    const BallVector c = norm.components();
    const Index size = layer.J.rows();
    VectorXd largest = VectorXd::Zero(size);
    for (int k = 0; k < 2000; ++k) {
      const BallVector g = random_vector(size);
      const double length = norm.size(g).upper();
      for (Index i = 0; i < size; ++i)
        largest(i) = std::max(largest(i), g(i).magnitude().upper() / length);
    }
    for (Index i = 0; i < size; ++i) {
      EXPECT_LE(largest(i), c(i).upper() * (1.0 + rounding));
      EXPECT_GE(largest(i), 0.6 * c(i).upper()) << "negative control: sharp";
    }
  }
}

TEST(DecayingNorm, IsANorm) {
  for (const Layer& layer : layers) {
    const DecayingNorm norm = norm_of_layer(layer);
    for (int k = 0; k < 20; ++k) {
      const BallVector g = random_vector(layer.J.rows()), h = random_vector(layer.J.rows());
      EXPECT_GT(norm.size(g).lower(), 0.0);
      EXPECT_LE(norm.size(g + h).upper(),
                (norm.size(g).upper() + norm.size(h).upper()) * (1.0 + rounding));
      EXPECT_NEAR(norm.size(g * Ball(-3)).upper(), 3.0 * norm.size(g).upper(),
                  rounding * norm.size(g).upper());
    }
  }
}

TEST(DecayingNorm, SizeOfABallBoundsThatOfItsVectors) {
  const DecayingNorm norm(critical, unit);
  for (int k = 0; k < 20; ++k) {
    const BallVector g = random_vector(2),
                     ball = g + BallVector::Constant(2, Ball::around_zero(0.1));
    const double size = norm.size(ball).upper();
    for (const double x : {-0.1, 0.1})
      for (const double y : {-0.1, 0.1}) {
        const BallVector corner = g + balls(VectorXd{{x, y}});
        EXPECT_LE(norm.size(corner).upper(), size);
      }
  }
}

TEST(DecayingNorm, NormsOfTwoLayersBoundEachOther) {
  const DecayingNorm V(critical, unit), W(layers[1].J, MatrixXd{{1.0, 0.0}, {0.0, 4.0}});
  const double above = V.relative_to(W).upper(), below = W.relative_to(V).upper();
  EXPECT_GE(above * below, 1.0);
  double largest = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const BallVector g = random_vector(2);
    const double v = V.size(g).upper(), w = W.size(g).upper();
    EXPECT_LE(v, above * w * (1.0 + rounding));
    EXPECT_LE(w, below * v * (1.0 + rounding));
    largest = std::max(largest, v / w);
  }
  // norm_bound exceeds the norm by √2 at most; the samples come close to it.
  EXPECT_GE(2.0 * largest, above) << "negative control: the bound is not arbitrary";
  EXPECT_LE(V.relative_to(V).upper(), 1.0 + rounding);
}

// A change to such a norm leaves all bounds as they are; the decay does not depend on the scale.
TEST(DecayingNorm, NotAboveAnotherOneIsItsScaledSelf) {
  const DecayingNorm V(critical, unit), W(layers[1].J, MatrixXd{{1.0, 0.0}, {0.0, 4.0}});
  bool above = false;
  for (const auto& [norm, other] : {std::pair(&V, &W), std::pair(&W, &V)}) {
    const DecayingNorm scaled = norm->not_above(*other);
    const double factor = norm->relative_to(*other).upper();
    for (int k = 0; k < 1000; ++k) {
      const BallVector g = random_vector(2);
      EXPECT_LE(scaled.size(g).upper(), other->size(g).upper() * (1.0 + rounding));
      EXPECT_NEAR(scaled.size(g).upper() * factor, norm->size(g).upper(), rounding * factor);
      above = above || norm->size(g).lower() > other->size(g).upper();
    }
    EXPECT_NEAR(scaled.decay(balls(critical)).upper(), norm->decay(balls(critical)).upper(),
                rounding);
    for (Index i = 0; i < 2; ++i)
      EXPECT_NEAR(scaled.components()(i).upper(), norm->components()(i).upper() * factor,
                  rounding * factor);
  }
  EXPECT_TRUE(above) << "negative control: one of them is above the other";
}

TEST(DecayingNorm, NormOfAMatrixBoundsItsImages) {
  for (const Layer& layer : layers) {
    const DecayingNorm norm = norm_of_layer(layer);
    const Index size = layer.J.rows();
    for (int k = 0; k < 20; ++k) {
      const BallMatrix X = balls(MatrixXd::Random(size, size));
      const double bound = norm.norm_of(X).upper();
      for (int i = 0; i < 20; ++i) {
        const BallVector g = random_vector(size);
        EXPECT_LE(norm.size(X * g).upper(), bound * norm.size(g).upper() * (1.0 + rounding));
      }
    }
    EXPECT_NEAR(norm.norm_of(BallMatrix::Identity(size, size)).upper(), 1.0, rounding);
  }
}

}  // namespace
}  // namespace rigidlimit
