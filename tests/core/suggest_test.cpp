// Tests suggestions for misspelt words, and the edit distance.
#include "rigidlimit/core/suggest.hpp"

#include <gmock/gmock.h>

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("order", "order"), 0u);
  EXPECT_EQ(edit_distance("", "order"), 5u);
  EXPECT_EQ(edit_distance("odrer", "order"), 1u) << "a swap of neighbours";
  EXPECT_EQ(edit_distance("orders", "order"), 1u);
  EXPECT_EQ(edit_distance("oder", "order"), 1u);
  EXPECT_EQ(edit_distance("ordef", "order"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  // Optimal string alignment edits no part twice: ca -> ac -> abc is 2 steps, but counts 3.
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);
}

TEST(EditDistance, IsSymmetricAndObeysItsBounds) {
  const std::vector<std::string> words{
      "", "q", "order", "odrer", "stiffness", "stifness", "knife_edge", "Λ", "damping_ratio"};
  for (const std::string& a : words)
    for (const std::string& b : words) {
      const std::size_t d = edit_distance(a, b);
      EXPECT_EQ(d, edit_distance(b, a)) << a << ", " << b;
      EXPECT_EQ(d == 0, a == b);
      EXPECT_LE(d, std::max(a.size(), b.size()));
      EXPECT_GE(d, std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
    }
}

TEST(Suggestion, NamesTheNearestWordAndAllValidWords) {
  const std::string text = suggestion("stifness", {"damping", "stiffness"});
  EXPECT_THAT(text, HasSubstr("'stiffness'"));
  EXPECT_THAT(text, HasSubstr("damping, stiffness"));
}

TEST(Suggestion, SuggestsNoDistantWord) {
  const std::string text = suggestion("weather", {"damping", "stiffness"});
  EXPECT_THAT(text, Not(HasSubstr("'stiffness'")));
  EXPECT_THAT(text, HasSubstr("damping, stiffness"));
  // A third of the letters may be wrong: 3 of 9, not 4.
  EXPECT_THAT(suggestion("stxxxness", {"stiffness"}), HasSubstr("'stiffness'"));
  EXPECT_THAT(suggestion("sxxxxness", {"stiffness"}), Not(HasSubstr("'stiffness'")));
}

TEST(Suggestion, IgnoresTheCase) {
  EXPECT_THAT(suggestion("STIFFNESS", {"damping", "stiffness"}), HasSubstr("'stiffness'"));
}

TEST(Suggestion, OfManyWordsShowsTheSimilarOnes) {
  std::vector<std::string> many{"radau_iia", "radau_iia_3", "radau_iia_7", "rosenbrock4"};
  for (char c = 'a'; c <= 'z'; ++c) {
    many.push_back("name_" + std::string(8, c));
    many.push_back("other_" + std::string(8, c));
  }
  const std::string text = suggestion("radau_ia", many, "rigidlimit list");
  EXPECT_THAT(text, HasSubstr("'radau_iia'"));
  EXPECT_THAT(text, HasSubstr("radau_iia_3"));
  EXPECT_THAT(text, testing::AllOf(HasSubstr("56 "), HasSubstr("'rigidlimit list'")));
  EXPECT_THAT(text, Not(HasSubstr("name_")));
  EXPECT_LT(text.size(), 200u);
  EXPECT_EQ(suggestion("weather", many), ". 56 are known");
  EXPECT_THAT(suggestion("radau", many), HasSubstr("radau_iia, radau_iia_3,"))
      << "the beginning of a name";
}

TEST(Suggestion, IsEmptyWithoutValidWords) {
  EXPECT_EQ(suggestion("word", {}), "");
}

TEST(Suggestion, AllowsAThirdOfTheLettersToBeWrong) {
  EXPECT_TRUE(is_misspelling("ordre", "order"));
  EXPECT_TRUE(is_misspelling("v", "q")) << "one letter is always forgiven";
  EXPECT_FALSE(is_misspelling("within", "order"));
}

}  // namespace
}  // namespace rigidlimit
