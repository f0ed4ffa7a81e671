// Tests that text from a file reaches the terminal without control characters.
#include "rigidlimit/core/printable.hpp"

#include <gmock/gmock.h>

#include <string>

namespace rigidlimit {
namespace {

TEST(Printable, KeepsReadableText) {
  for (const char* text : {"", "plain, 1.5e-3", "ε λ ‖ größer", "Контакт", "滚动", "🛞",
                           "a\u00a0b", "שלום", "e\u0301"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ReplacesEveryControlCharacterByABlank) {
  for (char32_t c = 0; c < 0x20; ++c)
    EXPECT_EQ(printable(std::string(1, static_cast<char>(c))), " ") << static_cast<int>(c);
  EXPECT_EQ(printable("a\x7f"
                      "b"),
            "a b");
  // U+009B equals ESC [ on some terminals.
  EXPECT_EQ(printable("\u009b31m"), " 31m");
  EXPECT_EQ(printable("\u0080\u009f"), "  ");
  EXPECT_EQ(printable("one\u2028two\u2029three"), "one two three");
}

TEST(Printable, ReplacesBidirectionalMarks) {
  // NOLINTBEGIN(misc-misleading-bidirectional): the test needs such marks.
  EXPECT_EQ(printable("gpj.\u202eexe"), "gpj.\ufffdexe");
  for (const char* mark : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202d", "\u2066", "\u2069"})
    EXPECT_EQ(printable(mark), "\ufffd");
  // NOLINTEND(misc-misleading-bidirectional)
}

TEST(Printable, IsValidUtf8ForAllBytes) {
  // Each row of RFC 3629, sections 3 and 4: stray, truncated, overlong, surrogate, too large.
  EXPECT_EQ(printable("\x80"), "\ufffd");
  EXPECT_EQ(printable("\xc3"), "\ufffd");
  EXPECT_EQ(printable("\xe2\x82"), "\ufffd\ufffd");
  EXPECT_EQ(printable("\xc0\xaf"), "\ufffd\ufffd");
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");
  EXPECT_EQ(printable("\xff"
                      "a"),
            "\ufffd"
            "a")
      << "what follows is read again from its start";
  // A second call changes nothing.
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string two{static_cast<char>(first), static_cast<char>(second)};
      EXPECT_EQ(printable(printable(two)), printable(two)) << first << " " << second;
    }
}

TEST(Shortened, IsNotLongerAndCutsNoCharacter) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc …");
  EXPECT_EQ(shortened("aεεε", 4), "aε …") << "the fourth byte is half a character";
  EXPECT_EQ(printable(shortened("εεεε", 5)), "εε …");
}

TEST(WithEscapes, NamesTheCharactersThatPrintableReplaces) {
  EXPECT_EQ(with_escapes("a\x1b\u009b\u2028\u202e\x7f\xff"),
            "a\\u001b\\u009b\\u2028\\u202e\\u007f\\ufffd");
  EXPECT_EQ(with_escapes("\u03b5 \u4e2d \n{}"), "\u03b5 \u4e2d \n{}");
  EXPECT_EQ(with_escapes(std::string_view("\0", 1)), "\\u0000");
}

}  // namespace
}  // namespace rigidlimit
