// Outer and layer terms of an expansion as functions of time: their sum is the composite.
#include "rigidlimit/experiment/pair/predicted_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

constexpr int order = 3;

/// Outer terms at t = τ ε and layer terms at τ, sampled at the same points of both grids.
struct Sampled {
  explicit Sampled(std::vector<std::string> overrides, double epsilon)
      : study(test::sample_study(std::move(overrides))),
        expansion(series_of<double>(study, order, {})) {
    TimeGrid grid = study.time;
    grid.samples = grid.layer_samples = 21;
    grid.layer_width = 10.0;
    grid.end = epsilon * grid.layer_width;
    curves = term_curves(study.model, expansion, grid);
  }
  RollingStudy study;
  SeriesExpansion<double> expansion;
  std::vector<TermCurve> curves;
};

void expect_sum_is_composite(const std::vector<std::string>& overrides, std::size_t count) {
  constexpr double epsilon = 1.0 / 64.0;
  const Sampled s(overrides, epsilon);
  ASSERT_EQ(s.curves.size(), count);
  std::vector<double> times;
  for (const double tau : s.curves.back().term.times) times.push_back(epsilon * tau);
  const Motion whole = s.expansion.composite(epsilon, times, order);
  MatrixXd q = MatrixXd::Zero(whole.q.rows(), whole.q.cols());
  MatrixXd v = MatrixXd::Zero(whole.v.rows(), whole.v.cols());
  MatrixXd lambda = MatrixXd::Zero(whole.lambda.rows(), whole.lambda.cols());
  for (const TermCurve& curve : s.curves) {
    const double power = std::pow(epsilon, curve.order);
    q += power * curve.term.q;
    v += power * curve.term.v;
    lambda += power * curve.term.lambda;
  }
  EXPECT_LT((q - whole.q).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((v - whole.v).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((lambda - whole.lambda).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(TermCurves, SumUpToTheComposite) {
  expect_sum_is_composite({}, 2 * (order + 1));
}

TEST(TermCurves, OfASlidingStartHaveAForceOfOrderMinusOne) {
  expect_sum_is_composite({"initial.v=[0.7, 0.2, 1.3]", "initial.project=true"},
                          2 * (order + 1) + 1);
}

TEST(TermCurves, OfALayerDecayAndThoseOfTheOuterMotionDoNot) {
  const RollingStudy study = test::sample_study({});
  const SeriesExpansion<double> expansion = series_of<double>(study, order, {});
  for (const TermCurve& curve : term_curves(study.model, expansion, study.time)) {
    const Index last = curve.term.v.cols() - 1;
    const double largest = curve.term.v.cwiseAbs().maxCoeff();
    if (curve.in_layer) {
      EXPECT_NEAR(largest, expansion.layer_size(curve.order).v, 1e-2 * largest + 1e-12);
      EXPECT_LT(curve.term.v.col(last).cwiseAbs().maxCoeff(), 1e-5 * largest + 1e-12);
      EXPECT_EQ(curve.term.times.back(), study.time.layer_width);
    } else {
      EXPECT_NEAR(largest, expansion.outer_size(curve.order).v, 1e-2 * largest + 1e-12);
      EXPECT_EQ(curve.term.times.back(), study.time.end);
    }
  }
}

}  // namespace
}  // namespace rigidlimit
