#include "rigidlimit/cli/help/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

namespace {

using BlockKind = MarkdownBlock::Kind;

constexpr std::string_view code_indent = "    ";

/// Running text without its marks: `code`, **bold**, [text](address).
std::string plain(std::string_view text) {
  std::string out;
  bool code = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const std::size_t middle = !code && rest[0] == '[' ? rest.find("](") : std::string_view::npos;
    if (rest[0] == '`') {
      code = !code;
    } else if (!code && rest.starts_with("**")) {
      ++at;
    } else if (middle != std::string_view::npos) {
      out += plain(rest.substr(1, middle - 1));
      at += std::min(rest.find(')', middle), rest.size());
    } else {
      out += rest[0];
    }
  }
  return out;
}

/// Collects lines into blocks, and blocks into sections.
class PageReader {
 public:
  void read(const std::string& line) {
    if (line.empty()) ++empty_lines_;
    if (line.starts_with('#'))
      begin_section(line);
    else if (line.empty())
      end_paragraph();
    else if (paragraph_.empty() && line.starts_with(code_indent))
      add_code(line.substr(code_indent.size()));
    else
      add_text(line);
  }

  std::vector<MarkdownSection> sections() {
    end_paragraph();
    return std::move(sections_);
  }

 private:
  std::vector<MarkdownBlock>& blocks() { return sections_.back().blocks; }

  void begin_section(const std::string& line) {
    end_paragraph();
    const std::size_t level = line.find_first_not_of('#');
    sections_.push_back({static_cast<int>(level), plain(line.substr(level + 1)), {}});
  }

  void add_code(const std::string& line) {
    if (blocks().empty() || blocks().back().kind != BlockKind::code)
      blocks().push_back({BlockKind::code, line + '\n'});
    else
      blocks().back().text += std::string(empty_lines_, '\n') + line + '\n';
    empty_lines_ = 0;
  }

  void add_text(const std::string& line) {
    const bool bullet = line.starts_with("* ");
    if (bullet) end_paragraph();
    if (paragraph_.empty()) kind_ = bullet ? BlockKind::bullet : BlockKind::paragraph;
    const std::size_t from = bullet ? 2 : line.find_first_not_of(' ');
    paragraph_ += (paragraph_.empty() ? "" : " ") + line.substr(from);
  }

  void end_paragraph() {
    if (!paragraph_.empty()) blocks().push_back({kind_, plain(paragraph_)});
    paragraph_.clear();
  }

  std::vector<MarkdownSection> sections_;
  std::string paragraph_;  ///< the lines so far, joined
  BlockKind kind_ = BlockKind::paragraph;
  std::size_t empty_lines_ = 0;  ///< since the last line of code
};

std::string terminal_text(const MarkdownBlock& block) {
  if (block.kind == BlockKind::paragraph) return wrapped(block.text);
  if (block.kind == BlockKind::bullet) return "* " + wrapped(block.text, 2).substr(2);
  std::istringstream lines(block.text);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    text += line.empty() ? "\n" : "  " + line + "\n";
  return text;
}

}  // namespace

std::vector<MarkdownSection> sections_of(std::string_view page) {
  PageReader reader;
  std::istringstream lines{std::string(page)};
  for (std::string line; std::getline(lines, line);) reader.read(line);
  return reader.sections();
}

std::string terminal_text(std::span<const MarkdownBlock> blocks) {
  std::string text;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const bool in_list =
        k > 0 && blocks[k - 1].kind == BlockKind::bullet && blocks[k].kind == BlockKind::bullet;
    text += (k == 0 || in_list ? "" : "\n") + terminal_text(blocks[k]);
  }
  return text;
}

std::string hanging(std::string_view name, std::string_view text, std::size_t column) {
  const std::string head = fmt::format("  {}", name);
  const std::string body = wrapped(text, column);
  if (display_width(head) + 1 > column) return head + '\n' + body;
  return head + body.substr(display_width(head));
}

}  // namespace rigidlimit
