// A table of texts, laid out for whoever reads it.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit {

/// How a cell should stand out on a terminal that shows colours.
enum class Tone { plain, good, bad, doubtful, faint };

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

struct TextTable {
  std::vector<std::string> headers;
  std::vector<bool> left_aligned;  ///< one a column; numbers are aligned to the right
  std::vector<std::vector<Cell>> rows;
  std::size_t keys = 1;  ///< the columns, from the left, that say what a row is about
  /// The columns before which the table may be broken where it is too wide; none given: any that is
  /// no key.
  std::vector<std::size_t> breaks = {};
};

/// A table of a report.
struct CaptionedTable {
  std::string key;  ///< "orders", "errors-sup-all": its name among the tables of its report
  std::string caption;
  TextTable table;
};

/// Columns padded with blanks; with ANSI colours if `colour`.
std::string terminal_text(const TextTable& table, bool colour);

/// A pipe table (GitHub Markdown); '|' in cells is escaped, and so is a '<' that could open a tag.
std::string markdown_text(const TextTable& table);

/// Characters shown, not bytes: counts the code points of UTF-8.
std::size_t display_width(const std::string& text);

/// `text` with the tone's ANSI colour if `colour`.
std::string toned(const std::string& text, Tone tone, bool colour);

/// `text` as running text of Markdown that says nothing but itself: no HTML, links, emphasis,
/// formulas or lists.
std::string markdown_escaped(const std::string& text);

/// The same for words of the program, where '_' and '*' are no emphasis: only '|' and a '<' that
/// could open a tag are escaped.
std::string markdown_words(const std::string& text);

}  // namespace rigidlimit
