// Tests a study of several laws with a common rigid motion and an expectation for each law.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

/// All six laws as a TOML list: "viscoelastic", "elastic", …
std::string all_laws() {
  std::string names;
  for (const LawInfo& law : laws())
    names += (names.empty() ? "\"" : ", \"") + std::string(law.name) + "\"";
  return "contact.law=[" + names + "]";
}

std::string expected(const std::string& law, const std::string& quantity, const std::string& what) {
  return "{law=\"" + law + "\", quantity=\"" + quantity + "\", " + what + "}";
}

RollingResult run_sample(const std::vector<std::string>& overrides) {
  std::vector<std::string> all{"solvers.compliant=[\"radau_iia\"]",
                               "solvers.rigid=[\"closed_form\"]"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return run_rolling_study(test::springless_study(all),
                           {.jobs = 2, .stop_requested = {}, .on_progress = {}});
}

/// All six laws at five ε, with the expectations of docs/theory.md, section 5.
const RollingResult& six_laws() {
  static const RollingResult result =
      run_sample({all_laws(), "expect=[" + expected("viscoelastic", "q", "order=2.0") + "," +
                                  expected("elastic", "v", "order=1.0") + "," +
                                  expected("viscous", "q", "order=1.0") + "," +
                                  expected("parasitic", "v", "order=2.0") + "," +
                                  expected("baumgarte", "q", "convergence=\"exact\", within=1e-8") +
                                  "," + expected("inertial", "q", "convergence=\"none\"") + "]"});
  return result;
}

const Series& q_of(const RollingResult& result, const std::string& law) {
  return test::series_of(result, Quantity::q, Norm::sup, Window::all, "", law);
}

TEST(LawsStudy, EachLawSatisfiesItsExpectation) {
  const RollingResult& result = six_laws();
  for (const Series& series : result.series)
    EXPECT_TRUE(series.held()) << series.rows.front().law.name << ": " << series.judgement.reason;
  EXPECT_TRUE(result.held());
  EXPECT_TRUE(result.failures.empty());
}

TEST(LawsStudy, HasOneSeriesForEachLawAndMeasure) {
  EXPECT_EQ(six_laws().series.size(), 6u * 3u * 2u * 2u);
  for (const Series& series : six_laws().series) {
    ASSERT_EQ(series.rows.size(), six_laws().study.epsilons.size());
    for (const Row& row : series.rows) EXPECT_EQ(row.law, series.rows.front().law);
  }
}

TEST(LawsStudy, LawsWithASpringOrDamperHavePredictedConstants) {
  EXPECT_EQ(six_laws().no_prediction, "");
  for (const Series& series : six_laws().series) {
    const std::string& law = series.rows.front().law.name;
    const bool predicted = law == "viscoelastic" || law == "elastic" || law == "viscous";
    EXPECT_EQ(std::isnan(series.predicted_order), !predicted);
    for (const Row& row : series.rows) EXPECT_TRUE(predicted || std::isnan(row.ratio));
  }
  const RollingResult parasitic =
      run_sample({"contact.law=\"parasitic\"", "epsilon.count=2", "expect=[]"});
  EXPECT_THAT(parasitic.no_prediction, testing::HasSubstr("parasitic"));
}

TEST(LawsStudy, ElasticLawEqualsTheUndampedViscoelasticLaw) {
  const RollingResult without =
      run_sample({"contact.damping=0.0", "contact.damping_exponent=0.0", "expect=[]"});
  const auto& rows = q_of(six_laws(), "elastic").rows;
  for (std::size_t k = 0; k < rows.size(); ++k)
    EXPECT_EQ(rows[k].model_error(), without.series.front().rows[k].model_error());
}

// The inertial law does not converge, so every expectation of convergence must fail.
TEST(LawsStudy, ConvergenceOfTheInertialLawIsNotConfirmed) {
  const Series& series = q_of(six_laws(), "inertial");
  EXPECT_NEAR(series.judgement.fit.order, 0.0, 0.1);
  for (const Row& row : series.rows) EXPECT_GT(row.model_error(), 0.1);
  for (const char* order : {"2.0", "1.0", "0.5"}) {
    const RollingResult result =
        run_sample({"contact={law=\"inertial\"}",
                    "expect=[{quantity=\"q\", order=" + std::string(order) + "}]"});
    EXPECT_FALSE(result.held());
    EXPECT_EQ(q_of(result, "inertial").judgement.verdict, Verdict::refuted) << order;
  }
  EXPECT_FALSE(run_sample({"contact={law=\"inertial\"}",
                           "expect=[{quantity=\"q\", convergence=\"exact\", within=1e-8}]"})
                   .held());
}

TEST(LawsStudy, NonconvergenceOfAConvergentLawIsNotConfirmed) {
  for (const char* law : {"viscoelastic", "viscous", "parasitic", "baumgarte"}) {
    const RollingResult result = run_sample({"contact={law=\"" + std::string(law) + "\"}",
                                             "expect=[{quantity=\"q\", convergence=\"none\"}]"});
    EXPECT_FALSE(result.held()) << law << ": " << q_of(result, law).judgement.reason;
  }
}

TEST(LawsStudy, ABoundAppliesToItsLawOnly) {
  const std::string ceiling = "quantity=\"q\", constant=1e-2, power=0.0}]";
  const std::string two = "contact.law=[\"viscoelastic\", \"inertial\"]";
  const RollingResult held =
      run_sample({two, "expect=[]", "bound=[{law=\"viscoelastic\"," + ceiling});
  EXPECT_TRUE(held.held());
  ASSERT_EQ(held.bounds.size(), 1u);
  const RollingResult broken =
      run_sample({two, "expect=[]", "bound=[{law=\"inertial\"," + ceiling});
  EXPECT_FALSE(broken.held());
}

TEST(LawsStudy, AFailureNamesItsLaw) {
  const RollingResult result = run_sample(
      {"contact.law=[\"viscoelastic\", \"parasitic\"]", "expect=[]", "solvers.max_steps=2"});
  EXPECT_EQ(result.failures.size(), 2u * 2u * 5u);
  EXPECT_EQ(
      std::ranges::count_if(result.failures,
                            [](const CompliantSolve& one) { return one.law.name == "parasitic"; }),
      10);
}

}  // namespace
}  // namespace rigidlimit
