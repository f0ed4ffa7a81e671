// Tests that `rigidlimit explain` knows every verdict and status that a table can print.
#include <gmock/gmock.h>

#include "rigidlimit/cli/explanations.hpp"
#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"
#include "support/process.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// The names of all enumerators: name_of() has none for the number after the last.
template <class Enum>
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (int i = 0;; ++i) {
    const std::string name = name_of(static_cast<Enum>(i));
    if (name == "?" || name == "unknown") return names;
    names.push_back(name);
  }
}

void expect_explained(const std::vector<std::string>& names, std::size_t at_least) {
  EXPECT_GE(names.size(), at_least);
  for (const std::string& name : names) EXPECT_NE(find_explanation(name), nullptr) << name;
}

TEST(Explanations, CoverEveryVerdictOutcomeAndStatus) {
  expect_explained(all_names<Verdict>(), 7);
  expect_explained(all_names<Outcome>(), 11);
  expect_explained(all_names<TrialStatus>(), 4);
  // all_names() would stop at the state "unknown".
  for (int i = 0; i <= static_cast<int>(BoundState::broken); ++i)
    EXPECT_NE(find_explanation(name_of(static_cast<BoundState>(i))), nullptr) << i;
}

TEST(Explanations, CoverEveryStatusOfRowsAndStudies) {
  std::vector<std::string> words{"ok",
                                 "equal",
                                 "solver_limited",
                                 "reference_limited",
                                 "sampling_limited",
                                 "held",
                                 "not held",
                                 "nothing expected",
                                 "does not converge, as expected",
                                 "interrupted",
                                 "not judged",
                                 "exact, as expected",
                                 "failed: no composite",
                                 "refused"};
  for (const std::string& outcome : all_names<Outcome>())
    for (const char* side : {"failed: ", "failed: rigid "}) words.push_back(side + outcome);
  expect_explained(words, 14);
}

TEST(Explanations, AreMissingForOtherWords) {
  for (const char* word : {"", "fine", "failed: ", "failed: by magic", "Confirmed"})
    EXPECT_EQ(find_explanation(word), nullptr) << word;
}

TEST(Explanations, StateTheNumbersOfTheProgram) {
  EXPECT_THAT(find_explanation("solver_limited")->decided, HasSubstr("10 x"));
  EXPECT_THAT(find_explanation("max_steps")->decided, HasSubstr("2000000"));
}

TEST(ExplainVerb, ExplainsAWord) {
  const test::Said said = test::rigidlimit({"explain", "pre-asymptotic"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, testing::AllOf(testing::StartsWith("pre-asymptotic (verdict"),
                                       HasSubstr("  rigidlimit run")));
}

TEST(ExplainVerb, ListsEveryWordWithoutAName) {
  const test::Said said = test::rigidlimit({"explain"});
  EXPECT_EQ(said.status, 0);
  for (const Explanation& e : explanations()) EXPECT_THAT(said.out, HasSubstr("  " + e.name));
}

TEST(ExplainVerb, SuggestsAWordWithStatus2) {
  const test::Said said = test::rigidlimit({"explain", "confirmd"});
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, HasSubstr("'confirmed'"));
}

}  // namespace
}  // namespace rigidlimit
