// Tests that reading a resolved study gives the same study.
#include <gmock/gmock.h>

#include "support/sample_study.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

RollingStudy read_back(const RollingStudy& study) {
  return read_rolling_study(TomlDocument::from_text(resolved_toml(study), "resolved.toml"));
}

void expect_round_trip(const RollingStudy& study) {
  const std::string text = resolved_toml(study);
  SCOPED_TRACE(text);
  const RollingStudy again = read_back(study);
  EXPECT_EQ(resolved_toml(again), text);
  // The values are compared bit by bit: a rounded text would still reproduce itself.
  EXPECT_EQ(again.epsilons, study.epsilons);
  EXPECT_EQ(again.parameters, study.parameters);
  EXPECT_EQ(again.initial.q, study.initial.q);
  EXPECT_EQ(again.initial.v, study.initial.v);
  EXPECT_EQ(again.contact.stiffness, study.contact.stiffness);
  EXPECT_EQ(again.contact.damping, study.contact.damping);
  EXPECT_EQ(again.contact.damping_ratio, study.contact.damping_ratio);
  EXPECT_EQ(again.contact.deflection, study.contact.deflection);
  EXPECT_EQ(again.name, study.name);
  EXPECT_EQ(again.question, study.question);
  EXPECT_EQ(again.after, study.after);
  EXPECT_EQ(again.expectations.size(), study.expectations.size());
}

class ResolvedToml : public testing::TestWithParam<std::string> {};

TEST_P(ResolvedToml, ReproducesAShippedStudy) {
  expect_round_trip(read_rolling_study(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Experiments, ResolvedToml, testing::ValuesIn(test::shipped_studies()),
                         [](const auto& one) { return test::test_name_of(one.param); });

TEST(ResolvedTomlText, KeepsQuotesBackslashesControlCharactersAndUnicode) {
  RollingStudy study = test::sample_study();
  for (const std::string odd :
       {"says \"q\" and \\n", "two\nlines\tand a tab", "bell \a escape \x1b delete \x7f",
        "ε → 0 ‖λ‖", "'''\"\"\"", "#no comment", "ends with \\", ""}) {
    study.question = odd;
    study.source = odd;
    expect_round_trip(study);
  }
}

TEST(ResolvedTomlText, KeepsNumbersWithAll17Digits) {
  expect_round_trip(test::sample_study(
      {"contact.stiffness=0.1234567890123456789", "initial.v=[1e-300, 0.0, 123456789.123456789]",
       "system.mass=1e22", "time.end=0.1", "time.after=0.033333333333333333",
       "solvers.atol=1.2345678901234567e-300", "epsilon.count=29"}));
}

TEST(ResolvedTomlText, KeepsMatricesDeflectionAndToleranceTables) {
  std::string text =
      "[study]\nname = \"full\"\n[system]\nname = \"rolling_disk\"\n[epsilon]\nvalues = [1e-2]\n"
      "[time]\nend = 1.0\n[contact]\nstiffness = [[2.0, 0.3], [0.3, 1.0]]\n"
      "damping = [[1.0, -0.1], [-0.1, 0.7]]\ndeflection = [0.25, -0.125]\n"
      "[solvers]\ncompliant = [\"cvode_bdf\", \"rosenbrock4\"]\n[solvers.rosenbrock4]\nrtol = "
      "1e-7\n";
  const RollingStudy study = test::study_from(text);
  EXPECT_EQ(study.contact.preparation, ContactSpec::Preparation::given);
  expect_round_trip(study);
  const RollingStudy again = read_back(study);
  EXPECT_FALSE(again.contact.damping_ratio) << "damping as given is no ratio";
  EXPECT_EQ(again.solvers.tolerance_of("rosenbrock4", false).rtol, 1e-7);
  EXPECT_EQ(again.solvers.tolerance_of("cvode_bdf", false).rtol, study.solvers.rtol);
}

TEST(ResolvedTomlText, KeepsPreparationProjectionAndExpectations) {
  expect_round_trip(test::sample_study({"contact.preparation=\"prepared\""}));
  expect_round_trip(test::sample_study({"initial={v=[0.7, 0.2, 1.3], project=true}"}));
  const RollingStudy study = test::sample_study(
      {"expect=[{quantity=\"v\", norm=\"l2\", order=-0.5, within=0.125, after=0.75}]"});
  expect_round_trip(study);
  const ExpectationSpec e = read_back(study).expectations.at(0);
  EXPECT_TRUE(e.measure == (Measure{Quantity::v, Norm::l2, Window::after}));
  EXPECT_EQ(e.order, -0.5);
  EXPECT_EQ(e.within, 0.125);
}

TEST(ResolvedTomlText, KeepsRatiosFormulationsAndPrecision) {
  const RollingStudy study = test::sample_study(
      {"expect=[{quantity=\"q\", order=2.0, ratio=1.0, ratio_within=0.002}, {quantity=\"v\", "
       "ratio=1.0}]",
       "solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\", \"radau_iia_7\"], "
       "precision=\"quad\", rtol=1e-25, radau_iia_7={formulation=\"natural\"}}"});
  expect_round_trip(study);
  const RollingStudy again = read_back(study);
  EXPECT_EQ(again.solvers.precision, Precision::binary128);
  EXPECT_EQ(again.solvers.settings_of("radau_iia").formulation, Formulation::adapted);
  EXPECT_EQ(again.solvers.settings_of("radau_iia_7").formulation, Formulation::natural);
  EXPECT_EQ(again.expectations.at(0).ratio_within, 0.002);
  EXPECT_EQ(again.expectations.at(0).order, 2.0);
  EXPECT_FALSE(again.expectations.at(1).order);
}

TEST(ResolvedTomlText, KeepsTheReasonWhyAnOrderHasNoRatio) {
  const RollingStudy study = test::sample_study(
      {"expect=[{quantity=\"q\", order=2.0, order_only=\"the \\\"start\\\" slides\"}, "
       "{quantity=\"v\", order=1.0}]"});
  expect_round_trip(study);
  const RollingStudy again = read_back(study);
  EXPECT_EQ(again.expectations.at(0).order_only, "the \"start\" slides");
  EXPECT_EQ(again.expectations.at(1).order_only, "");
}

TEST(ResolvedTomlText, KeepsClaimsOnSteps) {
  const RollingStudy study =
      test::sample_study({"time.grid=\"end\"",
                          "expect=[{quantity=\"steps\", growth_at_most=3.0}, {quantity=\"steps\", "
                          "growth_at_least=1.0, growth_at_most=4.0, epsilon=[2e-3, 1e-2]}]"});
  expect_round_trip(study);
  const RollingStudy again = read_back(study);
  EXPECT_TRUE(again.time.end_only);
  ASSERT_EQ(again.steps.size(), 2u);
  EXPECT_EQ(again.steps[0].at_most, 3.0);
  EXPECT_EQ(again.steps[0].at_least, -StepsSpec::infinity);
  EXPECT_EQ(again.steps[1].at_least, 1.0);
  EXPECT_EQ(again.steps[1].from, 2e-3);
  EXPECT_EQ(again.steps[1].to, 1e-2);
}

TEST(ResolvedTomlText, DiffersBetweenDifferentStudies) {
  // Negative control: a text that omits a value would be the same for these studies.
  const std::string text = resolved_toml(test::sample_study());
  for (const char* change : {"system.inertia=0.6",
                             "initial.v=[0.7, 0.0, 1.4]",
                             "contact.damping_ratio=0.9",
                             "contact.damping_exponent=1.5",
                             "contact.preparation=\"prepared\"",
                             "time.samples=99",
                             "time.layer_samples=99",
                             "time.layer_width=9.0",
                             "time.after=0.1",
                             "solvers.rtol=1e-9",
                             "solvers.rigid_atol=1e-9",
                             "solvers.reference_rtol=1e-12",
                             "solvers.tighten=0.2",
                             "solvers.max_steps=99",
                             "solvers.formulation=\"natural\"",
                             "solvers.cvode_bdf.formulation=\"natural\"",
                             "study.against=\"composite\"",
                             "expect=[{quantity=\"q\", ratio=1.0}]",
                             "solvers.cvode_bdf.atol=1e-9",
                             "initial.project=true",
                             "expect=[]",
                             "expect=[{quantity=\"steps\", growth_at_most=3.0}]",
                             "epsilon.count=6",
                             "study.source=\"nowhere\""})
    EXPECT_NE(resolved_toml(test::sample_study({change})), text) << change;
}

}  // namespace
}  // namespace rigidlimit
