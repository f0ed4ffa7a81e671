// Tests names of outcomes, the pessimistic default of a solution, and the text of an InputError.
#include "rigidlimit/core/solution.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

/// The enumerators of Outcome, in order, as the header spells them.
std::vector<std::string> spelled_outcomes() {
  std::ifstream file(test::in_repository("src/rigidlimit/core/solution.hpp"));
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find("enum class Outcome {");
  const std::string body = all.substr(begin, all.find("};", begin) - begin);
  std::vector<std::string> names;
  const std::regex enumerator(R"(\n\s*([a-z_]+)\s*,?\s*///<)");
  for (std::sregex_iterator it(body.begin(), body.end(), enumerator), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

// Every enumerator of the header has its own name, which leads back to it. The value after the last
// has none. Negative control: a word of a later version.
TEST(Outcome, NameIsTheEnumeratorForEveryEnumerator) {
  const std::vector<std::string> spelled = spelled_outcomes();
  ASSERT_GE(spelled.size(), 11u);
  ASSERT_EQ(spelled.back(), name_of(Outcome::solver_error));
  ASSERT_EQ(all_outcomes().size(), spelled.size());
  for (std::size_t i = 0; i < spelled.size(); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(all_outcomes()[i], outcome);
    EXPECT_EQ(name_of(outcome), spelled[i]) << i;
    EXPECT_EQ(outcome_named(spelled[i]), outcome) << i;
  }
  EXPECT_STREQ(name_of(static_cast<Outcome>(spelled.size())), "unknown");
  EXPECT_EQ(outcome_named("of_a_later_version"), Outcome::solver_error);
  EXPECT_EQ(std::set<std::string>(spelled.begin(), spelled.end()).size(), spelled.size());
}

TEST(Solution, StartsPessimisticAndEmpty) {
  const Solution fresh;
  EXPECT_EQ(fresh.outcome, Outcome::not_run);
  EXPECT_EQ(fresh.states.size() + fresh.rates.size(), 0);
  EXPECT_EQ(fresh.work.steps + fresh.work.rhs_evaluations, 0);
}

TEST(InputError, GivesPlaceAndProblem) {
  const InputError placed("mass must be > 0, not -1", "study.toml:3:8");
  EXPECT_STREQ(placed.what(), "study.toml:3:8: mass must be > 0, not -1");
  EXPECT_EQ(placed.where(), "study.toml:3:8");
  EXPECT_EQ(placed.message(), "mass must be > 0, not -1");
  EXPECT_STREQ(InputError("no place").what(), "no place");
}

TEST(InputError, KeepsTheMessageOfAPlaceWithANul) {
  const InputError placed("mass must be > 0", std::string("a\0b.toml:1", 10));
  EXPECT_STREQ(placed.what(), "a");  // a text of C ends there
  EXPECT_EQ(placed.message(), "mass must be > 0");
  EXPECT_EQ(placed.where().size(), 10U);
}

}  // namespace
}  // namespace rigidlimit
