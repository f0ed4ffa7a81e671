#include "rigidlimit/report/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "rigidlimit/report/latex_width.hpp"

namespace rigidlimit {

namespace {

using ColumnIndices = std::vector<std::size_t>;

/// A size of letters: the width of a digit in pt.
struct Size {
  const char* name;
  double digit;
};
constexpr std::array<Size, 3> sizes{
    {{"\\small", 4.625}, {"\\footnotesize", 4.25}, {"\\scriptsize", 3.986}}};
constexpr double text_width = 344.0;    ///< of an article, 345 pt, without 1 pt for kerning
constexpr double column_space = 6.0;    ///< 2 \tabcolsep
constexpr std::size_t most_lines = 40;  ///< of a page in \small, without the captions
constexpr std::size_t head_lines = 3;   ///< of the header and the space above
constexpr std::size_t few_rows = 3;     ///< of a table that may be transposed

/// Digits of a line of long texts, at the least; 0: texts are not broken. Headers may have several
/// lines. A run is as in latex_text().
struct LineStyle {
  double line = 0.0;
  bool breaks_headers = false;
  std::size_t longest_run = default_longest_run;

  bool breaks_words() const { return longest_run < default_longest_run; }
};
/// Words are broken only if a part of a table has no place otherwise.
constexpr std::array<LineStyle, 9> line_styles{{{0.0, false},
                                                {0.0, true},
                                                {32.0, true},
                                                {17.0, true},
                                                {17.0, true, 16},
                                                {14.0, true, 12},
                                                {12.0, true, 10},
                                                {10.0, true, 8},
                                                {8.0, true, 4}}};

std::string cell_text(const TextTable& table, std::size_t row, std::size_t column) {
  return column < table.rows[row].size() ? table.rows[row][column].text : "";
}

/// The digits of the numbers in an S column.
struct NumberFormat {
  std::size_t digits = 0, decimals = 0, exponent = 0;
  bool sign = false, exponent_sign = false;

  void take(const std::string& number) {
    const std::size_t e = std::min(number.find('e'), number.size());
    const std::size_t point = std::min(number.find('.'), e);
    const bool has_sign = number[0] == '-' || number[0] == '+';
    const bool is_small = e + 1 < number.size() && number[e + 1] == '-';
    sign |= has_sign;
    exponent_sign |= is_small;
    digits = std::max(digits, point - (has_sign ? 1 : 0));
    decimals = std::max(decimals, e - std::min(e, point + 1));
    if (e < number.size())
      exponent = std::max(exponent, number.size() - e - 1 - (is_small ? 1 : 0));
  }

  std::string letter() const {
    return fmt::format(
        "S[table-format={}{}.{}{}]", sign ? "+" : "", digits, decimals,
        exponent == 0 ? "" : fmt::format("e{}{}", exponent_sign ? "-" : "", exponent));
  }

  /// In digits. siunitx groups digits by three, with thin spaces.
  double width() const {
    std::string text = (sign ? "$-" : "$") + std::string(digits, '0');
    for (std::size_t k = 0; k < (digits + decimals) / 3; ++k) text += "\\,";
    if (decimals > 0) text += "." + std::string(decimals, '0');
    if (exponent > 0)
      text +=
          "\\times 10^{" + std::string(exponent_sign ? "-" : "") + std::string(exponent, '0') + "}";
    return latex_extent(text + "$").line;
  }
};

/// nullopt: a column without numbers.
std::optional<NumberFormat> number_format(const TextTable& table, std::size_t column) {
  NumberFormat format;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const std::string number = siunitx_number(cell_text(table, row, column)); !number.empty())
      format.take(number);
  return format.digits == 0 ? std::nullopt : std::optional(format);
}

/// The words of a header in lines of at most `most` digits, or of one word.
std::vector<std::string> header_lines(const std::string& header, double most) {
  std::vector<std::string> lines;
  std::istringstream words(header);
  for (std::string word; words >> word;)
    if (!lines.empty() && latex_extent(latex_text(lines.back() + " " + word)).line <= most)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  return lines.empty() ? std::vector<std::string>{""} : lines;
}

/// The same with blanks in words of more than `longest` characters, if possible after '_', '/' and
/// '.'.
std::string with_short_words(const std::string& header, std::size_t longest) {
  std::string text;
  std::size_t run = 0;
  for (std::size_t k = 0; k < header.size(); ++k) {
    const auto byte = static_cast<unsigned char>(header[k]);
    const bool begins_character = (byte & 0xc0U) != 0x80U;
    const bool after_mark =
        k > 0 && std::string_view("_/.").find(header[k - 1]) != std::string_view::npos;
    if (begins_character && (run >= longest || (after_mark && 2 * run >= longest))) {
      text += ' ';
      run = 0;
    }
    text += header[k];
    run = header[k] == ' ' ? 0 : run + (begins_character ? 1 : 0);
  }
  return text;
}

/// A column with its extents in digits.
struct LatexColumn {
  std::string header;
  bool left = false;
  std::optional<NumberFormat> numbers = {};  ///< of an S column
  LatexExtent head = {}, cells = {};
  std::vector<std::string> texts = {};  ///< plain, of a left-aligned column

  LatexColumn(const TextTable& table, std::size_t column, bool siunitx)
      : header(table.headers[column]),
        left(table.left_aligned[column]),
        head(latex_extent(latex_text(header))) {
    if (siunitx && !left) numbers = number_format(table, column);
    if (numbers) cells.line = cells.word = numbers->width();
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::string text = cell_text(table, row, column);
      if (numbers && !siunitx_number(text).empty()) continue;
      const LatexExtent cell = latex_extent(latex_text(text));
      if (left) texts.push_back(text);
      cells.line = std::max(cells.line, cell.line);
      cells.word = std::max(cells.word, cell.word);
    }
  }

  bool breaks(const LineStyle& style) const {
    return style.line > 0.0 && left && std::max(cells.line, head.line) > style.line;
  }

  /// In digits, at the least.
  double width(const LineStyle& style) const {
    if (breaks(style)) return std::max(style.line, longest_word(style));
    return std::max(cells.line, style.breaks_headers ? head_width(style) : head.line);
  }

  /// The lines of the header above cells that are not broken.
  std::vector<std::string> head_lines_of(const LineStyle& style) const {
    if (!style.breaks_headers || breaks(style) || head.line <= cells.line) return {header};
    if (!style.breaks_words()) return header_lines(header, std::max(cells.line, head.word));
    return header_lines(with_short_words(header, style.longest_run), cells.line);
  }

 private:
  double head_width(const LineStyle& style) const {
    double most = 0.0;
    for (const std::string& line : head_lines_of(style))
      most = std::max(most, latex_extent(latex_text(line)).line);
    return most;
  }

  double longest_word(const LineStyle& style) const {
    if (!style.breaks_words()) return std::max(cells.word, head.word);
    double most = latex_extent(latex_text(header, style.longest_run)).piece;
    for (const std::string& text : texts)
      most = std::max(most, latex_extent(latex_text(text, style.longest_run)).piece);
    return most;
  }
};

/// A table with its columns.
struct MeasuredTable {
  TextTable table;
  std::vector<LatexColumn> columns;

  MeasuredTable(TextTable of, bool siunitx) : table(std::move(of)) {
    for (std::size_t k = 0; k < table.headers.size(); ++k) columns.emplace_back(table, k, siunitx);
  }

  /// The rest of a line beside a part, in pt; negative if the part is too wide.
  double rest(const ColumnIndices& part, const LineStyle& style, const Size& size) const {
    double width = -column_space;
    for (const std::size_t k : part) width += columns[k].width(style) * size.digit + column_space;
    return text_width - width;
  }

  bool fits(const ColumnIndices& part, const LineStyle& style, const Size& size) const {
    return rest(part, style, size) >= 0.0;
  }
};

/// The parts of a table, one below the other, with one size and style.
struct LatexLayout {
  Size size = sizes.back();
  LineStyle style = {};
  std::vector<ColumnIndices> parts = {};
};

/// One part, in the largest size that has place for it; short lines in the smallest size only.
std::optional<LatexLayout> layout_of_one(const MeasuredTable& measured) {
  const auto parts = parts_of(measured.table, [](const ColumnIndices&) { return true; });
  for (const Size& size : sizes)
    for (const LineStyle& style : line_styles) {
      const bool is_short = style.line > 0.0 && style.line < 32.0;
      if (style.breaks_words() || (is_short && size.digit > sizes.back().digit)) continue;
      if (measured.fits(parts.front(), style, size)) return LatexLayout{size, style, parts};
    }
  return std::nullopt;
}

/// Of the layouts with the fewest parts too wide for a line, the one with the fewest parts, in the
/// smallest size; then the largest size that has place for all of them.
LatexLayout layout_of_several(const MeasuredTable& measured) {
  LatexLayout best;
  std::pair<std::ptrdiff_t, std::size_t> least;  // parts that are too wide, and all
  for (const LineStyle& style : line_styles) {
    if (style.breaks_words() && least.first == 0) break;
    LatexLayout layout{.size = sizes.back(), .style = style};
    const auto fits = [&](const ColumnIndices& part) {
      return measured.fits(part, style, sizes.back());
    };
    layout.parts = parts_of(measured.table, fits);
    const auto wide = std::ranges::count_if(layout.parts, std::not_fn(fits));
    const std::pair<std::ptrdiff_t, std::size_t> found{wide, layout.parts.size()};
    if (!best.parts.empty() && !(found < least)) continue;
    best = std::move(layout);
    least = found;
  }
  for (const Size& size : sizes)
    if (std::ranges::all_of(best.parts, [&](const ColumnIndices& part) {
          return measured.fits(part, best.style, size);
        })) {
      best.size = size;
      break;
    }
  return best;
}

/// Whether the column names the rows by different texts.
bool names_rows(const TextTable& table, std::size_t column) {
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (std::size_t other = 0; other < row; ++other)
      if (cell_text(table, row, column) == cell_text(table, other, column)) return false;
  return true;
}

/// A row for each column, under the names of the rows: those of a key without header, or else the
/// first key whose texts differ. A single row without a name is the column "value".
TextTable transposed(const TextTable& table) {
  std::optional<std::size_t> names;
  for (std::size_t k = 0; k < std::min(table.keys, table.headers.size()); ++k)
    if ((table.headers[k].empty() || (table.rows.size() > 1 && !names)) && names_rows(table, k))
      names = k;
  TextTable turned{
      .headers = {names ? table.headers[*names] : "quantity"}, .left_aligned = {true}, .rows = {}};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    turned.headers.push_back(names                    ? cell_text(table, row, *names)
                             : table.rows.size() == 1 ? "value"
                                                      : fmt::format("value {}", row + 1));
    turned.left_aligned.push_back(true);
  }
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    if (names && k == *names) continue;
    std::vector<Cell> cells{{table.headers[k]}};
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      cells.push_back({cell_text(table, row, k)});
    turned.rows.push_back(std::move(cells));
  }
  return turned;
}

/// The value and the error bar of "1.751e-03 ± 6e-14"; empty for other texts.
std::pair<std::string, std::string> value_and_bar(const std::string& text) {
  constexpr std::string_view sign = " ± ";
  const std::size_t at = text.find(sign);
  if (at == std::string::npos) return {};
  std::pair<std::string, std::string> parts{text.substr(0, at), text.substr(at + sign.size())};
  const bool both = !siunitx_number(parts.first).empty() && !siunitx_number(parts.second).empty();
  return both ? parts : std::pair<std::string, std::string>{};
}

/// The table with its error bars in columns "±" of their own, beside those of the values.
TextTable with_bar_columns(const TextTable& table) {
  TextTable wide{.headers = {}, .left_aligned = {}, .rows = {}, .keys = table.keys};
  wide.rows.resize(table.rows.size());
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    const bool may_break =
        table.breaks.empty() || std::ranges::find(table.breaks, k) != table.breaks.end();
    if (k >= table.keys && may_break) wide.breaks.push_back(wide.headers.size());
    bool has_bars = false;
    for (std::size_t row = 0; row < table.rows.size() && !table.left_aligned[k]; ++row)
      has_bars = has_bars || !value_and_bar(cell_text(table, row, k)).second.empty();
    wide.headers.push_back(table.headers[k]);
    wide.left_aligned.push_back(table.left_aligned[k]);
    if (has_bars) {
      wide.headers.emplace_back("±");
      wide.left_aligned.push_back(false);
      if (k < table.keys) ++wide.keys;
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::string text = cell_text(table, row, k);
      const auto [value, bar] = value_and_bar(text);
      wide.rows[row].push_back({has_bars && !bar.empty() ? value : text});
      if (has_bars) wide.rows[row].push_back({bar});
    }
  }
  return wide;
}

/// A text in an S column stands in braces.
std::string latex_cell(const LatexColumn& column, const std::string& plain,
                       const LineStyle& style) {
  if (!column.numbers)
    return latex_text(plain, column.breaks(style) ? style.longest_run : default_longest_run);
  const std::string number = siunitx_number(plain);
  return number.empty() ? "{" + latex_text(plain) + "}" : number;
}

/// A text behind \\ or a rule, which would take "[2]" and "*" as its arguments.
std::string after_line_end(const std::string& tex) {
  return tex.starts_with('[') || tex.starts_with('*') ? "{}" + tex : tex;
}

std::string latex_head(const LatexColumn& column, const LineStyle& style) {
  const std::vector<std::string> lines = column.head_lines_of(style);
  if (lines.size() == 1) return latex_cell(column, lines.front(), style);
  std::string text;
  for (const std::string& line : lines)
    text += (text.empty() ? "" : "\\\\") + after_line_end(latex_text(line));
  const char* const place = column.numbers ? "c" : column.left ? "l" : "r";
  text = fmt::format("\\shortstack[{}]{{{}}}", place, text);
  return column.numbers ? "{" + text + "}" : text;
}

/// The widths of the columns of a part, in digits. Columns of broken texts share the rest of the
/// line; none is wider than its texts.
std::vector<double> widths_of(const MeasuredTable& measured, const LatexLayout& layout,
                              const ColumnIndices& part) {
  std::vector<double> widths;
  for (const std::size_t k : part) widths.push_back(measured.columns[k].width(layout.style));
  double rest = measured.rest(part, layout.style, layout.size) / layout.size.digit;
  const auto room = [&](std::size_t i) {
    const LatexColumn& column = measured.columns[part[i]];
    const double most = std::max(column.cells.line, column.head.line);
    return column.breaks(layout.style) ? std::max(most - widths[i], 0.0) : 0.0;
  };
  for (std::size_t round = 0; round < part.size() && rest > 0.0; ++round) {
    double takers = 0.0;
    for (std::size_t i = 0; i < part.size(); ++i) takers += room(i) > 0.0 ? 1.0 : 0.0;
    if (takers == 0.0) break;
    const double share = rest / takers;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const double more = std::min(room(i), share);
      widths[i] += more;
      rest -= more;
    }
  }
  return widths;
}

std::string column_letter(const LatexColumn& column, const LatexLayout& layout, double width) {
  if (column.breaks(layout.style))  // \hspace: TeX hyphenates no first word without it
    return fmt::format(">{{\\raggedright\\arraybackslash\\hspace{{0pt}}}}p{{{:.1f}pt}}",
                       width * layout.size.digit);
  if (column.numbers) return column.numbers->letter();
  return column.left ? "l" : "r";
}

std::string latex_row(const ColumnIndices& part, const auto& text_of_column) {
  std::string line;
  for (const std::size_t k : part)
    line += k == part.front() ? after_line_end(text_of_column(k)) : " & " + text_of_column(k);
  return line + " \\\\\n";
}

std::size_t lines_of_row(const MeasuredTable& measured, const LatexLayout& layout,
                         const ColumnIndices& part, const std::vector<double>& widths,
                         std::size_t row) {
  constexpr double filled = 0.85;  // of a line, at the least, by words
  double lines = 1.0;
  for (std::size_t i = 0; i < part.size(); ++i)
    if (measured.columns[part[i]].breaks(layout.style)) {
      const LatexExtent cell = latex_extent(latex_text(cell_text(measured.table, row, part[i])));
      lines = std::max(lines, 1.0 + cell.line / (filled * widths[i]));
    }
  return static_cast<std::size_t>(lines);
}

/// A tabular of at most a page.
struct Block {
  std::string tex;
  std::size_t lines = 0;
};

std::vector<Block> blocks_of_part(const MeasuredTable& measured, const LatexLayout& layout,
                                  const ColumnIndices& part) {
  std::vector<Block> blocks;
  std::string letters, rows;
  std::size_t above = head_lines;
  const std::vector<double> widths = widths_of(measured, layout, part);
  for (std::size_t i = 0; i < part.size(); ++i) {
    const LatexColumn& column = measured.columns[part[i]];
    letters += column_letter(column, layout, widths[i]);
    above = std::max(above, head_lines - 1 + column.head_lines_of(layout.style).size());
  }
  const std::string head =
      latex_row(part, [&](std::size_t k) { return latex_head(measured.columns[k], layout.style); });
  std::size_t lines = above;
  const auto close = [&] {
    blocks.push_back({fmt::format("\\begin{{tabular}}{{@{{}}{}@{{}}}}\n\\toprule\n{}\\midrule\n{}"
                                  "\\bottomrule\n\\end{{tabular}}\n",
                                  letters, head, rows),
                      lines});
    rows.clear();
    lines = above;
  };
  for (std::size_t row = 0; row < measured.table.rows.size(); ++row) {
    const std::size_t more = lines_of_row(measured, layout, part, widths, row);
    if (!rows.empty() && lines + more > most_lines) close();
    rows += latex_row(part, [&](std::size_t k) {
      return latex_cell(measured.columns[k], cell_text(measured.table, row, k), layout.style);
    });
    lines += more;
  }
  close();
  return blocks;
}

std::string float_of(const MeasuredTable& measured, const LatexLayout& layout,
                     const std::string& caption, const LatexStyle& style) {
  const std::string label = style.label.empty() ? "" : "\\label{" + style.label + "}";
  const std::string begin =
      fmt::format("\\begin{{table}}[{}]\n\\centering{}\\setlength{{\\tabcolsep}}{{3pt}}\n",
                  style.place, layout.size.name);
  std::string text = begin + "\\caption{" + caption + "}" + label + "\n\\smallskip\n";
  std::size_t lines = 0;
  for (const ColumnIndices& part : layout.parts)
    for (const Block& block : blocks_of_part(measured, layout, part)) {
      if (lines > 0 && lines + block.lines > most_lines) {
        text += "\\end{table}\n\n" + begin + "\\addtocounter{table}{-1}\n\\caption{" + caption +
                " (continued)}\n\\smallskip\n";
        lines = 0;
      }
      text += (lines > 0 ? "\n\\medskip\n" : "") + block.tex;
      lines += block.lines;
    }
  return text + "\\end{table}\n\n";
}

}  // namespace

std::string latex_table(const CaptionedTable& whole, const LatexStyle& style) {
  const CaptionedTable narrow = compacted(whole);
  const std::string caption = latex_text(caption_sentences(narrow, style.study));
  const MeasuredTable upright(style.siunitx ? with_bar_columns(narrow.table) : narrow.table,
                              style.siunitx);
  if (const auto layout = layout_of_one(upright)) return float_of(upright, *layout, caption, style);
  if (narrow.table.rows.size() <= few_rows) {
    const MeasuredTable turned(transposed(narrow.table), false);
    if (const auto layout = layout_of_one(turned)) return float_of(turned, *layout, caption, style);
  }
  return float_of(upright, layout_of_several(upright), caption, style);
}

std::string latex_packages(const std::string& tex) {
  std::string names = "array,booktabs";
  if (tex.find("\\begin{table}[H]") != std::string::npos) names += ",float";
  if (tex.find("S[table-format=") != std::string::npos) names += ",siunitx";
  return "\\usepackage{" + names + "}";
}

}  // namespace rigidlimit
