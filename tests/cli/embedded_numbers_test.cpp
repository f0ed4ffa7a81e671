// Tests that the numbers in docs/verdicts.md and docs/help.md are those of the program.
#include <gmock/gmock.h>

#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/help/help_texts.hpp"
#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {
namespace {

/// Both pages, with single spaces between words.
const std::string& text_of_pages() {
  static const std::string text = [] {
    std::istringstream words(std::string(verdicts_page) + " " + help_page);
    std::string joined;
    for (std::string word; words >> word;) joined += word + " ";
    return joined;
  }();
  return text;
}

/// In `form`, # stands for a number. The pages must contain the form `count` times, each time with
/// the number `value`.
void expect_number(const std::string& form, double value, std::size_t count) {
  const std::regex pattern(std::regex_replace(form, std::regex("#"), "([0-9][0-9.e+-]*)"));
  std::vector<double> numbers;
  for (std::sregex_iterator at(text_of_pages().begin(), text_of_pages().end(), pattern), end;
       at != end; ++at)
    numbers.push_back(std::stod((*at)[1]));
  EXPECT_THAT(numbers, testing::AllOf(testing::SizeIs(count), testing::Each(value))) << form;
}

TEST(NumbersInPages, OfEvidenceAndFits) {
  expect_number("# times (?:each|the|its|above)", evidence_factor, 11);
  expect_number("# times that of the reference", reference_factor, 1);
  expect_number("(?:at least|[Ff]ewer than) #,? (?:or|rows)", FitOptions{}.min_points, 4);
  EXPECT_EQ(FitOptions{}.max_spread, Expectation{}.within);
}

TEST(NumbersInPages, OfExpectations) {
  EXPECT_EQ(ExpectationSpec{}.within, Expectation{}.within);
  expect_number("`within`, default #\\)", ExpectationSpec{}.within, 1);
  expect_number("within = # . the default", ExpectationSpec{}.within, 1);
  EXPECT_EQ(ExpectationSpec{}.ratio_within, RatioTarget{}.within);
  expect_number("`ratio_within` \\(default #\\)", ExpectationSpec{}.ratio_within, 1);
}

TEST(NumbersInPages, OfSolvers) {
  EXPECT_EQ(SolverSpec{}.tighten, FrictionSolvers{}.tighten);
  expect_number("`solvers.tighten`, default #\\)", SolverSpec{}.tighten, 1);
  expect_number("tolerances # times as large", SolverSpec{}.tighten, 1);
  expect_number("over 1 - #\\. ", SolverSpec{}.tighten, 1);
  EXPECT_EQ(SolverSpec{}.max_steps, FrictionSolvers{}.max_steps);
  expect_number("`solvers.max_steps`, # by default", SolverSpec{}.max_steps, 1);
}

TEST(NumbersInPages, OfBenchmarks) {
  expect_number("next larger one\\| < #,", plateau_order, 1);
  expect_number("Steps h ≥ # ε do not resolve", stiff_from, 1);
  expect_number("steps h ≤ # ε do\\.", resolved_to, 1);
}

TEST(NumbersInPages, OfLongTables) {
  expect_number("more than # rows", longest_table, 1);
  expect_number("has # of them", shortened_table, 1);
}

TEST(NumbersInPages, OfExitStatuses) {
  expect_number("\\* #: every expectation and bound held", exit_status::held, 1);
  expect_number("\\* #: an expectation or a bound did not", exit_status::not_held, 1);
  expect_number("\\* #: the command could not run", exit_status::could_not, 1);
  expect_number("\\* #: interrupted", exit_status::interrupted, 1);
  expect_number("No claim failed, [a-z ]+\\. The exit status is #\\. ", exit_status::held, 1);
  expect_number("claim failed, or [a-z ]+\\. The exit status is #\\. ", exit_status::not_held, 1);
  expect_number("exit status of `run` is #;", exit_status::held, 1);
  expect_number("Nothing is judged, and the exit status is #\\. ", exit_status::interrupted, 1);
}

}  // namespace
}  // namespace rigidlimit
