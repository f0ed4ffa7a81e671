// Tests the tables of measured over predicted coefficients, and their CSV, JSON and JUnit.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rigidlimit/experiment/experiment.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// q with the true constant (held), v with one 2 % off (broken).
const RollingResult& result() {
  static const RollingResult one = run_rolling_study(test::sample_study(
      {"solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], rtol=1e-12, atol=1e-14}",
       "expect=[{quantity=\"q\", order=2.0, ratio=1.0, ratio_within=2e-3}, {quantity=\"v\", "
       "ratio=1.05, ratio_within=2e-3}]"}));
  return one;
}

TEST(RatioTable, HasCoefficientAndRatioOfEachQuantity) {
  const TextTable table = test::view_of(in_tables(result()), "ratios-sup-all");
  EXPECT_THAT(table.headers,
              testing::ElementsAre("ε", "q: K ε^2", "measured/predicted", "v: K ε",
                                   "measured/predicted", "λ: K", "measured/predicted"));
  ASSERT_EQ(table.rows.size(), 5u);
}

TEST(RatioVerdicts, DistinguishBrokenAndHeld) {
  const TextTable table = test::view_of(in_tables(result()), "coefficients");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][table.keys].text, "confirmed");
  EXPECT_EQ(table.rows[1][table.keys].text, "refuted");
  const std::string line = in_tables(result()).verdict;
  EXPECT_THAT(line, HasSubstr("2 of 3"));
  EXPECT_THAT(line, HasSubstr("measured/predicted of v (sup, all t)"));
  EXPECT_TRUE(test::view_of(in_tables(test::sample_result()), "coefficients").rows.empty())
      << "nothing expected";
}

TEST(RatioRows, AreInJsonCsvAndJunit) {
  const auto json = nlohmann::json::parse(test::json_text({result()}));
  EXPECT_TRUE(json.at("series").at(0).at("ratio").at("held").get<bool>());
  EXPECT_EQ(json.at("errors").at(4).at("predicted_coefficient").is_number(), true);
  EXPECT_THAT(test::csv_header(), HasSubstr(",predicted_coefficient,ratio,ratio_error,"));
  const std::string junit = test::junit_text({result()}, {});
  EXPECT_THAT(junit, HasSubstr("name=\"measured/predicted of q (sup, all t)"));
  EXPECT_THAT(junit, HasSubstr("<failure type=\"refuted\""));
  EXPECT_THAT(test::terminal_report(result(), false), HasSubstr("\nCoefficients"));
}

}  // namespace
}  // namespace rigidlimit
