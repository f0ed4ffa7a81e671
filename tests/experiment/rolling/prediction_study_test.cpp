// Tests predicted coefficients, the composite and 113-bit arithmetic in studies.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/catalogue_system.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

const std::string by_radau =
    "solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], rtol=1e-12, atol=1e-14}";
const std::string ratio_of_q_and_v =
    "expect=[{quantity=\"q\", ratio=1.0, ratio_within=1e-3}, {quantity=\"v\", ratio=1.0, "
    "ratio_within=1e-2}]";

// docs/theory.md, section 9: |q₂| at T is 17.675, and the layer of v peaks at 0.91/e. With 12
// samples per unit of τ the peak of τ exp(−τ) is at most 1/24 away: (1/24)²/2 < 1e-3 too low.
TEST(PredictionStudy, HasTheCoefficientsOfTheKnifeEdge) {
  const RollingResult result = run_rolling_study(test::sample_study({by_radau, "expect=[]"}));
  const Row& q = test::series_of(result, Quantity::q).rows.back();
  const Row& v = test::series_of(result, Quantity::v).rows.back();
  const Row& lambda = test::series_of(result, Quantity::lambda).rows.back();
  EXPECT_NEAR(q.predicted_coefficient, 17.675, 1e-3);
  EXPECT_NEAR(v.predicted_coefficient, 0.91 / std::exp(1.0), 1e-3 * 0.335);
  EXPECT_NEAR(lambda.predicted_coefficient, 0.91, 1e-12);
  EXPECT_EQ(test::series_of(result, Quantity::v, Norm::l2).predicted_order, 1.5);
  EXPECT_TRUE(result.no_prediction.empty());
}

TEST(PredictionStudy, ConfirmsTheRatioAndDetectsTwoPercent) {
  RollingResult result = run_rolling_study(test::sample_study({by_radau, ratio_of_q_and_v}));
  EXPECT_TRUE(result.held());
  // |ratio − 1| falls with ε: the next term of the expansion is one order smaller.
  for (const Quantity x : {Quantity::q, Quantity::v})
    EXPECT_NEAR(test::series_of(result, x).ratio.approach.order, 1.0, 0.15);
  // Negative controls: another constant, and a loose solver.
  const RollingResult off = run_rolling_study(
      test::sample_study({by_radau, "expect=[{quantity=\"q\", ratio=1.02, ratio_within=1e-3}]"}));
  EXPECT_FALSE(off.held());
  EXPECT_EQ(test::series_of(off, Quantity::q).ratio.verdict, Verdict::refuted);
  const RollingResult loose = run_rolling_study(
      test::sample_study({"solvers={rtol=1e-5, atol=1e-7}",
                          "expect=[{quantity=\"q\", ratio=1.0, ratio_within=1e-3}]"}));
  EXPECT_FALSE(loose.held());
  EXPECT_NE(test::series_of(loose, Quantity::q).ratio.verdict, Verdict::confirmed);
}

TEST(PredictionStudy, CompositeHasOrderTwoIfNoneIsGiven) {
  const std::string against = "study.against=\"composite\"";
  const std::vector<std::string> third{
      by_radau, against, "epsilon.from=1e-2", "epsilon.to=1e-3",
      "expect=[{quantity=\"q\"}, {quantity=\"v\"}, {quantity=\"lambda\"}]"};
  const RollingResult result = run_rolling_study(test::sample_study(third));
  EXPECT_TRUE(result.held());
  EXPECT_EQ(test::series_of(result, Quantity::v).predicted_order, 3.0);
  // Negative control: against the rigid motion alone these orders fail.
  std::vector<std::string> alone = third;
  std::erase(alone, against);
  alone.back() = "expect=[{quantity=\"q\", order=3.0}, {quantity=\"v\", order=3.0}]";
  EXPECT_FALSE(run_rolling_study(test::sample_study(alone)).held());
}

// The composite of order K leaves ε^(K+1) times its next term, up to a share of 3 ε.
TEST(PredictionStudy, RemainderOfACompositeOfAnyOrderIsPredicted) {
  const auto run_to = [](int order, const std::string& expected) {
    return run_rolling_study(test::sample_study(
        {by_radau, "study.against=\"composite\"", fmt::format("composite.order={}", order),
         "epsilon.from=2e-2", "epsilon.to=5e-3", "expect=[" + expected + "]"}));
  };
  const std::string all =
      "{quantity=\"q\", within=0.1}, {quantity=\"v\", within=0.1}, {quantity=\"lambda\", "
      "within=0.1}";
  for (const int order : {1, 2, 3}) {
    const RollingResult result = run_to(order, all);
    EXPECT_TRUE(result.held()) << order;
    for (const Quantity x : {Quantity::q, Quantity::v, Quantity::lambda}) {
      const Series& series = test::series_of(result, x);
      EXPECT_EQ(series.predicted_order, order + 1.0);
      EXPECT_NEAR(series.rows.back().ratio, 1.0, 0.015) << "at eps = 5e-3";
    }
  }
  // A start that slides has a layer of order 0 in v, and of order -1 in λ.
  const RollingResult slides = run_rolling_study(
      test::sample_study({by_radau, "study.against=\"composite\"", "composite.order=2",
                          "initial={v=[0.7, 0.2, 1.3], project=true}", "epsilon.from=2e-2",
                          "epsilon.to=5e-3", "expect=[" + all + "]"}));
  EXPECT_TRUE(slides.held());
  EXPECT_NEAR(test::series_of(slides, Quantity::v).rows.back().ratio, 1.0, 0.05);
  // Negative control: the next order.
  EXPECT_FALSE(run_to(2, "{quantity=\"v\", order=4.0}").held());
}

TEST(PredictionStudy, StatesTheReasonWithoutAPrediction) {
  const std::string sliding = "initial={v=[0.7, 0.2, 1.3], project=true}";
  const RollingResult none = run_rolling_study(test::sample_study(
      {"contact.damping_exponent=0.5", sliding, "expect=[]", "epsilon.count=2"}));
  EXPECT_THAT(none.no_prediction, testing::HasSubstr("0.5"));
  for (const Series& series : none.series)
    for (const Row& row : series.rows) EXPECT_TRUE(std::isnan(row.predicted_coefficient));
  const RollingResult known =
      run_rolling_study(test::sample_study({sliding, "expect=[]", "epsilon.count=2"}));
  EXPECT_EQ(known.no_prediction, "") << "negative control: at beta = 1 a sliding start has one";
}

// Every damping exponent, the viscous and the elastic law: measured over predicted tends to 1.
TEST(PredictionStudy, HasTheConstantsOfOtherRegimes) {
  const std::string ratios =
      "expect=[{quantity=\"q\", ratio=1.0}, {quantity=\"v\", ratio=1.0}, {quantity=\"lambda\", "
      "ratio=1.0}]";
  for (const char* contact : {"contact.damping_exponent=0.0", "contact.damping_exponent=0.5",
                              "contact.damping_exponent=1.5", "contact.damping_exponent=2.0"}) {
    const RollingResult result = run_rolling_study(test::sample_study(
        {by_radau, contact, "epsilon.from=1e-3", "epsilon.to=1e-5", "expect=[]"}));
    for (const Quantity x : {Quantity::q, Quantity::v, Quantity::lambda})
      EXPECT_NEAR(test::series_of(result, x).rows.back().ratio, 1.0, 0.01) << contact;
  }
}

// At ε = 1e-7 the pair differs by 1.8e-13 in q. That is below the error bars of rtol 1e-12 in
// double, but has at least eight digits in 113 bits.
TEST(QuadStudy, ResolvesADifferenceBelowDouble) {
  const std::vector<std::string> tiny{"epsilon.from=1e-6",     "epsilon.to=1e-7",
                                      "epsilon.count=2",       "time.samples=11",
                                      "time.layer_samples=11", "expect=[]"};
  const auto run_with = [&](const std::string& solvers) {
    std::vector<std::string> overrides = tiny;
    overrides.push_back(solvers);
    return run_rolling_study(test::sample_study(overrides));
  };
  const RollingResult quad = run_with(
      "solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], precision=\"quad\", "
      "rtol=1e-22, atol=1e-24}");
  const Row& row = test::series_of(quad, Quantity::q).rows.back();
  EXPECT_EQ(name_of(row.evidence), "ok");
  EXPECT_LT(row.error_bar(), 1e-8 * row.model_error());
  EXPECT_NEAR(row.ratio, 1.0, 1e-5);  // |ratio − 1| is about 0.9 ε
  EXPECT_EQ(quad.rigid.front().reference, "radau_iia_reduced");
  // Negative control: the same study in double gives no evidence.
  const RollingResult in_double = run_with(by_radau);
  EXPECT_NE(name_of(test::series_of(in_double, Quantity::q).rows.back().evidence), "ok");
}

// At ε = 2e-3 the remainder of order 7 is 3e-17 in q and 7e-19 in λ; the next term is 0.5 % of it.
TEST(QuadStudy, ResolvesTheRemainderOfOrderSeven) {
  const auto run_with = [](const std::string& solvers) {
    return run_rolling_study(
        test::sample_study({"study.against=\"composite\"", "composite.order=6", "epsilon.from=4e-3",
                            "epsilon.to=2e-3", "epsilon.count=2", "time.end=0.5", "time.samples=21",
                            "time.layer_samples=31", "expect=[]", solvers}));
  };
  const RollingResult quad = run_with(
      "solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], precision=\"quad\", "
      "formulation=\"adapted\", rtol=1e-24, atol=1e-26}");
  for (const Quantity x : common_quantities) {
    const Series& series = test::series_of(quad, x);
    const Row &coarse = series.rows.front(), &fine = series.rows.back();
    EXPECT_EQ(series.predicted_order, 7.0);
    EXPECT_EQ(name_of(fine.evidence), "ok");
    EXPECT_NEAR(fine.ratio, 1.0, 0.02);
    EXPECT_NEAR(std::log2(coarse.model_error() / fine.model_error()), 7.0, 0.05);
  }
  // Negative control: in double the remainder is round-off, and no evidence.
  const RollingResult in_double = run_with(by_radau);
  EXPECT_NE(name_of(test::series_of(in_double, Quantity::lambda).rows.back().evidence), "ok");
}

/// Runs a study in 113 bits at ε = 1e-7 and 1e-8 from this start.
RollingResult run_tiny_in_quad(const std::string& system, const VectorXd& q, const VectorXd& v,
                               bool project = false) {
  return run_rolling_study(test::study_from(fmt::format(
      "[study]\nname = \"tiny\"\n[system]\nname = \"{}\"\n[initial]\nq = [{:.17g}]\n"
      "v = [{:.17g}]\nproject = {}\n[epsilon]\nvalues = [1e-7, 1e-8]\n[time]\nend = 2.0\n"
      "samples = 41\nlayer_samples = 21\n[solvers]\nrigid = [\"radau_iia\"]\n"
      "compliant = [\"radau_iia\"]\nprecision = \"quad\"\nrtol = 1e-20\natol = 1e-22\n",
      system, fmt::join(q, ", "), fmt::join(v, ", "), project)));
}

// tan 0.3 is not a double: the nearest velocity slides by 1e-17 m/s and displaces q as much. The
// pair differs by K ε² with K = 17.7, 1.7 and 55 (knife edge, sleigh, disc): 1.8e-15 at ε = 1e-8.
// With one more rounding on one side, the ratio of the knife edge was 0.9928, with a bar of 1e-7.
// The next term leaves |ratio − 1| = 0.9 ε, 3 ε and 8 ε. 1e-6 is ten times the largest, and at
// most a thousandth of the effect of that displacement.
TEST(QuadStudy, ARoundedStartAddsNoErrorToThePair) {
  for (const auto& [name, heading] :
       {std::pair{"knife_edge", 0.3}, {"chaplygin_sleigh", 0.2}, {"rolling_disk", 0.2}}) {
    test::CatalogueSystem s(*find_system(builtin_systems(), name));
    s.start.q(2) = heading;
    const VectorXd v = projected_velocity<double>(s.model, s.contacts, s.start.q, s.start.v);
    const RollingResult result = run_tiny_in_quad(name, s.start.q, v);
    SCOPED_TRACE(name);
    for (const Quantity x : {Quantity::q, Quantity::v})
      for (const Window window : {Window::all, Window::after}) {
        const Row& row = test::series_of(result, x, Norm::sup, window).rows.back();
        EXPECT_EQ(name_of(row.evidence), "ok");
        EXPECT_NEAR(row.ratio, 1.0, 1e-6) << name_of(x) << " " << name_of(window);
      }
    EXPECT_THAT(result.notes, testing::Contains(testing::HasSubstr("projection")));
    const QuadProjection projection = projection_in_quad(result.study);
    EXPECT_GT(projection.change, 1e-19);
    EXPECT_LT(projection.change, 1e-15) << "the rounding of numbers of order 1";
    EXPECT_LT(result.rigid.front().drift, 1e-18) << "|G v| in 113 bits; rounded it would be 1e-17";
  }
}

// A quaternion of four doubles has unit length up to 1e-17. Two rigid formulations project it in
// different ways: they ended 6e-17 apart at every tolerance. From a start in 113 bits they differ
// by their tolerances only: some tens of steps with 1e-20 of numbers of order 1.
TEST(QuadStudy, ARoundedCoordinateAddsNoErrorToTheReference) {
  const auto apart = [](const RollingStudy& study) {
    const std::vector<double> times{0.0, 0.1};
    const SolveOptions options{.rtol = 1e-20, .atol = 1e-22};
    const RigidMotion a = solve_rigid_quad(study, *find_rigid_solver("radau_iia"), times, options);
    const RigidMotion b =
        solve_rigid_quad(study, *find_rigid_solver("radau_iia_reduced"), times, options);
    EXPECT_EQ(a.outcome, Outcome::success) << a.message;
    EXPECT_EQ(b.outcome, Outcome::success) << b.message;
    return std::pair(magnitude(difference(a.motion, b.motion), {.quantity = Quantity::q}, {}),
                     invariants_at(study.model, a.motion, 0).cwiseAbs().maxCoeff());
  };
  RollingStudy study = test::study_from(
      "[study]\nname = \"sphere\"\n[system]\nname = \"chaplygin_sphere\"\n"
      "[epsilon]\nvalues = [1e-2]\n[time]\nend = 1.0\n");
  const auto [distance, invariant] = apart(study);
  EXPECT_LT(distance, 1e-18);
  EXPECT_LT(invariant, 1e-30);
  EXPECT_LT(projection_in_quad(study).change_of_q, 1e-15);
  // Negative control: a start with more than a rounding error is not corrected.
  study.initial.q(2) += 1e-9;
  EXPECT_EQ(projection_in_quad(study).change_of_q, 0.0);
  EXPECT_GT(apart(study).second, 1e-10);
}

// Negative controls: a rolling start has no note of a projection, and a sliding start is refused.
// project = true projects only the rigid side: v differs by 1e-6 m/s at once for every ε.
TEST(QuadStudy, ASlidingStartIsNotProjectedSilently) {
  const VectorXd ahead = VectorXd::Zero(3);
  const RollingResult rolls = run_tiny_in_quad("knife_edge", ahead, Eigen::Vector3d(0.7, 0.0, 1.3));
  EXPECT_EQ(projection_in_quad(rolls.study).change, 0.0);
  EXPECT_THAT(rolls.notes, testing::Not(testing::Contains(testing::HasSubstr("projection"))));

  EXPECT_THAT(test::complaint_about(test::sample_text, {"initial.v=[0.7, 1e-6, 1.3]"}),
              testing::HasSubstr("|G v| = 1e-06 m/s"));
  const RollingResult slides =
      run_tiny_in_quad("knife_edge", ahead, Eigen::Vector3d(0.7, 1e-6, 1.3), true);
  EXPECT_EQ(test::series_of(slides, Quantity::v).predicted_order, 0.0);
  EXPECT_THAT(slides.notes, testing::Not(testing::Contains(testing::HasSubstr("projection"))));
  for (const Row& row : test::series_of(slides, Quantity::v).rows)
    EXPECT_NEAR(row.model_error(), 1e-6, 1e-9);
}

TEST(Formulations, GiveTheSameErrorsWithinTheirErrorBars) {
  const RollingResult adapted = run_rolling_study(test::sample_study());
  const RollingResult natural =
      run_rolling_study(test::sample_study({"solvers.formulation=\"natural\""}));
  for (const Quantity x : common_quantities) {
    const auto& a = test::series_of(adapted, x).rows;
    const auto& b = test::series_of(natural, x).rows;
    for (std::size_t k = 0; k < a.size(); ++k)  // error bars are estimates: three of them
      EXPECT_NEAR(a[k].model_error(), b[k].model_error(),
                  3.0 * (a[k].error_bar() + b[k].error_bar()));
  }
  EXPECT_NE(test::series_of(adapted, Quantity::q).rows.back().work.steps,
            test::series_of(natural, Quantity::q).rows.back().work.steps)
      << "they are solved in different variables";
}

}  // namespace
}  // namespace rigidlimit
