#include "rigidlimit/report/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>
#include <vector>

namespace rigidlimit {

namespace {

using ColumnIndices = std::vector<std::size_t>;

/// Characters of a cell on one line, and the width of a column of longer texts.
struct CellLine {
  std::size_t characters;
  const char* width;
};
constexpr CellLine usual_line{34, "16em"}, short_line{17, "8.5em"};

/// Characters of a line of an article, 345 pt wide, in each size.
struct Size {
  const char* name;
  std::size_t characters;
};
constexpr std::array<Size, 3> sizes{
    {{"\\small", 66}, {"\\footnotesize", 74}, {"\\scriptsize", 85}}};
constexpr std::size_t most_lines = 40;  ///< of a page in \small, without the captions
constexpr std::size_t head_lines = 3;   ///< of the header and the space above

std::string cell_text(const TextTable& table, std::size_t row, std::size_t column) {
  return column < table.rows[row].size() ? table.rows[row][column].text : "";
}

/// Characters of a text. The power of ten of 1.5e-03 takes two more than as printed, that
/// of 1.5e-12 three.
std::size_t latex_width(const std::string& text) {
  std::size_t powers = 0;
  for (std::size_t k = 1; k + 1 < text.size(); ++k)
    if (text[k] == 'e' && (text[k + 1] == '-' || text[k + 1] == '+'))
      powers += k + 2 < text.size() && text[k + 2] == '0' ? 2 : 3;
  return display_width(text) + powers;
}

/// The characters of the longest text in a column.
std::size_t natural_width(const TextTable& table, std::size_t column) {
  std::size_t most = display_width(table.headers[column]);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    most = std::max(most, latex_width(cell_text(table, row, column)));
  return most;
}

/// The characters of the widest word in a column, between blanks.
std::size_t widest_word(const TextTable& table, std::size_t column) {
  std::size_t most = 0;
  const auto take = [&](const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) most = std::max(most, latex_width(word));
  };
  take(table.headers[column]);
  for (std::size_t row = 0; row < table.rows.size(); ++row) take(cell_text(table, row, column));
  return most;
}

/// The parts of a table, one below the other, and the lines of its texts.
struct LatexLayout {
  CellLine line = usual_line;
  std::vector<ColumnIndices> parts = {};

  bool breaks(const TextTable& table, std::size_t column) const {
    if (!table.left_aligned[column] || natural_width(table, column) <= line.characters)
      return false;
    return line.characters == usual_line.characters ||
           widest_word(table, column) <= line.characters;
  }

  /// The columns are 6 pt apart: 1.5 characters, and half a one for letters wider than digits.
  std::size_t width(const TextTable& table, const ColumnIndices& columns) const {
    std::size_t all = 0;
    for (const std::size_t k : columns)
      all += 2 + (breaks(table, k) ? line.characters : natural_width(table, k));
    return all;
  }
};

/// The parts in the smallest size.
LatexLayout layout_with(const TextTable& table, const CellLine& line) {
  LatexLayout layout{.line = line};
  layout.parts = parts_of(table, [&](const ColumnIndices& columns) {
    return layout.width(table, columns) <= sizes.back().characters;
  });
  return layout;
}

/// Short lines only if they save a part.
LatexLayout layout_of(const TextTable& table) {
  LatexLayout usual = layout_with(table, usual_line);
  if (usual.parts.size() < 2) return usual;
  LatexLayout with_short_lines = layout_with(table, short_line);
  return with_short_lines.parts.size() < usual.parts.size() ? with_short_lines : usual;
}

/// S with the digits of its numbers for a column of numbers, r for other columns aligned to the
/// right.
std::string number_column(const TextTable& table, std::size_t column) {
  std::size_t digits = 0, decimals = 0, exponent = 0;
  bool sign = false, exponent_sign = false;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string number = siunitx_number(cell_text(table, row, column));
    if (number.empty()) continue;
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
  if (digits == 0) return "r";
  return fmt::format("S[table-format={}{}.{}{}]", sign ? "+" : "", digits, decimals,
                     exponent == 0 ? "" : fmt::format("e{}{}", exponent_sign ? "-" : "", exponent));
}

struct LatexColumn {
  std::size_t index;
  std::string letter;  ///< its argument of tabular
};

std::string latex_row(const std::vector<LatexColumn>& columns, const auto& text_of_column) {
  std::string line;
  for (const LatexColumn& column : columns) {
    const std::string plain = text_of_column(column.index);
    const bool is_s = column.letter.starts_with('S');
    const std::string number = is_s ? siunitx_number(plain) : "";
    line += line.empty() ? "" : " & ";
    line += !is_s ? latex_text(plain) : number.empty() ? "{" + latex_text(plain) + "}" : number;
  }
  return line + " \\\\\n";
}

std::vector<LatexColumn> latex_columns(const TextTable& table, const LatexLayout& layout,
                                       const ColumnIndices& indices, bool siunitx) {
  std::vector<LatexColumn> columns;
  for (const std::size_t k : indices)
    columns.push_back(
        {k, layout.breaks(table, k)
                ? fmt::format(">{{\\raggedright\\arraybackslash}}p{{{}}}", layout.line.width)
            : table.left_aligned[k] ? "l"
            : siunitx               ? number_column(table, k)
                                    : "r"});
  return columns;
}

std::size_t lines_of_row(const TextTable& table, const LatexLayout& layout,
                         const ColumnIndices& columns, std::size_t row) {
  std::size_t lines = 1;
  for (const std::size_t k : columns)
    if (layout.breaks(table, k))
      lines = std::max(lines,
                       1 + display_width(cell_text(table, row, k)) / (layout.line.characters - 2));
  return lines;
}

/// A tabular of at most a page.
struct Block {
  std::string tex;
  std::size_t lines = 0;
};

std::string tabular(const std::vector<LatexColumn>& columns, const std::string& head,
                    const std::string& rows) {
  std::string letters;
  for (const LatexColumn& column : columns) letters += column.letter;
  return fmt::format(
      "\\begin{{tabular}}{{@{{}}{}@{{}}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n"
      "\\end{{tabular}}\n",
      letters, head, rows);
}

/// The largest size in which every part fits.
const char* size_of(const TextTable& table, const LatexLayout& layout) {
  std::size_t widest = 0;
  for (const ColumnIndices& part : layout.parts)
    widest = std::max(widest, layout.width(table, part));
  for (const Size& size : sizes)
    if (widest <= size.characters) return size.name;
  return sizes.back().name;
}

std::vector<Block> blocks_of(const TextTable& table, const LatexLayout& layout, bool siunitx) {
  std::vector<Block> blocks;
  for (const ColumnIndices& part : layout.parts) {
    const std::vector<LatexColumn> columns = latex_columns(table, layout, part, siunitx);
    const std::string head = latex_row(columns, [&](std::size_t k) { return table.headers[k]; });
    std::string rows;
    std::size_t lines = head_lines;
    const auto close = [&] {
      blocks.push_back({tabular(columns, head, rows), lines});
      rows.clear();
      lines = head_lines;
    };
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::size_t more = lines_of_row(table, layout, part, row);
      if (!rows.empty() && lines + more > most_lines) close();
      rows += latex_row(columns, [&](std::size_t k) { return cell_text(table, row, k); });
      lines += more;
    }
    close();
  }
  return blocks;
}

}  // namespace

std::string latex_table(const CaptionedTable& whole, const LatexStyle& style) {
  const CaptionedTable narrow = compacted(whole);
  const TextTable& table = narrow.table;
  const LatexLayout layout = layout_of(table);
  const std::string label = style.label.empty() ? "" : "\\label{" + style.label + "}";
  const std::string begin =
      fmt::format("\\begin{{table}}[{}]\n\\centering{}\\setlength{{\\tabcolsep}}{{3pt}}\n",
                  style.place, size_of(table, layout));
  const std::string caption = "\\caption{" + latex_text(narrow.caption);
  std::string text = begin + caption + "}" + label + "\n\\smallskip\n";
  std::size_t lines = 0;
  for (const Block& block : blocks_of(table, layout, style.siunitx)) {
    if (lines > 0 && lines + block.lines > most_lines) {
      text += "\\end{table}\n\n" + begin + "\\addtocounter{table}{-1}\n" + caption +
              " (continued)}\n\\smallskip\n";
      lines = 0;
    }
    text += (lines > 0 ? "\n\\medskip\n" : "") + block.tex;
    lines += block.lines;
  }
  return text + "\\end{table}\n\n";
}

std::string latex_packages(const std::string& tex) {
  std::string names = "array,booktabs";
  if (tex.find("\\begin{table}[H]") != std::string::npos) names += ",float";
  if (tex.find("S[table-format=") != std::string::npos) names += ",siunitx";
  return "\\usepackage{" + names + "}";
}

}  // namespace rigidlimit
