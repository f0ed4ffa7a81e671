// Tests the program against the independently computed figures of docs/theory.md, section 9.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/series_of_result.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

const std::string knife_edge = test::in_repository("experiments/convergence/knife_edge.toml");

RollingResult run_with(std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"solvers.compliant=[\"cvode_bdf\"]", "solvers.rtol=1e-11",
                                     "solvers.atol=1e-13", "expect=[]"});
  return run_rolling_study(read_rolling_study(knife_edge, overrides),
                           {.jobs = 2, .stop_requested = {}, .on_progress = {}});
}

TEST(KnifeEdgeFigures, AreReproducedToOnePercent) {
  struct Figures {
    double epsilon, q, v, lambda, v_after, lambda_after;
  };
  // The table has four digits. One per cent covers the difference between the grids.
  constexpr std::array table{Figures{1.25e-2, 2.729e-3, 4.520e-3, 0.910, 1.361e-3, 2.402e-4},
                             Figures{3.125e-3, 1.721e-4, 1.066e-3, 0.910, 8.516e-5, 1.502e-5},
                             Figures{1.5625e-3, 4.309e-5, 5.279e-4, 0.910, 2.129e-5, 3.755e-6}};
  const RollingResult result =
      run_with({"epsilon={from=1.25e-2, to=1.5625e-3, count=4}", "time.after=0.5"});
  EXPECT_NEAR(result.multiplier_at_start(0), -0.91, 1e-14);
  for (const Figures& f : table) {
    const auto expect_error = [&](double wanted, Quantity quantity, Window window) {
      const Row& row = test::row_at(result, f.epsilon, quantity, Norm::sup, window);
      EXPECT_NEAR(row.model_error(), wanted, 0.01 * wanted)
          << name_of(quantity) << ", " << name_of(window) << ", ε = " << f.epsilon;
      EXPECT_EQ(name_of(row.evidence), "ok");
    };
    expect_error(f.q, Quantity::q, Window::all);
    expect_error(f.v, Quantity::v, Window::all);
    expect_error(f.lambda, Quantity::lambda, Window::all);
    expect_error(f.v_after, Quantity::v, Window::after);
    expect_error(f.lambda_after, Quantity::lambda, Window::after);
  }
}

TEST(KnifeEdgeFigures, PredictedCoefficientsAreReached) {
  // ‖q − q̂‖/ε² → 17.675 and ‖v − v̂‖/ε → 0.91/e. The next terms are O(ε): the table has v 0.9 %
  // off at ε = 1.6e-3, so this run starts at 1e-3.
  const RollingResult result = run_with({"epsilon={from=1e-3, to=2.5e-4, count=3}"});
  const double eps = result.study.epsilons.back();
  const double q2 = test::row_at(result, eps, Quantity::q).model_error() / (eps * eps);
  const double v1 = test::row_at(result, eps, Quantity::v).model_error() / eps;
  EXPECT_NEAR(q2, 17.675, 0.01 * 17.675);
  EXPECT_NEAR(v1, 0.91 / std::numbers::e, 0.01 * 0.3348);
  EXPECT_NEAR(test::row_at(result, eps, Quantity::lambda).model_error(), 0.91, 0.0091);
  // Negative control: another damping ratio changes the coefficient of v. That of q does not depend
  // on D (section 3).
  const RollingResult softer =
      run_with({"epsilon={from=1e-3, to=2.5e-4, count=3}", "contact.damping_ratio=0.5"});
  EXPECT_NEAR(test::row_at(softer, eps, Quantity::q).model_error() / (eps * eps), 17.675, 0.2);
  EXPECT_GT(test::row_at(softer, eps, Quantity::v).model_error() / eps, 1.2 * 0.3348);
}

}  // namespace
}  // namespace rigidlimit
