// Tests the rates of a linear contact against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "rigidlimit/experiment/stiffness/contact_rates.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {
namespace {

constexpr double inverse_mass = 0.4, stiffness = 9e6;
const double frequency = std::sqrt(inverse_mass * stiffness);  // rad/s

/// The rates of one contact with this damping ratio.
Eigen::VectorXcd rates_of(double damping_ratio) {
  const MatrixXd A = MatrixXd::Constant(1, 1, inverse_mass);
  const MatrixXd k = MatrixXd::Constant(1, 1, stiffness);
  return contact_rates(A, {k, damping_ratio * critical_damping(A, k)}, independent_contacts(1));
}

TEST(ContactRates, AreThoseOfAnOscillator) {
  // s² + 2 ζ ω s + ω² = 0 at ζ = 3/5: s = ω (−0.6 ± 0.8 i).
  const Eigen::VectorXcd rates = rates_of(0.6);
  EXPECT_NEAR(decay_time(rates), 1.0 / (0.6 * frequency), 1e-12 / frequency);
  EXPECT_NEAR(shortest_period(rates), 2.0 * std::numbers::pi / (0.8 * frequency),
              1e-12 / frequency);
  // ζ = 5/4: s = −ω/2 and −2 ω; the slow part determines the decay, and nothing oscillates.
  EXPECT_NEAR(decay_time(rates_of(1.25)), 2.0 / frequency, 1e-12 / frequency);
  EXPECT_EQ(shortest_period(rates_of(1.25)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(shortest_period(rates_of(1.0)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(decay_time(rates_of(0.0)), std::numeric_limits<double>::infinity());
}

TEST(ContactRates, LimitTheStepsOfOrder4) {
  // The ends of the stability interval on the axes: the real root of R(−x) = 1, and 2 sqrt(2).
  const double real_limit = 2.785293563405282, imaginary_limit = 2.0 * std::numbers::sqrt2;
  EXPECT_NEAR(largest_step_of_order_4(rates_of(0.0)) * frequency, imaginary_limit, 1e-8);
  EXPECT_NEAR(largest_step_of_order_4(rates_of(1.25)) * frequency, real_limit / 2.0, 1e-10);
}

/// |R(z)| of a step of the classical method for y' = z y.
double growth(std::complex<double> z) {
  const std::complex<double> k1 = z, k2 = z * (1.0 + 0.5 * k1), k3 = z * (1.0 + 0.5 * k2),
                             k4 = z * (1.0 + k3);
  return std::abs(1.0 + (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0);
}

TEST(ContactRates, TheLargestStepIsStableAndALargerOneIsNot) {
  for (const double ratio : {0.05, 0.3, 0.7, 0.95, 2.0}) {
    const Eigen::VectorXcd rates = rates_of(ratio);
    const double h = largest_step_of_order_4(rates);
    double largest = 0.0, beyond = 0.0;
    for (const std::complex<double>& rate : rates) {
      largest = std::max(largest, growth(h * rate));
      beyond = std::max(beyond, growth(1.001 * h * rate));
    }
    EXPECT_LE(largest, 1.0 + 1e-11) << ratio;
    EXPECT_GT(beyond, 1.0) << ratio;
  }
}

TEST(ContactRates, OfADamperAloneAreItsDecay) {
  const MatrixXd A = MatrixXd::Constant(1, 1, inverse_mass);
  const MatrixXd d = MatrixXd::Constant(1, 1, 50.0);
  const Eigen::VectorXcd rates = contact_rates(A, {MatrixXd(), d}, independent_contacts(1));
  EXPECT_EQ(rates.size(), 1);
  EXPECT_NEAR(decay_time(rates), 1.0 / (inverse_mass * 50.0), 1e-15);
}

TEST(ContactRates, LeaveOutInternalForces) {
  // Two equal rows of G: one contact with the sum of both springs and dampers.
  ContactBasis twice{.rows = {0},
                     .combination = MatrixXd::Ones(2, 1),
                     .internal_forces = MatrixXd::Ones(2, 1) / std::numbers::sqrt2};
  twice.internal_forces(1) *= -1.0;
  const MatrixXd A = MatrixXd::Constant(2, 2, inverse_mass);
  const MatrixXd k = 0.5 * stiffness * MatrixXd::Identity(2, 2);
  const double critical = 2.0 * std::sqrt(stiffness / inverse_mass);
  const MatrixXd d = 0.5 * 0.6 * critical * MatrixXd::Identity(2, 2);
  const Eigen::VectorXcd rates = contact_rates(A, {k, d}, twice);
  EXPECT_EQ(rates.size(), 2);
  EXPECT_NEAR(decay_time(rates), decay_time(rates_of(0.6)), 1e-12 / frequency);
}

}  // namespace
}  // namespace rigidlimit
