// Tests `rigidlimit steps`: the table by formulation and ε, its CSV, and --at-most.
#include <gmock/gmock.h>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class StepsVerbTest : public testing::Test {
 protected:
  /// Two ε, two decades apart: 1e-2 and 1e-4.
  test::Said steps(const std::vector<std::string>& options) {
    std::vector<std::string> arguments{
        "steps", good,
        "--set", "solvers={compliant=[\"radau_iia_7\"], rtol=1e-12, atol=1e-14, max_steps=5000}",
        "--set", "epsilon={values=[1e-2, 1e-4]}"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::rigidlimit(arguments, place.path(), {});
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_text);
};

TEST_F(StepsVerbTest, PrintsBothFormulationsAtEveryEpsilon) {
  const test::Said said = steps({});
  EXPECT_EQ(said.status, 0) << said.err;
  for (const char* text : {"natural", "adapted", "ε = 0.01", "ε = 0.0001", "growth"})
    EXPECT_THAT(said.out, HasSubstr(text));
}

TEST_F(StepsVerbTest, CsvHasOneLinePerSolve) {
  const test::Said said = steps({"--csv"});
  const std::vector<std::string> lines = test::split(said.out, '\n');
  ASSERT_GE(lines.size(), 5u) << "a header and four solves";
  EXPECT_THAT(lines[0], testing::StartsWith("study,solver,formulation,epsilon,outcome,steps"));
  EXPECT_THAT(lines[1], HasSubstr("sample,radau_iia_7,natural,"));
  EXPECT_THAT(lines[4], HasSubstr("sample,radau_iia_7,adapted,"));
}

// docs/theory.md, section 11: in adapted variables the steps grow by one to three a decade, or by
// 4 with the initial layer (54 and 62 at these two ε).
TEST_F(StepsVerbTest, AtMostHoldsForAdaptedVariablesAndBreaksForNatural) {
  const test::Said adapted = steps({"--at-most", "5"});
  EXPECT_EQ(adapted.status, 0) << adapted.out;
  EXPECT_THAT(adapted.out, HasSubstr("radau_iia_7, adapted"));
  const test::Said natural = steps({"--at-most", "5", "--set", "solvers.formulation=\"natural\""});
  EXPECT_EQ(natural.status, 1);
  EXPECT_THAT(natural.out,
              testing::AllOf(HasSubstr("radau_iia_7, natural"), HasSubstr("not held")));
  EXPECT_EQ(steps({"--at-most", "0.5"}).status, 1) << "steps do grow";
}

TEST_F(StepsVerbTest, RejectsInvalidOverrides) {
  const test::Said said = steps({"--set", "solvers.rtol=-1"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("solvers.rtol"));
}

}  // namespace
}  // namespace rigidlimit
