#include "rigidlimit/report/latex_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rigidlimit/report/latex.hpp"

namespace rigidlimit {

namespace {

/// Font and half the space between two columns.
struct Size {
  const char* command;
  double scale;  ///< of the widths at 10 pt; 9 pt fonts are wider than 9/10 of these
  double separation;
};
constexpr Size normal{"", 1.0, 6.0};
constexpr Size small{"\\small\\setlength{\\tabcolsep}{3.5pt}\n", 0.93, 3.5};

constexpr double most_lines =
    38.0;  // lines of a float: article's page has 43 to 46, minus the caption

struct Column {
  LatexText header;
  std::vector<LatexText> cells;
  bool left = false;
  bool key = false;
  bool breaks = false;  ///< the table may be split before it

  double width() const { return widest(&LatexText::width); }
  double longest() const { return widest(&LatexText::longest); }

 private:
  double widest(double LatexText::*of) const {
    double most = header.*of;
    for (const LatexText& cell : cells) most = std::max(most, cell.*of);
    return most;
  }
};

/// All columns that are not empty in every row.
std::vector<Column> columns_of(const TextTable& table) {
  std::vector<Column> columns;
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    Column column{
        .header = latex_text(table.headers[k]),
        .cells = {},
        .left = table.left_aligned[k],
        .key = k < table.keys,
        .breaks = table.breaks.empty() || std::ranges::find(table.breaks, k) != table.breaks.end()};
    for (const auto& row : table.rows)
      column.cells.push_back(latex_text(k < row.size() ? row[k].text : ""));
    const bool is_empty =
        std::ranges::all_of(column.cells, [](const LatexText& cell) { return cell.tex.empty(); });
    if (!is_empty || column.key || table.rows.empty()) columns.push_back(std::move(column));
  }
  return columns;
}

double total_width(const std::vector<Column>& columns, const Size& size) {
  double total = 0.0;
  for (const Column& column : columns) total += size.scale * column.width();
  return total + 2.0 * size.separation * (static_cast<double>(columns.size()) - 1.0);
}

/// Removes the columns with equal texts in all rows, and returns these as a line.
std::string common_to_all_rows(std::vector<Column>& columns) {
  std::vector<std::string> said;
  std::erase_if(columns, [&](const Column& column) {
    if (!column.left || column.cells.size() < 2 || column.cells.front().tex.empty()) return false;
    const std::string& first = column.cells.front().tex;
    if (!std::ranges::all_of(column.cells, [&](const LatexText& c) { return c.tex == first; }))
      return false;
    said.push_back(column.header.tex.empty() ? first : column.header.tex + " " + first);
    return true;
  });
  return said.empty() ? "" : fmt::format("In all rows: {}.", fmt::join(said, "; "));
}

/// A part of a table, to be at most as wide as the page.
struct Panel {
  std::vector<Column> columns;
  std::vector<double> broken;  ///< widths of columns with broken lines; 0: natural width
  Size size = normal;

  double width() const {
    double total = 2.0 * size.separation * (static_cast<double>(columns.size()) - 1.0);
    for (std::size_t k = 0; k < columns.size(); ++k)
      total += broken[k] > 0.0 ? broken[k] : size.scale * columns[k].width();
    return total;
  }

  double lines() const {
    double most = 3.0;
    for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
      double in_row = 1.0;
      for (std::size_t k = 0; k < columns.size(); ++k)
        if (broken[k] > 0.0)
          in_row = std::max(in_row,
                            std::ceil(1.15 * size.scale * columns[k].cells[row].width / broken[k]));
      most += in_row;
    }
    return most;
  }
};

/// Widths of the text columns that make the part fit: the widest are reduced first, to one common
/// width. Empty if a word is too long.
std::optional<std::vector<double>> broken_to_fit(const std::vector<Column>& columns,
                                                 const Size& size, double width) {
  double room = width - 1.0 - 2.0 * size.separation * (static_cast<double>(columns.size()) - 1.0);
  double least = 0.0, most = 0.0;
  std::vector<std::pair<double, double>> ranges;  // of the texts' widths
  for (const Column& column : columns) {
    const double all = size.scale * column.width();
    if (!column.left) room -= all;
    ranges.emplace_back(std::max(size.scale * column.longest(), std::min(all, 40.0)), all);
    if (!column.left) continue;
    least += ranges.back().first;
    most = std::max(most, all);
  }
  if (least > room) return std::nullopt;
  const auto used = [&](double level) {
    double sum = 0.0;
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k].left) sum += std::clamp(level, ranges[k].first, ranges[k].second);
    return sum;
  };
  double low = 0.0;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (low + most);
    (used(middle) > room ? most : low) = middle;
  }
  std::vector<double> widths(columns.size(), 0.0);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].left && low < ranges[k].second) widths[k] = std::max(low, ranges[k].first);
  return widths;
}

std::optional<Panel> fitting(std::vector<Column> columns, const Size& size, double width,
                             bool may_break_lines) {
  if (total_width(columns, size) <= width) {
    std::vector<double> none(columns.size(), 0.0);
    return Panel{std::move(columns), std::move(none), size};
  }
  if (!may_break_lines) return std::nullopt;
  auto broken = broken_to_fit(columns, size, width);
  if (!broken) return std::nullopt;
  return Panel{std::move(columns), std::move(*broken), size};
}

/// The columns without the keys, in groups that begin where the table may be split.
std::pair<std::vector<Column>, std::vector<std::vector<Column>>> keys_and_groups(
    const std::vector<Column>& columns) {
  std::vector<Column> keys;
  std::vector<std::vector<Column>> groups;
  for (const Column& column : columns) {
    if (column.key)
      keys.push_back(column);
    else if (groups.empty() || column.breaks)
      groups.push_back({column});
    else
      groups.back().push_back(column);
  }
  return {std::move(keys), std::move(groups)};
}

std::vector<Column> beside(std::vector<Column> columns, const std::vector<Column>& more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

/// The groups; a group wider than the page is split into its columns.
std::vector<std::vector<Column>> groups_that_fit(const std::vector<Column>& keys,
                                                 const std::vector<std::vector<Column>>& groups,
                                                 double width) {
  std::vector<std::vector<Column>> all;
  for (const std::vector<Column>& group : groups) {
    if (fitting(beside(keys, group), small, width, true))
      all.push_back(group);
    else
      for (const Column& column : group) all.push_back({column});
  }
  return all;
}

/// As many groups side by side as fit; a column that fits nowhere is a part of its own.
std::vector<Panel> broken_into_panels(const std::vector<Column>& columns, double width) {
  const auto [keys, whole] = keys_and_groups(columns);
  const std::vector<std::vector<Column>> groups = groups_that_fit(keys, whole, width);
  std::vector<Panel> panels;
  for (std::size_t from = 0; from < groups.size();) {
    std::vector<Column> together = beside(keys, groups[from]);
    Panel panel = fitting(together, small, width, true)
                      .value_or(Panel{together, std::vector<double>(together.size(), 0.0), small});
    for (++from; from < groups.size(); ++from) {
      together = beside(std::move(together), groups[from]);
      auto wider = fitting(together, small, width, false);
      if (!wider) break;
      panel = std::move(*wider);
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::vector<Panel> laid_out(std::vector<Column> columns, double width, std::string& remark) {
  if (auto panel = fitting(columns, normal, width, false)) return {std::move(*panel)};
  remark = common_to_all_rows(columns);
  if (columns.empty()) return {};
  if (auto panel = fitting(columns, normal, width, false)) return {std::move(*panel)};
  if (auto panel = fitting(columns, small, width, true)) return {std::move(*panel)};
  return broken_into_panels(columns, width);
}

std::string row_text(const std::vector<Column>& columns, const auto& text_of) {
  std::string line;
  for (const Column& column : columns) {
    if (&column != &columns.front()) line += " & ";
    line += text_of(column);
  }
  return line + " \\\\\n";
}

std::string column_letters(const Panel& panel) {
  std::string letters = "@{}";
  for (std::size_t k = 0; k < panel.columns.size(); ++k)
    if (panel.broken[k] > 0.0)
      letters += fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.1f}pt}}", panel.broken[k]);
    else
      letters += panel.columns[k].left ? "l" : "r";
  return letters + "@{}";
}

std::string header_text(const Panel& panel) {
  return "\\toprule\n" + row_text(panel.columns, [](const Column& c) { return c.header.tex; }) +
         "\\midrule\n";
}

std::string body_text(const Panel& panel) {
  std::string text;
  for (std::size_t row = 0; row < panel.columns.front().cells.size(); ++row)
    text += row_text(panel.columns, [&](const Column& c) { return c.cells[row].tex; });
  return text;
}

std::string caption_text(const LatexCaption& caption, bool continued) {
  std::string text = "\\caption{" + latex_text(caption.text).tex;
  if (continued) text += " (continued)";
  text += "}";
  if (!caption.label.empty() && !continued) text += "\\label{" + caption.label + "}";
  return text;
}

/// The environment of a table: a float, or an unbreakable box with \caption of the right type.
std::pair<const char*, const char*> frame(bool floats) {
  if (floats) return {"\\begin{table}[!htbp]\n\\centering\n", "\\end{table}\n\n"};
  return {
      "\\begin{center}\\begin{minipage}{\\linewidth}\\centering\n"
      "\\makeatletter\\def\\@captype{table}\\makeatother\n",
      "\\end{minipage}\\end{center}\n\n"};
}

std::string framed_text(const std::vector<Panel>& panels, const LatexCaption& caption,
                        bool continued, const std::string& remark) {
  const auto [begin, end] = frame(caption.floats);
  std::string text = begin + caption_text(caption, continued) + "\n";
  for (const Panel& panel : panels) {
    text += &panel == &panels.front() ? "\\smallskip\n" : "\n\\medskip\n";
    text += fmt::format("{}\\begin{{tabular}}{{{}}}\n{}{}\\bottomrule\n\\end{{tabular}}\n",
                        panel.size.command, column_letters(panel), header_text(panel),
                        body_text(panel));
  }
  if (!remark.empty()) text += "\n\\smallskip\n" + remark + "\n";
  return text + end;
}

std::string long_text(const Panel& panel, const std::string& caption, const std::string& remark) {
  return fmt::format(
      "{{{}\\begin{{longtable}}{{{}}}\n{}\\\\\n{}\\endfirsthead\n{}\\endhead\n"
      "\\bottomrule\n\\endfoot\n{}\\end{{longtable}}{}}}\n\n",
      panel.size.command, column_letters(panel), caption, header_text(panel), header_text(panel),
      body_text(panel), remark.empty() ? "" : "\n" + remark + "\n");
}

}  // namespace

std::string latex_table(const TextTable& table, const LatexCaption& caption, double width) {
  std::string remark;
  const std::vector<Panel> panels = laid_out(columns_of(table), width, remark);
  double lines = 0.0;
  for (const Panel& panel : panels) lines += panel.lines();
  if (lines <= most_lines) return framed_text(panels, caption, false, remark);
  std::string text;
  for (const Panel& panel : panels) {
    const bool continued = &panel != &panels.front();
    const std::string also = &panel == &panels.back() ? remark : "";
    text += panel.lines() <= most_lines ? framed_text({panel}, caption, continued, also)
                                        : long_text(panel, caption_text(caption, continued), also);
  }
  return text;
}

std::vector<double> latex_table_widths(const TextTable& table, double width) {
  std::string remark;
  std::vector<double> widths;
  for (const Panel& panel : laid_out(columns_of(table), width, remark))
    widths.push_back(panel.width());
  return widths;
}

std::string latex_packages(const std::string& tex) {
  std::string names;
  if (tex.find("\\arraybackslash") != std::string::npos) names += "array,";
  names += "booktabs";
  if (tex.find("\\begin{longtable}") != std::string::npos) names += ",longtable";
  return "\\usepackage{" + names + "}";
}

}  // namespace rigidlimit
