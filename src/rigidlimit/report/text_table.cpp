#include "rigidlimit/report/text_table.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <sstream>
#include <string_view>

#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

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

using Part = std::vector<std::size_t>;  ///< columns, from left to right

/// Of a cell on one line of a table that is wider than `screen`: a key and a text have place side
/// by side.
std::size_t longest_cell_line(const Screen& screen) {
  constexpr std::size_t most = 44, least = 24;
  return std::clamp(screen.width / 2 - 4, least, most);
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream stream(wrapped(text, 0, width));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines.empty() ? std::vector<std::string>{""} : lines;
}

/// A cell as lines, all cells of its column, and the width of the column.
struct CellLines {
  std::vector<std::string> texts;
  Tone tone;
};
struct Laid {
  std::vector<std::vector<CellLines>> rows;
  std::vector<std::size_t> widths;

  /// Breaks long texts of the columns from `first` on into lines of at most `longest` characters.
  explicit Laid(const TextTable& table, std::size_t longest = std::string::npos,
                std::size_t first = 0) {
    for (const std::string& header : table.headers) widths.push_back(display_width(header));
    for (const auto& row : table.rows) {
      auto& cells = rows.emplace_back();
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::string text = printable(row[k].text);
        const bool breaks = k >= first && table.left_aligned[k] && display_width(text) > longest;
        cells.push_back({breaks ? lines_of(text, longest) : std::vector{text}, row[k].tone});
        for (const std::string& line : cells.back().texts)
          widths[k] = std::max(widths[k], display_width(line));
      }
    }
  }

  std::size_t width_of(const Part& part) const {
    std::size_t all = 0;
    for (const std::size_t k : part) all += 2 + widths[k];
    return all;
  }
};

std::string padded(const std::string& text, std::size_t width, bool left, Tone tone, bool colour) {
  const std::string blanks(width - std::min(width, display_width(text)), ' ');
  const std::string shown = toned(text, tone, colour);
  return left ? shown + blanks : blanks + shown;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string table_text(const TextTable& table, const Laid& laid, const Part& part, bool colour) {
  std::string text, rule;
  for (const std::size_t k : part) {
    text +=
        "  " + padded(table.headers[k], laid.widths[k], table.left_aligned[k], Tone::plain, false);
    rule += "  " + std::string(laid.widths[k], '-');
  }
  text = trimmed(text) + toned(rule, Tone::faint, colour) + "\n";
  for (const std::vector<CellLines>& row : laid.rows) {
    std::size_t height = 1;
    for (const std::size_t k : part)
      if (k < row.size()) height = std::max(height, row[k].texts.size());
    for (std::size_t h = 0; h < height; ++h) {
      std::string line;
      for (const std::size_t k : part)
        if (k < row.size())
          line += "  " + padded(h < row[k].texts.size() ? row[k].texts[h] : "", laid.widths[k],
                                table.left_aligned[k], row[k].tone, colour);
      text += trimmed(line);
    }
  }
  return text;
}

bool is_empty(const TextTable& table, std::size_t column) {
  return !table.rows.empty() && std::ranges::all_of(table.rows, [&](const auto& row) {
    return column >= row.size() || row[column].text.empty() || row[column].text == "-";
  });
}

std::size_t width_of(const TextTable& table) {
  Part all(table.headers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return Laid(table).width_of(all);
}

bool has_one_text(const TextTable& table, std::size_t column) {
  if (table.rows.size() < 2 || !table.left_aligned[column] || table.headers[column].empty())
    return false;
  const std::string& first = table.rows.front()[column].text;
  return !first.empty() && std::ranges::all_of(table.rows, [&](const auto& row) {
    return row[column].text == first && row[column].tone == Tone::plain;
  });
}

void remove_column(TextTable& table, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.headers.erase(table.headers.begin() + at);
  table.left_aligned.erase(table.left_aligned.begin() + at);
  for (auto& row : table.rows) row.erase(row.begin() + at);
  if (column < table.keys) --table.keys;
  for (std::size_t& place : table.breaks)
    if (place > column) --place;
}

}  // namespace

std::vector<Part> parts_of(const TextTable& table, const std::function<bool(const Part&)>& fits) {
  Part keys;
  std::vector<Part> groups;
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    const bool may_break =
        table.breaks.empty() || std::ranges::find(table.breaks, k) != table.breaks.end();
    if (k >= table.keys && (groups.empty() || may_break)) groups.emplace_back();
    if (k < table.keys)
      keys.push_back(k);
    else if (!is_empty(table, k))
      groups.back().push_back(k);
  }
  std::vector<Part> parts{keys};
  for (const Part& group : groups) {
    Part wider = parts.back();
    wider.insert(wider.end(), group.begin(), group.end());
    const bool is_first = parts.back().size() == keys.size();
    if (!is_first && !fits(wider)) {
      wider = keys;
      wider.insert(wider.end(), group.begin(), group.end());
      parts.emplace_back();
    }
    parts.back() = std::move(wider);
  }
  if (parts.size() > 1 && parts.back().size() == keys.size()) parts.pop_back();
  return parts;
}

std::string terminal_text(const TextTable& table, const Screen& screen) {
  const bool is_wide = width_of(table) > screen.width;
  const Laid laid(table, is_wide ? longest_cell_line(screen) : std::string::npos);
  Part all(table.headers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (!is_wide) return table_text(table, laid, all, screen.colour);
  std::string text;
  const auto fits = [&](const Part& part) { return laid.width_of(part) <= screen.width; };
  for (const Part& part : parts_of(table, fits))
    text += (text.empty() ? "" : "\n") + table_text(table, laid, part, screen.colour);
  return text;
}

std::string terminal_list(const TextTable& table, const Screen& screen) {
  constexpr std::size_t least = 20;  // of a sentence: some three words
  if (table.headers.empty()) return terminal_text(table, screen);
  Part all(table.headers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t last = all.back();
  const std::size_t others = Laid(table).width_of({all.begin(), all.end() - 1}) + 2;
  if (screen.width < others + least) return terminal_text(table, screen);
  return table_text(table, Laid(table, screen.width - others, last), all, screen.colour);
}

CaptionedTable compacted(CaptionedTable table, std::size_t width) {
  TextTable& inner = table.table;
  for (std::size_t k = 0; k < inner.headers.size() && width_of(inner) > width;)
    if (k >= inner.keys && is_empty(inner, k)) {
      remove_column(inner, k);
    } else if (k < inner.keys && has_one_text(inner, k)) {
      table.remarks.push_back(fmt::format("{}: {}", inner.headers[k], inner.rows.front()[k].text));
      remove_column(inner, k);
    } else {
      ++k;
    }
  return table;
}

namespace {

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

/// With a capital, unless it begins with a symbol or a name such as "damping_ratio".
std::string capitalised(std::string text) {
  const std::size_t word = std::min(text.find_first_of(" :,;"), text.size());
  if (word > 1 &&
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(word), is_lower))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

std::string caption_line(const CaptionedTable& table) {
  std::string text = table.caption;
  for (const std::string& remark : table.remarks) text += (text.empty() ? "" : "; ") + remark;
  return text;
}

std::string caption_sentences(const CaptionedTable& table, const std::string& study) {
  std::vector<std::string> remarks = table.remarks;
  if (!study.empty()) remarks.insert(remarks.begin(), "study: " + study);
  if (remarks.empty()) return table.caption;
  remarks.front() = capitalised(remarks.front());
  return fmt::format("{}{}{}.", table.caption, table.caption.empty() ? "" : ". ",
                     fmt::join(remarks, "; "));
}

std::string caption_of_name(std::string_view name) {
  std::string words(name.substr(name.rfind('.') + 1));
  std::ranges::replace(words, '_', ' ');
  return capitalised(std::move(words));
}

std::string terminal_text(const CaptionedTable& table, const Screen& screen) {
  const CaptionedTable narrow = compacted(table, screen.width);
  return paragraph(printable(caption_line(narrow)), 0, screen.width) +
         terminal_text(narrow.table, screen);
}

std::string paragraph(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string lines = wrapped(text, indent + 2, width);
  return lines.empty() ? "\n" : lines.substr(2);
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
