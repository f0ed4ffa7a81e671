// The part of Markdown that the embedded pages use: headings, paragraphs, bullets, indented code;
// and wrapping of running text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

struct MarkdownBlock {
  enum class Kind { paragraph, bullet, code };

  Kind kind = Kind::paragraph;
  /// Running text on one line, without the marks of code, bold and links; code with its lines, each
  /// ended by a newline, without the indentation.
  std::string text;

  bool operator==(const MarkdownBlock&) const = default;
};

/// A heading and the blocks up to the next heading of any level.
struct MarkdownSection {
  int level = 0;      ///< number of # signs
  std::string title;  ///< plain text
  std::vector<MarkdownBlock> blocks;
};

/// The sections of a page, which begins with a heading. Tables become paragraphs.
std::vector<MarkdownSection> sections_of(std::string_view page);

/// The blocks for a terminal 80 columns wide, separated by empty lines except between bullets; code
/// is indented by two spaces and not wrapped.
std::string terminal_text(std::span<const MarkdownBlock> blocks);

/// "  name      text, wrapped, in a column that begins at `column`"; if the name is too long, the
/// text begins on the next line.
std::string hanging(std::string_view name, std::string_view text, std::size_t column);

}  // namespace rigidlimit
