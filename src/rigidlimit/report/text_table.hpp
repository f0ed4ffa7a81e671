// A table of texts.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit {

/// Emphasis of a cell on a terminal with colours.
enum class Tone { plain, good, bad, doubtful, faint };

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

struct TextTable {
  std::vector<std::string> headers;
  std::vector<bool> left_aligned;  ///< one per column; numbers are aligned to the right
  std::vector<std::vector<Cell>> rows;
  std::size_t keys = 1;  ///< number of columns, from the left, that identify a row
  /// The columns before which a table that is too wide may be split; empty: before any column
  /// after the keys.
  std::vector<std::size_t> breaks = {};
};

/// A table of a report.
struct CaptionedTable {
  std::string key;  ///< "orders", "errors-sup-all": unique among the tables of its report
  std::string caption;
  TextTable table;
};

/// Columns padded with blanks; with ANSI colours if `colour`.
std::string terminal_text(const TextTable& table, bool colour);

/// A pipe table (GitHub Markdown). '|' in cells is escaped, and '<' if it could open a tag.
std::string markdown_text(const TextTable& table);

/// Number of displayed characters: code points of UTF-8.
std::size_t display_width(const std::string& text);

/// `text` with the tone's ANSI colour if `colour`.
std::string toned(const std::string& text, Tone tone, bool colour);

/// `text` as Markdown running text without HTML, links, emphasis, formulas or lists.
std::string markdown_escaped(const std::string& text);

/// The same for texts of the program, in which '_' and '*' are no emphasis: only '|' and a '<' that
/// could open a tag are escaped.
std::string markdown_words(const std::string& text);

}  // namespace rigidlimit
