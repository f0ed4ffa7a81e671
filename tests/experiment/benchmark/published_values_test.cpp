// Tests the table of published values beside the reference of a benchmark.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_tables.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {
namespace {

/// x(0.1) = 0.6 e^(−0.07) = 0.559436291943568937…, y(0.1) = 0.1^2/2, with one published value of x.
std::string decay_with(const std::string& published, const std::string& decimals = "k = 0.7") {
  return fmt::format(R"toml(
[problem]
name = "own_decay"
unknowns = [{{name = "x", start = 0.6, atol = 1e-8}}, {{name = "y", start = 0, atol = 1e-8}}]
rate = ["-k*x", "t"]
end = "0.1*ends"
[problem.parameters]
ends = {{default = 1, above = 0}}
[{}]
{}
[[problem.published]]
source = "a hand calculation"
values = ["{}", "-"]
)toml",
                     decimals.empty() ? "problem.let" : "problem.coefficients",
                     decimals.empty() ? "k = \"0.7\"" : decimals, published);
}

ClassicalSet problem_with(const std::string& text) {
  ClassicalSet set{.name = "decay"};
  set.entry = problem_in(TomlDocument::from_text(text, "own.toml").root());
  set.parameters = set.entry->default_values();
  return set;
}

/// The table "published" of a benchmark of one problem.
Table published_of_run(const ClassicalSet& set) {
  Benchmark benchmark{.name = "one"};
  benchmark.methods = {find_ode_method("radau_iia")};
  benchmark.repeats = 0;
  benchmark.problems = {set};
  const Result result = in_tables(run_benchmark(benchmark, RunOptions{}));
  for (const Table& table : result.tables)
    if (table.name() == "published") return table;
  ADD_FAILURE() << "there is no such table";
  return {};
}

// 0.55943629 is off by 1.9e-9, and half a unit of its last digit is 5e-9.
TEST(PublishedValue, AgreesWithinTheRoundingOfItsLastDigit) {
  const Table rows = published_of_run(problem_with(decay_with("0.55943629")));
  ASSERT_EQ(rows.size(), 1U) << "y has no published value";
  EXPECT_EQ(rows.text(0, "problem"), "decay");
  EXPECT_EQ(rows.text(0, "source"), "a hand calculation");
  EXPECT_EQ(rows.text(0, "unknown"), "x");
  EXPECT_EQ(rows.text(0, "printed"), "0.55943629");
  EXPECT_DOUBLE_EQ(rows.number(0, "half_unit"), 5e-9);
  EXPECT_DOUBLE_EQ(rows.number(0, "reference"), 0.6 * std::exp(-0.07));
  EXPECT_NEAR(rows.number(0, "difference"), 1.943569e-9, 1e-15);
  EXPECT_LT(rows.number(0, "bar"), 1e-15);
  EXPECT_EQ(rows.text(0, "verdict"), "agrees");
  EXPECT_EQ(rows.number(0, "digits"), 8.0);
}

// The negative control: one unit of the last digit more is off by 8.1e-9.
TEST(PublishedValue, DiffersByAWrongLastDigit) {
  const Table rows = published_of_run(problem_with(decay_with("0.55943630")));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NEAR(rows.number(0, "difference"), -8.056431e-9, 1e-15);
  EXPECT_EQ(rows.text(0, "verdict"), "differs");
  EXPECT_NEAR(rows.number(0, "digits"), -std::log10(8.056431e-9 / 0.55943630), 1e-5);
}

// E5 ends with 1e-291, below the absolute tolerance of every solve.
TEST(PublishedValue, IsUnresolvedByAnErrorBarOfItsSize) {
  PublishedValue value{.printed = {"0.115e-290"}, .bar = 6e-142, .difference = 5e-142};
  EXPECT_STREQ(value.verdict(), "unresolved");
  EXPECT_TRUE(std::isnan(value.digits()));
  value.bar = 1e-300;
  EXPECT_STREQ(value.verdict(), "differs") << "negative control";
  EXPECT_STREQ(PublishedValue{.printed = {"0.115"}}.verdict(), "unresolved") << "no reference";
}

// The doubles nearest to 0.6, 0.7 and 0.1 move x by 2e-17.
TEST(PublishedValue, BelongsToTheDecimalsOfItsSource) {
  const Table decimals = published_of_run(problem_with(decay_with("0.5594362919435689373")));
  EXPECT_EQ(decimals.text(0, "verdict"), "agrees");
  EXPECT_LT(std::abs(decimals.number(0, "difference")), 1e-19);
  const Table doubles = published_of_run(problem_with(decay_with("0.5594362919435689373", "")));
  EXPECT_EQ(doubles.text(0, "verdict"), "differs");
}

TEST(PublishedValue, HasNoRowAtAnotherEndOrForOtherParameters) {
  ClassicalSet set = problem_with(decay_with("0.55943629"));
  set.end = 0.1;
  EXPECT_EQ(published_of_run(set).size(), 1U) << "negative control: the end of the problem";
  set.end = 0.2;
  EXPECT_EQ(published_of_run(set).size(), 0U);
  set.end = 0.0;
  set.parameters = {2.0};
  EXPECT_EQ(published_of_run(set).size(), 0U);
}

// A reference of solves in double has doubles in place of the printed decimals.
TEST(PublishedValue, OfDecimalsNeedsAReferenceIn113Bits) {
  ClassicalSet set = problem_with(decay_with("0.55943629"));
  set.in_quad = false;
  EXPECT_EQ(published_of_run(set).size(), 0U);
  set = problem_with(decay_with("0.55943629", ""));
  set.in_quad = false;
  EXPECT_EQ(published_of_run(set).text(0, "verdict"), "agrees");
}

}  // namespace
}  // namespace rigidlimit
