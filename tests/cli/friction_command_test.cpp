// Tests `rigidlimit run` of friction studies: modes, stored solves, and systems that slip.
#include <gmock/gmock.h>

#include <algorithm>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_friction.hpp"
#include "support/stored_rows.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FrictionVerbTest : public testing::Test {
 protected:
  test::Said slip(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
};

/// One motion from rest, which rolls: mu0 = 0.0961 < 0.2.
constexpr const char* rolling_ball = R"([study]
name = "modes"
question = "Does it roll?"
[system]
name = "two_point_ball"
slope = 0.3
half_angle = 0.7
friction_left = 0.2
friction_right = 0.2
[epsilon]
values = [1e-3]
[time]
end = 0.5
samples = 5
compared = 0.0
[solvers]
moreau_jean = []
[inequality]
draws = 0
[history]
ends_agree = true
[[expect]]
quantity = "modes"
end = "stick,stick"
)";

TEST_F(FrictionVerbTest, ModesAreJudged) {
  const std::string file = place.write("modes.toml", rolling_ball);
  const test::Said said = slip({file});
  EXPECT_EQ(said.status, 0) << said.err;
  // The rigid and one compliant motion, and no error.
  const auto modes = test::csv_fields(test::text_of(place.path("results/modes/modes.csv")));
  ASSERT_EQ(modes.size(), 3u);
  for (const char* column : {"modes", "modes_at_end"}) {
    const auto at = std::ranges::find(modes[0], column) - modes[0].begin();
    EXPECT_EQ(modes[1][static_cast<std::size_t>(at)], "stick,stick");
    EXPECT_EQ(modes[2][static_cast<std::size_t>(at)], "stick,stick");
  }
  EXPECT_EQ(test::csv_fields(test::text_of(place.path("results/modes/errors.csv"))).size(), 1u);
  EXPECT_THAT(test::text_of(place.path("results/modes/result.json")), HasSubstr("\"held\": true"));

  // Other modes are status 1; an order has no errors to judge.
  const auto with = [&](const std::string& expectation) {
    return slip({file, "--quiet", "--set", "expect=[{" + expectation + "}]"});
  };
  EXPECT_EQ(with("quantity=\"modes\", end=\"slip,slip\"").status, 1);
  EXPECT_EQ(with("quantity=\"modes\", rigid=\"slip,slip > stick,stick\"").status, 1);
  const test::Said order = with("quantity=\"q\", order=2.0");
  EXPECT_EQ(order.status, 2);
  EXPECT_THAT(order.err, HasSubstr("compared"));
  const test::Said wrong = with("quantity=\"modes\", end=\"stick\"");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("left"), HasSubstr("right")));
}

TEST_F(FrictionVerbTest, AnotherClaimSolvesNothingAndAnotherMassSolvesAll) {
  const std::string file = place.write("study.toml", test::sample_friction_text);
  const std::string store = place.path("results/sample/results.db");
  // Rigid on two grids, time stepping with two steps, four ε with two tolerances each.
  constexpr long all_solves = 12;
  const auto computed = [&] {
    return test::stored_number(store, "SELECT computed FROM runs ORDER BY id DESC LIMIT 1");
  };
  ASSERT_EQ(slip({file}).status, 0);
  EXPECT_EQ(computed(), all_solves);
  EXPECT_THAT(slip({file, "--dry-run", "--set", "solvers.rtol=1e-9"}).out, HasSubstr("4 of"));
  // Another claim, broken: it needs no solve.
  EXPECT_EQ(slip({file, "--set", "history.modes_at_end=\"slip\""}).status, 1);
  EXPECT_EQ(computed(), 0);
  EXPECT_EQ(slip({file, "--set", "system.mass=1.5"}).status, 0);
  EXPECT_EQ(computed(), all_solves);
}

TEST_F(FrictionVerbTest, DescribeNamesTheContactsAndLinearisesNoSystemThatSlips) {
  EXPECT_THAT(test::rigidlimit({"describe", "wheel_and_curb"}, place.path()).out,
              HasSubstr("wall"));
  EXPECT_EQ(test::rigidlimit({"describe", "wheel_and_curb", "--linearise"}, place.path()).status,
            2);
}

}  // namespace
}  // namespace rigidlimit
