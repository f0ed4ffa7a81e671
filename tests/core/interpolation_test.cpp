// Tests the interpolation between samples.
#include "rigidlimit/core/interpolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace rigidlimit {
namespace {

std::vector<double> uniform(int count) {
  std::vector<double> times;
  for (int k = 0; k < count; ++k) times.push_back(static_cast<double>(k) / (count - 1));
  return times;
}

template <class F>
MatrixXd sampled(const std::vector<double>& times, F f) {
  MatrixXd samples(1, static_cast<Index>(times.size()));
  for (Index k = 0; k < samples.cols(); ++k) samples(k) = f(times[static_cast<std::size_t>(k)]);
  return samples;
}

template <class F>
double error(const std::vector<double>& nodes, F f) {
  const std::vector<double> times = uniform(1001);
  return (Interpolation(nodes, times)(sampled(nodes, f)) - sampled(times, f)).cwiseAbs().maxCoeff();
}

TEST(Interpolation, IsExactForDegreeSevenAndNotForDegreeEight) {
  // Fourteen non-uniform nodes, the first ones closely spaced.
  std::vector<double> nodes;
  for (const double t : uniform(14)) nodes.push_back(t * t * (2.0 - t));
  // Eight products of a weight with a value up to 1. The weights sum to at most 700 here, beside an
  // end, and each is off by a dozen roundings.
  const double bound = 700.0 * 12.0 * std::numeric_limits<double>::epsilon();
  EXPECT_LT(error(nodes, [](double t) { return std::pow(t, 7); }), bound);
  EXPECT_GT(error(nodes, [](double t) { return std::pow(t, 8); }), 1e3 * bound);
}

TEST(Interpolation, ErrorIsWithinItsBoundAndFallsWithTheEighthPower) {
  const auto f = [](double t) { return std::sin(10.0 * t); };
  const auto bound = [](int count) { return std::pow(10.0 / (count - 1), 8) / 60.0; };
  const double coarse = error(uniform(21), f), fine = error(uniform(41), f);
  EXPECT_LT(coarse, bound(21));
  EXPECT_LT(fine, bound(41));
  EXPECT_NEAR(std::log2(coarse / fine), 8.0, 0.5);
  // Negative control: the error of a kink does not fall like that.
  const auto kink = [](double t) { return std::abs(t - 0.512345); };
  EXPECT_LT(std::log2(error(uniform(21), kink) / error(uniform(41), kink)), 3.0);
}

TEST(Interpolation, IsExactAtNodes) {
  const std::vector<double> nodes = uniform(30);
  const MatrixXd samples = sampled(nodes, [](double t) { return std::exp(t) / 3.0; });
  EXPECT_EQ(Interpolation(nodes, nodes)(samples), samples);
  const std::vector<double> some{nodes[0], nodes[7], nodes[8], nodes[29]};
  EXPECT_EQ(Interpolation(nodes, some)(samples), samples(Eigen::all, std::vector{0, 7, 8, 29}));
}

TEST(Interpolation, UsesAllNodesIfFewerThanEight) {
  const auto parabola = [](double t) { return 1.0 + t * (2.0 - 3.0 * t); };
  EXPECT_LT(error(uniform(3), parabola), 1e-14);
  EXPECT_GT(error(uniform(2), parabola), 0.1);
}

TEST(Interpolation, RefusesTimesOutsideTheSamples) {
  EXPECT_THROW(Interpolation({0.0, 1.0}, {-0.1}), std::logic_error);
  EXPECT_THROW(Interpolation({0.0, 1.0}, {0.5, 1.1}), std::logic_error);
}

// A polynomial of degree 7 is its interpolation. For t⁸ the error is the product of the distances
// to eight nodes, each at most eight times their distance d: less than 8! d⁸.
TEST(DistanceFromHalf, IsRoundingForDegree7AndTheRemainderForDegree8) {
  const std::vector<double> times = uniform(41);
  const auto of_power = [&](int n) {
    return distance_from_half(sampled(times, [n](double t) { return std::pow(t, n); }), times)(0);
  };
  EXPECT_LT(of_power(7), 1e-13);
  EXPECT_GT(of_power(8), 1e-11);  // negative control
  EXPECT_LT(of_power(8), 40320.0 * std::pow(0.05, 8));
}

}  // namespace
}  // namespace rigidlimit
