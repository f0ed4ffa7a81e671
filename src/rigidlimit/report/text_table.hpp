// The layout of tables of texts on a terminal and in Markdown.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/wrapped_text.hpp"
#include "rigidlimit/result/view.hpp"

namespace rigidlimit {

/// The most characters of a line of a table in files, and on a wide terminal.
inline constexpr std::size_t terminal_width = 120;

/// The place where texts are shown.
struct Screen {
  bool colour = false;                 ///< with ANSI colours
  std::size_t width = terminal_width;  ///< the most characters of a line

  Screen(bool in_colour = false, std::size_t characters = terminal_width)  // NOLINT
      : colour(in_colour), width(characters) {}
};

/// Columns padded with blanks. In a table wider than the screen, long texts are broken into lines;
/// then the columns are split into parts, each with the keys.
std::string terminal_text(const TextTable& table, const Screen& screen);

/// A list whose last column has sentences: they are broken into lines beside the other columns. If
/// the screen has no place for that, terminal_text().
std::string terminal_list(const TextTable& table, const Screen& screen);

/// The table below its caption. A table wider than the screen is compacted() first.
std::string terminal_text(const CaptionedTable& table, const Screen& screen);

/// Empty columns go, and keys with one text become remarks of the caption, "solver: radau_iia",
/// from the left until the table has at most `width` characters. Markdown, LaTeX and HTML have the
/// narrowest form (`width` 0); a terminal keeps the columns that fit.
CaptionedTable compacted(CaptionedTable table, std::size_t width = 0);

/// The caption with its remarks: "Orders; solver: radau_iia; norm: sup".
std::string caption_line(const CaptionedTable& table);

/// The same as sentences: "Orders. Study: knife_edge; solver: radau_iia; norm: sup." An empty
/// `study` is left out.
std::string caption_sentences(const CaptionedTable& table, const std::string& study = "");

/// "Event times" for the table "event_times".
std::string caption_of_name(std::string_view name);

/// Running text: `indent` spaces before the first line, two more before the others, and lines of
/// at most `width` characters.
std::string paragraph(std::string_view text, std::size_t indent = 0,
                      std::size_t width = terminal_width);

/// The columns of each part of a table: as many groups of columns (`breaks`) after the keys as
/// `fits` accepts, at least one. Columns without text, or of "-", are left out.
std::vector<std::vector<std::size_t>> parts_of(
    const TextTable& table, const std::function<bool(const std::vector<std::size_t>&)>& fits);

/// A pipe table (GitHub Markdown). '|' in cells is escaped, and '<' if it could open a tag.
std::string markdown_text(const TextTable& table);

/// `text` with the tone's ANSI colour if `colour`.
std::string toned(const std::string& text, Tone tone, bool colour);

/// `text` as Markdown running text without HTML, links, emphasis, formulas or lists.
std::string markdown_escaped(const std::string& text);

/// The same for texts of the program, in which '_' and '*' are no emphasis: only '|' and a '<' that
/// could open a tag are escaped.
std::string markdown_words(const std::string& text);

}  // namespace rigidlimit
