// Tests [[bound]] through the program: broken and undecided bounds give exit status 1.
#include <gmock/gmock.h>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/well_formed_xml.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The sample with three ε, 1e-2, 3.16e-3, 1e-3, and one bound; no expectation.
class BoundsTest : public testing::Test {
 protected:
  test::Said program(const std::string& subcommand, const std::string& bound,
                     std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{subcommand,        study,   "--set",
                                       "epsilon.count=3", "--set", "bound=[{" + bound + "}]"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string study = place.write("sample.toml", test::sample_text);
  const std::string true_bound = "quantity=\"q\", constant=17.8, power=2.0";
};

TEST_F(BoundsTest, HeldBoundsHaveOneLine) {
  const test::Said said = program("check", true_bound);
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(said.out, "sample: held, 1 of 1 bounds\n");
}

// 17.66 ε² at ε = 1e-3 (docs/theory.md, section 9: 17.675 in the limit) is 1.766e-5; 10 ε^2.5 is
// 3.162e-7 there: 55.8 times.
TEST_F(BoundsTest, ABoundOfAHigherOrderIsBroken) {
  const test::Said said = program("check", "quantity=\"q\", constant=10.0, power=2.5");
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, AllOf(HasSubstr("sample: not held, 0 of 1 "),
                              HasSubstr("≤ 10 ε^2.5 broken at ε = 0.001 (cvode_bdf / "),
                              HasSubstr(" 1.766e-05 ± "), HasSubstr(" 3.162e-07")));
  // One whole order: 17.8 ε³ at ε = 1e-3, 992 times.
  const test::Said whole = program("check", "quantity=\"q\", constant=17.8, power=3.0");
  EXPECT_EQ(whole.status, 1);
  EXPECT_THAT(whole.out, HasSubstr("broken at ε = 0.001"));
  EXPECT_THAT(whole.out, HasSubstr(" 992 "));
}

// The measured coefficient is 17.66 at ε = 1e-3: 2 % less than the true limit 17.675 is 17.32.
TEST_F(BoundsTest, ACoefficientTwoPerCentTooSmallIsBroken) {
  const test::Said said = program("check", "quantity=\"q\", constant=17.32, power=2.0");
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, AllOf(HasSubstr("≤ 17.32 ε² broken at ε = 0.001"), HasSubstr(" 1.02 "),
                              HasSubstr(" 1.732e-05")));
  // 17.66 exceeds the error by 4e-10, a tenth of CVODE's error bar: undecided. Radau decides it.
  const std::string close = "quantity=\"q\", constant=17.66, power=2.0, epsilon=[9e-4, 1.1e-3]";
  const test::Said undecided = program("check", close);
  EXPECT_EQ(undecided.status, 1);
  EXPECT_THAT(undecided.out, HasSubstr("undecided"));
  EXPECT_EQ(program("check", close,
                    {"--set", "solvers.compliant=[\"radau_iia\"]", "--set", "solvers.rtol=1e-12"})
                .status,
            0);
}

TEST_F(BoundsTest, ALooseSolverBreaksTheCeilingAndDecidesNoBound) {
  const std::vector<std::string> loose{"--set", "solvers.rtol=1e-4", "--set", "solvers.atol=1e-4"};
  const std::string ceiling = "quantity=\"q\", solver_error=1e-8";
  EXPECT_EQ(program("check", ceiling).status, 0);
  const test::Said broken = program("check", ceiling, loose);
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, AllOf(HasSubstr("≤ 1e-08 broken at ε"), HasSubstr("[solver_limited]")));
  // At this tolerance no row decides the true bound.
  const test::Said undecided = program("check", true_bound, loose);
  EXPECT_EQ(undecided.status, 1);
  EXPECT_THAT(undecided.out, Not(HasSubstr("sample: held")));
  EXPECT_THAT(undecided.out, HasSubstr("[solver_limited]"));
}

TEST_F(BoundsTest, RunShowsATableAndTheLinesAndExitsLikeCheck) {
  const test::Said held = program("run", true_bound);
  EXPECT_EQ(held.status, 0) << held.err;
  EXPECT_THAT(held.out, AllOf(Not(HasSubstr("\nBounds")), HasSubstr("≤ 17.8 ε²")));
  const test::Said full = program("run", true_bound, {"--full"});
  EXPECT_THAT(full.out, AllOf(HasSubstr("\nBounds\n"), HasSubstr("≤ 17.8 ε²")));
  const test::Said broken = program("run", "quantity=\"q\", constant=1.0, power=2.0");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, HasSubstr("broken"));
  const test::Said none = test::rigidlimit({"run", study}, place.path());
  EXPECT_THAT(none.out, Not(HasSubstr("ound")));
}

TEST_F(BoundsTest, JunitNamesTheBrokenBound) {
  EXPECT_EQ(program("check", "quantity=\"v\", constant=0.3, power=1.0, solver_error=1e-6",
                    {"--junit", "report.xml"})
                .status,
            1);
  const std::string xml = test::text_of(place.path("report.xml"));
  EXPECT_EQ(test::WellFormedXml::complaint(xml), "") << xml;
  EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"2\" failures=\"1\" errors=\"0\">"));
  EXPECT_THAT(xml, AllOf(HasSubstr("<failure type=\"bound_broken\""), HasSubstr("≤ 0.3 ε")));
}

TEST_F(BoundsTest, NoRowInTheIntervalIsNotHeld) {
  const test::Said said = program("check", true_bound + ", epsilon=[1e-6, 1e-5]");
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, HasSubstr("of 3 rows"));
}

}  // namespace
}  // namespace rigidlimit
