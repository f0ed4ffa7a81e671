// Tests the check of the nesting depth of a text before the recursive parser runs.
#include "rigidlimit/toml/depth.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t k = 0; k < times; ++k) text += part;
  return text;
}

/// The smallest limit that accepts the text.
std::size_t depth_of(const std::string& text) {
  for (std::size_t most = 0;; ++most)
    if (!place_beyond_depth(text, most)) return most;
}

TEST(Depth, CountsEnclosingKeysAndBrackets) {
  EXPECT_EQ(depth_of("# a.b.c.d\n"), 0u);
  EXPECT_EQ(depth_of("a = 1\n"), 1u);
  EXPECT_EQ(depth_of("a.b.c = 1\n"), 3u);
  EXPECT_EQ(depth_of("[a.b]\n"), 2u);
  EXPECT_EQ(depth_of("[[a.b]]\nc = 1\n"), 3u);
  EXPECT_EQ(depth_of("[a.b]\nc.d = [[1, 2]]\n"), 6u);
  EXPECT_EQ(depth_of("[a]\nb = {c.d = {e = 1}, f = 2}\n"), 7u) << "a, b, {, c, d, {, e";
  EXPECT_EQ(depth_of("a = [\n  [1],\n  [2],\n]\nb = 1\n"), 3u) << "a list over several lines";
}

TEST(Depth, IgnoresSiblings) {
  EXPECT_EQ(depth_of(repeated("a.b = 1\n", 1000)), 2u);
  EXPECT_EQ(depth_of(repeated("[a.b]\n", 1000)), 2u);
  EXPECT_EQ(depth_of("a = [" + repeated("[1], ", 1000) + "]\n"), 3u);
  EXPECT_EQ(depth_of("a = [" + repeated("{b.c = 1}, ", 1000) + "]\n"), 5u);
  EXPECT_EQ(depth_of("[a.b.c.d]\n[e]\nf = 1\n"), 4u) << "a header ends the one before";
}

TEST(Depth, IgnoresStringsAndComments) {
  EXPECT_EQ(depth_of("a = \"[[[[ x.y.z = \\\" [[[[\"\n"), 1u);
  EXPECT_EQ(depth_of("a = '[[[[ \\'\nb.c = 1\n"), 2u) << "a literal has no escapes";
  EXPECT_EQ(depth_of("a = \"\"\"\n[[[[ \"\" \\\"\"\" [[[[\n\"\"\"\"\"\nb.c = 1\n"), 2u);
  EXPECT_EQ(depth_of("a = '''\n[[[['''\nb.c = 1 # [[[[\nd = 1"), 2u);
  EXPECT_EQ(depth_of("\"a.b.c\".'d.e.f' = 1\n"), 2u) << "quoted parts of a key";
  // The text after a string counts.
  EXPECT_EQ(depth_of("a = [\"]\", [[[1]]]]\n"), 5u);
  EXPECT_EQ(depth_of("\"a\".b.\"c\".d = 1\n"), 4u);
}

TEST(Depth, ErrorHasLineAndColumn) {
  const auto found = place_beyond_depth("# ü.\nab = 1\n é = [[[1]]]\n", 3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 3u);
  EXPECT_EQ(found->column, 8u) << "in characters, not bytes: é has two";
}

TEST(Depth, CheckOfAMillionLevelsNeedsNoStack) {
  for (const std::string part : {"a.", "[", "{a=", "a={", "[[", "\"a\"."}) {
    const auto found = place_beyond_depth("x = 1\ny." + repeated(part, 1'000'000), 100);
    ASSERT_TRUE(found) << part;
    EXPECT_EQ(found->line, 2u);
    EXPECT_LT(found->column, 600u) << part;
  }
}

/// Texts of 200 000 levels, which once overflowed the stack in their destructor.
std::vector<std::string> deep_texts() {
  const std::string parts = repeated("a.", 200'000) + "a";
  return {"[" + parts + "]\n",
          "[[" + parts + "]]\n",
          parts + " = 1\n",
          "[x]\n" + parts + " = 1\n",
          "x = {" + parts + " = 1}\n",
          "x = " + repeated("[", 200'000) + repeated("]", 200'000) + "\n",
          "x = " + repeated("{a=", 200'000) + "1" + repeated("}", 200'000) + "\n",
          "x = " + repeated("{a.a.a=[", 50'000) + "1" + repeated("]}", 50'000) + "\n"};
}

std::string complaint_about(const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    TomlDocument::from_text(text, "sample.toml", set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DeepText, IsRefusedWithPlaceAndLimit) {
  for (const std::string& text : deep_texts()) {
    const std::string message = complaint_about("# a comment\n" + text);
    EXPECT_THAT(message, StartsWith("sample.toml:")) << text.substr(0, 20);
    EXPECT_THAT(message, HasSubstr("16 deep"));
    EXPECT_LT(message.size(), 300u);
  }
  EXPECT_THAT(complaint_about("# a comment\n[" + repeated("a.", 200'000) + "a]\n"),
              StartsWith("sample.toml:2:35: "));
}

TEST(DeepOverride, IsRefused) {
  for (const std::string& text : deep_texts())
    EXPECT_THAT(complaint_about("a = 1\n", {text}),
                testing::AllOf(StartsWith("--set "), HasSubstr("16 deep")));
}

TEST(DeepText, IsAcceptedUpToTheLimit) {
  EXPECT_EQ(complaint_about("contact.stiffness = [[2.0]]\nsolvers.cvode_bdf.rtol = 1e-7\n"), "");
}

}  // namespace
}  // namespace rigidlimit
