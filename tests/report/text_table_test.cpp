// Tests text tables: display width, alignment, colours, and Markdown.
#include "rigidlimit/report/text_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/report/html.hpp"
#include "support/csv_fields.hpp"
#include "support/well_formed_xml.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

TextTable sample_table() {
  return {.headers = {"solver", "λ error", "flags"},
          .left_aligned = {true, false, true},
          .rows = {{{"a"}, {"1.5"}, {"ok", Tone::good}},
                   {{"longer ε"}, {"‖−2‖"}, {"p|q", Tone::bad}},
                   {{""}, {"100000000"}, {"", Tone::doubtful}}}};
}

/// The column, in characters, of the end of `word` in `line`; negative if `word` is missing.
long end_of(const std::string& line, const std::string& word) {
  const std::size_t at = line.find(word);
  if (at == std::string::npos) return -1;
  return static_cast<long>(display_width(line.substr(0, at + word.size())));
}
long begin_of(const std::string& line, const std::string& word) {
  return end_of(line, word) - static_cast<long>(display_width(word));
}

/// Twelve columns of 18 characters, of which the first two are keys.
TextTable wide_table() {
  TextTable table{.headers = {}, .left_aligned = {}, .rows = {{}, {}}, .keys = 2};
  for (std::size_t k = 0; k < 12; ++k) {
    table.headers.push_back("column " + std::to_string(k));
    table.left_aligned.push_back(k < 2);
    for (std::size_t row = 0; row < 2; ++row)
      table.rows[row].push_back(
          {k == 1 ? std::string(18, 'k') : std::to_string(100 * row + k) + std::string(15, 'x')});
  }
  return table;
}

// 12 (18 + 2) = 240 characters: two keys and at most four of ten columns fit into 120.
TEST(TextTable, IsSplitIntoPartsWithItsKeys) {
  const std::string text = terminal_text(wide_table(), false);
  const auto lines = test::split(text, '\n');
  EXPECT_EQ(lines.size(), 3u * 4u + 2u) << "three parts, two empty lines between them";
  for (const std::string& line : lines) EXPECT_LE(display_width(line), terminal_width);
  for (std::size_t k = 2; k < 12; ++k) EXPECT_THAT(text, HasSubstr("column " + std::to_string(k)));
  // Negative control: with enough width it is one part.
  EXPECT_EQ(test::split(terminal_text(wide_table(), Screen(false, 240)), '\n').size(), 4u);
}

TEST(TextTable, BreaksLongTextsIntoLinesIfItIsTooWide) {
  TextTable table = sample_table();
  table.rows[0][2].text = "a reason of many words " + std::string(90, 'r') + " and others";
  for (const std::string& line : test::split(terminal_text(table, false), '\n'))
    EXPECT_LE(display_width(line), terminal_width);
}

TEST(TextTable, FitsIntoScreensOfEightyCharactersAndMore) {
  TextTable table = wide_table();
  for (auto& row : table.rows) row[0].text += " and a text of many words that is a key, too";
  for (std::size_t width = 80; width <= terminal_width; ++width)
    for (const std::string& line : test::split(terminal_text(table, Screen(false, width)), '\n'))
      EXPECT_LE(display_width(line), width);
}

TEST(TextTable, GivesKeysOfOneTextToTheCaption) {
  const CaptionedTable table = compacted({"key", "Caption", wide_table()});
  EXPECT_EQ(caption_line(table), "Caption; column 1: " + std::string(18, 'k'));
  EXPECT_EQ(table.table.headers.size(), 11u);
  EXPECT_EQ(table.table.keys, 1u);
  // Negative controls: a table that fits stays, and so does a key with two texts.
  EXPECT_EQ(caption_line(compacted({"key", "Caption", wide_table()}, 240)), "Caption");
  EXPECT_EQ(table.table.headers.front(), "column 0");
}

TEST(DisplayWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("ε"), 1u);
  EXPECT_EQ(display_width("‖λ‖ ± ½"), 7u);
  EXPECT_EQ(display_width("𝛆"), 1u) << "four bytes";
}

TEST(TerminalText, AlignsColumnsByDisplayWidth) {
  const auto lines = test::split(terminal_text(sample_table(), false), '\n');
  ASSERT_EQ(lines.size(), 5u) << "headers, a rule, three rows";
  // Numbers are right-aligned with their header, texts left-aligned.
  const long number_end = end_of(lines[0], "λ error");
  // The widest number has 9 characters, two more than the header.
  EXPECT_EQ(end_of(lines[2], "1.5"), number_end);
  EXPECT_EQ(end_of(lines[3], "‖−2‖"), number_end);
  EXPECT_EQ(end_of(lines[4], "100000000"), number_end);
  EXPECT_EQ(begin_of(lines[2], "a"), begin_of(lines[0], "solver"));
  EXPECT_EQ(begin_of(lines[3], "longer"), begin_of(lines[0], "solver"));
  EXPECT_EQ(begin_of(lines[2], "ok"), begin_of(lines[0], "flags"));
  EXPECT_EQ(begin_of(lines[3], "p|q"), begin_of(lines[0], "flags"));
  for (const std::string& line : lines) EXPECT_FALSE(line.ends_with(' ')) << "'" << line << "'";
}

TEST(TerminalText, HasColoursOnlyIfAsked) {
  const std::string plain = terminal_text(sample_table(), false);
  const std::string coloured = terminal_text(sample_table(), true);
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  EXPECT_THAT(coloured, HasSubstr("\x1b["));
  // Without escape sequences, which end at 'm', the text is plain (up to trailing blanks).
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      stripped += coloured[i];
  }
  const auto a = test::split(stripped, '\n'), b = test::split(plain, '\n');
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_THAT(a[k], testing::StartsWith(b[k]));
}

TEST(TerminalText, WithoutRowsHasHeaderAndRule) {
  TextTable table = sample_table();
  table.rows.clear();
  EXPECT_EQ(test::split(terminal_text(table, false), '\n').size(), 2u);
}

TEST(Toned, KeepsPlainText) {
  EXPECT_EQ(toned("text", Tone::plain, true), "text");
  EXPECT_EQ(toned("text", Tone::bad, false), "text");
  EXPECT_NE(toned("text", Tone::bad, true), toned("text", Tone::good, true));
}

TEST(MarkdownText, HasAPipeAroundEveryCell) {
  const auto lines = test::split(markdown_text(sample_table()), '\n');
  ASSERT_EQ(lines.size(), 5u);
  for (const std::string& line : lines) {
    int pipes = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++pipes;
    EXPECT_EQ(pipes, 4) << line;
  }
  EXPECT_THAT(lines[3], HasSubstr("p\\|q")) << "a pipe in a cell is no border";
  EXPECT_EQ(lines[1], "| --- | ---: | --- |") << "numbers to the right";
}

TEST(HtmlText, AlignsNumbersAndWritesPowersOfTenInThemAlone) {
  TextTable table = sample_table();
  table.rows.push_back({{"1e-03"}, {"-1.5e-03 ± 2e+10"}, {"<a> & 'b'"}});
  table.rows.push_back({{"x"}, {"0.000e+00"}, {"pre-existing"}});
  const std::string html = html_text({"key", "a < b", table}, false);
  EXPECT_EQ(test::WellFormedXml::complaint(html), "");
  EXPECT_THAT(html, HasSubstr("<summary>a &lt; b</summary>"));
  EXPECT_THAT(html,
              HasSubstr("<td class=\"number\">-1.5·10<sup>−3</sup> ± 2·10<sup>10</sup></td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">0.000</td>"));
  EXPECT_THAT(html, HasSubstr("<td>1e-03</td>")) << "a column of texts";
  EXPECT_THAT(html, HasSubstr("<td>&lt;a&gt; &amp; &apos;b&apos;</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"good\">ok</td>"));
}

// A part for a page has at most 110 characters, with 1.3 for the padding of a column.
TEST(HtmlText, SplitsATableWiderThanAPageIntoPartsWithItsKeys) {
  const auto parts = [](const TextTable& table) {
    return test::split(html_text({"key", "Caption", table}, true), '\n');
  };
  const auto count = [&](const TextTable& table, const std::string& text) {
    return std::ranges::count_if(
        parts(table), [&](const std::string& line) { return line.find(text) != line.npos; });
  };
  const TextTable table = wide_table();
  EXPECT_EQ(count(table, "<table>"), 3) << "one key; ten columns of 18 characters";
  EXPECT_EQ(count(table, "<th>column 0</th>"), 3);
  for (std::size_t k = 2; k < 12; ++k) EXPECT_EQ(count(table, fmt::format(">column {}<", k)), 1);
  EXPECT_EQ(count(sample_table(), "<table>"), 1) << "negative control: a narrow table";
}

}  // namespace
}  // namespace rigidlimit
