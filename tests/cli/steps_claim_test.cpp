// Tests claims on steps in the program: exit status, tables, JSON, CSV, JUnit and sweeps.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// docs/theory.md, section 11: in adapted variables the steps grow by one to three a decade, or by
// 4 with the initial layer (54 and 62 at these two ε).
class StepsClaimTest : public testing::Test {
 protected:
  test::Said rigidlimit(std::vector<std::string> arguments,
                        const std::vector<std::string>& more = {}) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::rigidlimit(arguments, place.path(), {});
  }
  nlohmann::json json(const std::string& name) {
    return nlohmann::json::parse(test::text_of(place.path(name)));
  }
  const std::string text = test::sample_text +
                           "max_steps = 5000\ncompliant = [\"radau_iia_7\"]\n[[expect]]\n"
                           "quantity = \"steps\"\ngrowth_at_most = 5.0\n";
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", text);
  const std::vector<std::string> at_end{
      "--set", "time.grid=\"end\"",  "--set", "epsilon={values=[1e-2, 1e-4]}",
      "--set", "solvers.rtol=1e-12", "--set", "solvers.atol=1e-14"};
  const std::vector<std::string> natural{"--set", "solvers.formulation=\"natural\""};

  std::vector<std::string> with(std::vector<std::string> first,
                                const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
};

TEST_F(StepsClaimTest, SetsTheExitStatusAndTheTables) {
  const test::Said held = rigidlimit({"run", good}, at_end);
  EXPECT_EQ(held.status, 0) << held.out << held.err;
  EXPECT_THAT(held.out, AllOf(HasSubstr("adapted"), HasSubstr("1 of 1 expectations")));
  const auto found = json("results/sample/result.json");
  ASSERT_EQ(found["steps"].size(), 2u);
  const auto &first = found["steps"][0], &second = found["steps"][1];
  EXPECT_EQ(first["epsilon"], 1e-2);
  EXPECT_TRUE(first["growth"].is_null());
  const double growth =
      (second["work"]["steps"].get<double>() - first["work"]["steps"].get<double>()) / 2.0;
  EXPECT_NEAR(second["growth"].get<double>(), growth, 1e-12) << "two decades";
  EXPECT_EQ(found["growth"].size(), 1u);
  EXPECT_EQ(found["growth"][0]["growth"], second["growth"]);
  EXPECT_TRUE(found["growth"][0]["held"].get<bool>());
  EXPECT_TRUE(found["errors"].empty()) << "two samples are no error over the interval";

  const auto lines = test::csv_fields(test::text_of(place.path("results/sample/steps.csv")));
  ASSERT_EQ(lines.size(), 3u) << "a header and two solves";
  EXPECT_EQ(test::csv_fields(rigidlimit({"run", good, "--format", "csv"}, at_end).out), lines);
  const auto errors = test::csv_fields(test::text_of(place.path("results/sample/errors.csv")));
  EXPECT_EQ(errors.size(), 1u) << "the columns of errors, without a row";
  EXPECT_THAT(errors[0], Contains("model_error"));
  EXPECT_THAT(lines[0], AllOf(Contains("steps"), Contains("rejected_steps"), Contains("growth")));
}

TEST_F(StepsClaimTest, IsBrokenByFasterGrowthAndByAFailedSolve) {
  const test::Said faster =
      rigidlimit({"check", good, "--junit", "faster.xml"}, with(at_end, natural));
  EXPECT_EQ(faster.status, 1);
  EXPECT_THAT(test::text_of(place.path("faster.xml")),
              AllOf(HasSubstr("failures=\"1\""), HasSubstr("steps_broken")));
  const test::Said failed =
      rigidlimit({"run", good, "--set", "solvers.max_steps=60"}, at_end);  // 62 steps at 1e-4
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.out, AllOf(HasSubstr("max_steps"), HasSubstr("steps_unknown")));
  EXPECT_EQ(json("results/sample/result.json")["growth"][0]["held"], false);
  const test::Said held = rigidlimit({"check", good, "--junit", "held.xml"}, at_end);
  EXPECT_EQ(held.status, 0) << "the negative control";
  EXPECT_THAT(test::text_of(place.path("held.xml")), HasSubstr("failures=\"0\""));
}

TEST_F(StepsClaimTest, WorksWithErrors) {
  const test::Said said = rigidlimit({"run", good});
  EXPECT_TRUE(said.status == 0 || said.status == 1) << said.err;
  EXPECT_FALSE(json("results/sample/result.json")["errors"].empty());
  EXPECT_EQ(json("results/sample/result.json")["steps"].size(), 5u);
  place.write("plain.toml", test::sample_text);
  EXPECT_EQ(rigidlimit({"run", "plain.toml"}).status, 0);
  EXPECT_TRUE(json("results/sample/result.json")["steps"].empty()) << "the negative control";
}

TEST_F(StepsClaimTest, IsExportedAsATable) {
  EXPECT_EQ(rigidlimit({"run", good}, at_end).status, 0);
  const test::Said table = rigidlimit({"export", "results/sample", "--table", "steps"});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("radau_iia_7"), HasSubstr("adapted")));
  const test::Said growth = rigidlimit({"export", "results/sample", "--table", "growth"});
  EXPECT_EQ(growth.status, 0) << growth.err;
  EXPECT_THAT(growth.out, HasSubstr("radau_iia_7"));
}

TEST_F(StepsClaimTest, HoldsAtThePointsOfASweepThatItNames) {
  const std::string claims = "where = {\"solvers.formulation\" = \"adapted\"}\n";
  const std::string sweep = "[sweep]\nsolvers.formulation = [\"natural\", \"adapted\"]\n";
  place.write("sweep.toml", text + claims + sweep);
  const test::Said held = rigidlimit({"run", "sweep.toml"}, at_end);
  EXPECT_EQ(held.status, 0) << held.out << held.err;
  EXPECT_THAT(held.out, AllOf(HasSubstr("natural"), HasSubstr("adapted")));
  const auto found = json("results/sample/result.json");
  EXPECT_EQ(found["steps"].size(), 4u);
  ASSERT_EQ(found["growth"].size(), 1u);
  EXPECT_EQ(found["growth"][0]["swept"]["solvers_formulation"], "adapted");
  place.write("all.toml", text + sweep);
  EXPECT_EQ(rigidlimit({"run", "all.toml"}, at_end).status, 1) << "natural variables break it";
}

TEST_F(StepsClaimTest, OfTheShippedSweepHoldAndCanBreak) {
  const std::string file = test::in_repository("experiments/convergence/knife_edge_steps.toml");
  EXPECT_EQ(rigidlimit({"run", file, "--quiet"}).status, 0);
  const auto found = json("results/knife_edge_steps/result.json");
  EXPECT_EQ(found["growth"].size(), 4u) << "two solvers, two variables";
  // The variables of the claims exchanged: negative control.
  EXPECT_EQ(rigidlimit({"run", file, "--quiet", "--set",
                        "expect=[{quantity=\"steps\", growth_at_most=30.0, epsilon=[9e-5, 2e-2], "
                        "where={\"solvers.formulation\"=\"natural\"}}]"})
                .status,
            1);
}

}  // namespace
}  // namespace rigidlimit
