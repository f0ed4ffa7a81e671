// Tests the layer with bounded friction against the linear layer and against closed forms.
#include "rigidlimit/asymptotics/frictional/friction_layer.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/asymptotics/layer.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

/// The wheel of docs/theory.md, section 10.4: x and φ, sliding x' − r φ', Ã = 3, W̃ = (1, −20).
FrictionLayerData wheel(double before, double rigid, double drift, double bound) {
  FrictionLayerData data;
  ContactResponse& at = data.at;
  at.rows = {0};
  at.sliding = MatrixXd{{1.0, -0.1}};
  at.acceleration = VectorXd::Zero(2);
  at.response = MatrixXd{{1.0}, {-20.0}};
  at.sliding_rate = VectorXd::Zero(1);
  at.delassus = MatrixXd{{3.0}};
  at.normal = VectorXd::Constant(1, bound);
  at.normal_slope = MatrixXd::Zero(1, 1);
  data.contacts = {{.which = 0, .first = 0, .components = 1, .friction = 1.0}};
  data.stiffness = VectorXd::Constant(1, 1.3);
  data.damping = VectorXd::Constant(1, 1.1);
  data.before = VectorXd::Constant(1, before);
  data.rigid = VectorXd::Constant(1, rigid);
  data.sliding_drift = VectorXd::Constant(1, drift);
  return data;
}

const std::vector<double> taus{0.0, 1e-3, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0};

/// Within the bound: section 4, with the matrix exponential.
TEST(FrictionLayer, IsTheLinearLayerInsideTheDisc) {
  const double before = 2.0, rigid = 0.5;
  const FrictionLayer layer(wheel(before, rigid, 0.0, 10.0));
  const Layer linear(MatrixXd{{3.0}}, MatrixXd{{1.3}}, MatrixXd{{1.1}},
                     VectorXd{{(before - rigid) / 1.3, 0.0}});
  const FrictionLayer::States states = layer.at(taus);
  for (std::size_t i = 0; i < taus.size(); ++i) {
    const MatrixXd x = linear.state(taus[i]);
    const auto k = static_cast<Index>(i);
    EXPECT_NEAR(states.force(0, k), linear.force(x)(0), 1e-9) << taus[i];
    EXPECT_NEAR(states.velocity(1, k), -20.0 / 3.0 * linear.sliding(x)(0), 1e-8) << taus[i];
    EXPECT_NEAR(states.displacement(1, k),
                -20.0 / 3.0 * (linear.deflection(x)(0) - (before - rigid) / 1.3), 1e-8)
        << taus[i];
  }
  EXPECT_FALSE(layer.leaves_velocity());
  EXPECT_NEAR(layer.displacement()(1), -20.0 / 3.0 * (rigid - before) / 1.3, 1e-8);
  EXPECT_NEAR(layer.force_moment()(0), (rigid - before) / 1.3 / 3.0, 1e-8);
}

/// From rest until C η + D z reaches the bound: η' = z, z' = b − Ã (C η + D z), here with equal
/// steps of the trapezoidal rule. Then the missing impulse is kept without overshoot.
TEST(FrictionLayer, KeepsTheMissingImpulseOfAStartThatSlipsFromRest) {
  const double bound = 0.7, drift = 0.9;  // ŵ' = b − Ã μ p
  const FrictionLayer layer(wheel(0.0, bound, drift, bound));
  const double b = drift + 3.0 * bound, h = 1e-5;
  double eta = 0.0, z = 0.0, impulse = 0.0;
  for (double lambda = 0.0; lambda < bound;) {
    const double eta_mid = eta + 0.5 * h * z, z_mid = z + 0.5 * h * (b - 3.0 * lambda);
    const double force_mid = 1.3 * eta_mid + 1.1 * z_mid;
    impulse += h * (bound - std::min(force_mid, bound));
    eta += h * z_mid;
    z += h * (b - 3.0 * force_mid);
    lambda = 1.3 * eta + 1.1 * z;
  }
  ASSERT_TRUE(layer.leaves_velocity());
  EXPECT_NEAR(layer.velocity()(0), impulse, 1e-5);
  EXPECT_NEAR(layer.velocity()(1), -20.0 * impulse, 2e-4);
  const MatrixXd speeds = layer.at({0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.6, 1.0}).velocity;
  EXPECT_LE(speeds.row(0).maxCoeff(), layer.velocity()(0) * (1.0 + 1e-9)) << "no overshoot";
}

TEST(FrictionLayer, RefusesARigidForceThatTheSpringDoesNotReach) {
  EXPECT_THROW(FrictionLayer(wheel(0.0, 2.0, 0.0, 1.0)), InputError);
}

}  // namespace
}  // namespace rigidlimit
