#include "rigidlimit/report/text_table.hpp"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

std::size_t display_width(const std::string& text) {
  // UTF-8 continuation bytes are 10xxxxxx.
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string toned(const std::string& text, Tone tone, bool colour) {
  if (!colour || text.empty() || tone == Tone::plain) return text;
  switch (tone) {
    case Tone::good: return fmt::format(fg(fmt::terminal_color::green), "{}", text);
    case Tone::bad: return fmt::format(fg(fmt::terminal_color::red), "{}", text);
    case Tone::doubtful: return fmt::format(fg(fmt::terminal_color::yellow), "{}", text);
    case Tone::faint: return fmt::format(fmt::emphasis::faint, "{}", text);
    case Tone::plain: break;
  }
  return text;
}

namespace {

std::string padded(const std::string& text, std::size_t width, bool left, Tone tone, bool colour) {
  const std::string clean = printable(text);
  const std::string blanks(width - std::min(width, display_width(clean)), ' ');
  const std::string shown = toned(clean, tone, colour);
  return left ? shown + blanks : blanks + shown;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string terminal_text(const TextTable& table, bool colour) {
  std::vector<std::size_t> widths;
  for (const std::string& header : table.headers) widths.push_back(display_width(header));
  for (const auto& row : table.rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], display_width(printable(row[k].text)));

  std::string text, rule;
  for (std::size_t k = 0; k < widths.size(); ++k) {
    text += "  " + padded(table.headers[k], widths[k], table.left_aligned[k], Tone::plain, false);
    rule += "  " + std::string(widths[k], '-');
  }
  text = trimmed(text) + toned(rule, Tone::faint, colour) + "\n";
  for (const auto& row : table.rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += "  " + padded(row[k].text, widths[k], table.left_aligned[k], row[k].tone, colour);
    text += trimmed(line);
  }
  return text;
}

std::string markdown_escaped(const std::string& text) {
  constexpr std::string_view anywhere = "\\`*_[]<>&|$~#";
  std::string escaped;
  for (const char c : printable(text)) {
    // At the start of a paragraph it would begin a list or a heading.
    const bool at_start = escaped.empty() && (c == '-' || c == '+' || c == '=');
    if (at_start || anywhere.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_words(const std::string& text) {
  const std::string clean = printable(text);
  std::string escaped;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const bool tag = clean[i] == '<' && i + 1 < clean.size() &&
                     (std::isalpha(static_cast<unsigned char>(clean[i + 1])) != 0 ||
                      std::string_view("/!?").find(clean[i + 1]) != std::string_view::npos);
    if (tag || clean[i] == '|') escaped += '\\';
    escaped += clean[i];
  }
  return escaped;
}

std::string markdown_text(const TextTable& table) {
  std::string text = "|", rule = "|";
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    text += " " + markdown_words(table.headers[k]) + " |";
    rule += table.left_aligned[k] ? " --- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const Cell& cell : row) text += " " + markdown_words(cell.text) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace rigidlimit
