// Tests that accepted names of directories, columns and captions need no quotes anywhere.
#include "rigidlimit/experiment/spec/read_name.hpp"

#include <gmock/gmock.h>

#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

std::string complaint_about_name(const std::string& name) {
  return test::complaint_about("[study]\nname = " + name + "\n[system]\nname = \"knife_edge\"\n" +
                               "[epsilon]\nvalues = [1e-2]\n[time]\nend = 1.0\n");
}

TEST(DirectoryName, AcceptsLettersDigitsAndInnerMarks) {
  for (const char* name : {"a", "7", "_x", "knife_edge-2.1", "a..b"})
    EXPECT_EQ(complaint_about_name('"' + std::string(name) + '"'), "") << name;
}

TEST(DirectoryName, RefusesUnsafeNames) {
  // These are TOML values.
  for (const char* name : {R"~("")~",
                           R"~("..")~",
                           R"~("../../etc")~",
                           R"~("a/b")~",
                           R"~("/tmp/x")~",
                           R"~(".hidden")~",
                           R"~("-rf")~",
                           R"~("--help")~",
                           R"~("$(touch x)")~",
                           R"~("`touch x`")~",
                           R"~("a;b")~",
                           R"~("a b")~",
                           R"~("a\nb")~",
                           R"~("a\u0000b")~",
                           R"~("a\u001b[31m")~",
                           R"~("a\u202eb")~",
                           R"~("é")~",
                           R"~("a\\b")~",
                           R"~("C:x")~",
                           R"~("'; DROP TABLE study; --")~",
                           R"~("</script><img onerror=x>")~",
                           R"~("\\input{x}")~",
                           R"~("*")~",
                           R"~("~x")~",
                           "7",
                           "['a']"})
    EXPECT_THAT(complaint_about_name(name), HasSubstr("study.name = ")) << name;
}

TEST(DirectoryName, FitsIntoEveryFileSystem) {
  const auto named = [](std::size_t length) {
    return complaint_about_name('"' + std::string(length, 'x') + '"');
  };
  EXPECT_EQ(named(200), "");
  EXPECT_THAT(named(201), testing::AllOf(HasSubstr("200 characters"), HasSubstr("201")));
  EXPECT_LT(named(100'000).size(), 300U) << "the message does not repeat it";
}

TEST(Label, NeedsNoQuotesInCsvAndNoEscapesInMarkdownOrXml) {
  for (const char* name : {"knife_edge", "Kaps (eps = 1e-3)"}) EXPECT_EQ(fault_in_label(name), "");
  for (const char* name : {"", " a", "a ", "a|b", "<b>", "a&b", "a\"b", "a\nb", "a/b", "\u202e", "@x",
                           "van der Pol, 2"})
    EXPECT_NE(fault_in_label(name), "") << name;
  EXPECT_EQ(fault_in_label(std::string(80, 'x')), "");
  EXPECT_NE(fault_in_label(std::string(81, 'x')), "");
}

}  // namespace
}  // namespace rigidlimit
