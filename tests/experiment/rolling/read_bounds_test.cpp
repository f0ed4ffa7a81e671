// Tests reading [[bound]] tables, their defaults, and the place and key of errors.
#include "rigidlimit/experiment/rolling/read_claims.hpp"

#include <gmock/gmock.h>

#include "support/spoilt_study.hpp"

namespace rigidlimit {
namespace {

using test::name_of_case;
using test::Spoilt;

RollingStudy with_bound(const std::string& lines) {
  return test::study_from(test::sample_text + "[[bound]]\n" + lines);
}

TEST(ReadBounds, OneTableMayHoldABoundAndACeiling) {
  const RollingStudy study = with_bound(
      "quantity = \"v\"\nnorm = \"l2\"\nafter = 0.75\nconstant = 0.36\npower = 1\n"
      "epsilon = [1e-2, 1e-3]\nsolver_error = 1e-8\n");
  ASSERT_EQ(study.bounds.size(), 2u);
  for (const BoundSpec& spec : study.bounds) {
    EXPECT_TRUE(spec.measure.quantity == Quantity::v && spec.measure.norm == Norm::l2 &&
                spec.measure.window == Window::after);
    EXPECT_EQ(spec.bound.from, 1e-3);
    EXPECT_EQ(spec.bound.to, 1e-2);
  }
  EXPECT_EQ(study.bounds[0].subject, BoundSpec::Subject::model_error);
  EXPECT_EQ(study.bounds[0].bound.constant, 0.36);
  EXPECT_EQ(study.bounds[0].bound.power, 1.0);
  EXPECT_EQ(study.bounds[1].subject, BoundSpec::Subject::solver_error);
  EXPECT_EQ(study.bounds[1].bound.constant, 1e-8);
  EXPECT_EQ(study.bounds[1].bound.power, 0.0);
  EXPECT_EQ(study.after, 0.75) << "the study's one cut, wherever it is given";
}

TEST(ReadBounds, DefaultsAreSupAllTimesAllEpsilons) {
  const RollingStudy study = with_bound("quantity = \"q\"\nconstant = 17.8\npower = 2.0\n");
  ASSERT_EQ(study.bounds.size(), 1u);
  const BoundSpec& spec = study.bounds[0];
  EXPECT_TRUE(spec.measure.norm == Norm::sup && spec.measure.window == Window::all);
  for (const double epsilon : study.epsilons) EXPECT_TRUE(spec.bound.covers(epsilon));
  EXPECT_TRUE(study.demands_something());
  EXPECT_FALSE(test::study_from(test::sample_text).demands_something());
}

TEST(ReadBounds, ResolvedStudyKeepsTheBounds) {
  const RollingStudy study = with_bound(
      "quantity = \"lambda\"\nwindow = \"after\"\nconstant = 0.1\npower = -0.5\nsolver_error = "
      "1e-8\n[[bound]]\nquantity = \"q\"\nconstant = 3\npower = 2\nepsilon = [0.0, 5e-3]\n");
  const std::string text = resolved_toml(study);
  const RollingStudy again = read_rolling_study(TomlDocument::from_text(text, "resolved.toml"));
  EXPECT_EQ(resolved_toml(again), text);
  ASSERT_EQ(again.bounds.size(), 3u);
  EXPECT_EQ(again.bounds[0].bound.power, -0.5);
  EXPECT_EQ(again.bounds[1].subject, BoundSpec::Subject::solver_error);
  EXPECT_EQ(again.bounds[2].bound.to, 5e-3);
  // Negative control: studies that differ in one number of a bound have different texts.
  for (const char* other : {"quantity = \"q\"\nconstant = 1\npower = 2\n",
                            "quantity = \"q\"\nconstant = 1\npower = 3\n",
                            "quantity = \"q\"\nconstant = 1\npower = 2\nepsilon = [0, 1]\n",
                            "quantity = \"q\"\nsolver_error = 1\n"})
    for (const char* one : {"quantity = \"q\"\nconstant = 2\npower = 2\n"})
      EXPECT_NE(resolved_toml(with_bound(one)), resolved_toml(with_bound(other)));
}

class SpoiltBound : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltBound, ErrorHasPlaceKeyValueAndValidValues) {
  test::expect_complaint(GetParam());
}

// The sample has 17 lines: [[bound]] is line 18, its first key line 19.
INSTANTIATE_TEST_SUITE_P(
    Keys, SpoiltBound,
    testing::Values(
        Spoilt{
            "Table", "", "[bound]\nquantity = \"q\"\n", {"sample.toml:18:1", "bound", "[[bound]]"}},
        Spoilt{"ClaimsNothing",
               "",
               "[[bound]]\nquantity = \"q\"\n",
               {"sample.toml:18:", "bound[0].constant: missing", "> 0"}},
        Spoilt{"NoPower",
               "",
               "[[bound]]\nquantity = \"q\"\nconstant = 2\n",
               {"sample.toml:18:", "bound[0].power: missing", "finite"}},
        Spoilt{"NoConstant",
               "",
               "[[bound]]\nquantity = \"q\"\npower = 2\nsolver_error = 1\n",
               {"sample.toml:18:", "bound[0].constant: missing"}},
        Spoilt{"OneEndOnly",
               "",
               "[[bound]]\nquantity = \"q\"\nepsilon = [1e-3]\nconstant = 2\npower = 2\n",
               {"sample.toml:20:11", "bound[0].epsilon = [0.001]", "two ends", "not 1"}},
        Spoilt{"TwoCuts",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\nafter = 0.5\n"
               "[[bound]]\nquantity = \"q\"\nafter = 0.6\nsolver_error = 1\n",
               {"sample.toml:24:9", "bound[0].after = 0.6", "t = 0.5 in sample.toml:21:9"}}),
    name_of_case);

}  // namespace
}  // namespace rigidlimit
