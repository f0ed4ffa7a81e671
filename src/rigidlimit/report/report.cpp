#include "rigidlimit/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "rigidlimit/core/evenly_spaced.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/html.hpp"
#include "rigidlimit/report/latex.hpp"
#include "rigidlimit/report/results_folder.hpp"

namespace rigidlimit {

namespace {

constexpr std::array<std::pair<const char*, Format>, 6> formats{{{"csv", Format::csv},
                                                                 {"html", Format::html},
                                                                 {"json", Format::json},
                                                                 {"latex", Format::latex},
                                                                 {"markdown", Format::markdown},
                                                                 {"table", Format::table}}};

/// Columns padded with blanks, with ANSI colours if `colour`.
struct TerminalWriter {
  bool colour;
  std::string title(const Report& report) const {
    return report.question.empty()
               ? report.name + "\n"
               : fmt::format("{}: {}\n", report.name, printable(report.question));
  }
  std::string lines(const Lines& texts) const {
    Lines clean;
    for (const std::string& text : texts) clean.push_back(printable(text));
    return fmt::format("  {}\n\n", fmt::join(clean, "\n  "));
  }
  std::string table(const CaptionedTable& t) const {
    return t.caption + "\n" + terminal_text(t.table, colour) + "\n";
  }
  std::string verdict(const Report& report) const {
    return toned(report.verdict, report.held ? Tone::good : Tone::bad, colour) + "\n";
  }
};

/// GitHub Markdown.
struct MarkdownWriter {
  std::string title(const Report& report) const {
    return fmt::format("## {}\n\n{}{}", report.name, markdown_escaped(report.question),
                       report.question.empty() ? "" : "\n\n");
  }
  std::string lines(const Lines& texts) const {
    std::string text;
    for (const std::string& line : texts) text += "* " + markdown_words(line) + "\n";
    return text + "\n";
  }
  std::string table(const CaptionedTable& t) const {
    return fmt::format("**{}**\n\n{}\n", markdown_words(t.caption), markdown_text(t.table));
  }
  std::string verdict(const Report& report) const { return report.verdict + "\n"; }
};

/// For \input; the first line lists the required packages.
struct LatexWriter {
  std::string study;  ///< name, for the labels
  bool siunitx = false;
  std::string title(const Report& report) const {
    return fmt::format(
        "% needs \\usepackage{{array,booktabs,float{}}}\n{{\\sloppy\\paragraph{{{}}} "
        "{}\\par}}\n\n",
        siunitx ? ",siunitx" : "", latex_text(report.name), latex_text(report.question));
  }
  std::string lines(const Lines& texts) const {
    std::string text = "\\begin{itemize}\\sloppy\n";
    // No bullet: its font may be missing in a small installation.
    for (const std::string& line : texts) text += "\\item[--] " + latex_text(line) + "\n";
    return text + "\\end{itemize}\n\n";
  }
  std::string table(const CaptionedTable& t) const {
    return latex_table(t.table, {.caption = t.caption,
                                 .label = latex_label(study, t.key),
                                 .place = "H",
                                 .siunitx = siunitx});
  }
  std::string verdict(const Report& report) const {
    return "{\\sloppy " + latex_text(report.verdict) + "\\par}\n";
  }
};

/// The parts of a report in their order.
template <class Writer>
std::string composed(const Report& report, const Writer& writer) {
  std::string text = writer.title(report);
  if (!report.heading.empty()) text += writer.lines(report.heading);
  for (const auto& part : report.body)
    if (const auto* lines = std::get_if<Lines>(&part))
      text += lines->empty() ? "" : writer.lines(*lines);
    else if (const auto& table = std::get<CaptionedTable>(part); !table.table.rows.empty())
      text += writer.table(shortened(table));
  if (!report.remarks.empty()) text += writer.lines(report.remarks);
  return report.verdict.empty() ? text : text + writer.verdict(report);
}

std::string page_of(const Report& report, Format format, bool colour, bool siunitx = false) {
  if (format == Format::markdown) return composed(report, MarkdownWriter{});
  if (format == Format::latex) return composed(report, LatexWriter{report.name, siunitx});
  if (format == Format::html) return html_text(report);
  return composed(report, TerminalWriter{colour});
}

const DataTable& plain_csv_of(const Report& report) {
  const auto named = std::ranges::find(report.tables, report.plain_csv, &DataTable::name);
  return named == report.tables.end() ? report.tables.front() : *named;
}

/// Repeats the header only if the columns change.
std::string csv_of(const std::vector<Report>& reports) {
  std::string text, last;
  for (const Report& report : reports) {
    const DataTable& table = plain_csv_of(report);
    const std::string header = csv_header(table);
    if (header != last) text += (text.empty() ? "" : "\n") + header;
    last = header;
    text += csv_lines(table);
  }
  return text;
}

std::string json_of(const std::vector<Report>& reports) {
  std::vector<Document> documents;
  for (const Report& report : reports) documents.push_back(report.document);
  return json_text(documents);
}

std::vector<TextTable> summaries(const std::vector<Report>& reports) {
  std::vector<TextTable> tables;
  for (const Report& report : reports) {
    if (report.summary.rows.empty()) continue;
    const auto same = std::ranges::find(tables, report.summary.headers, &TextTable::headers);
    if (same == tables.end())
      tables.push_back(report.summary);
    else
      same->rows.push_back(report.summary.rows.front());
  }
  std::erase_if(tables, [](const TextTable& table) { return table.rows.size() < 2; });
  return tables;
}

}  // namespace

CaptionedTable shortened(const CaptionedTable& whole) {
  const std::size_t all = whole.table.rows.size();
  if (all <= longest_table) return whole;
  CaptionedTable few = whole;
  few.table.rows.clear();
  for (const std::size_t k : evenly_spaced(all, shortened_table))
    few.table.rows.push_back(whole.table.rows[k]);
  few.caption += fmt::format("{}{} of {} rows; the CSV files have all",
                             few.caption.empty() ? "" : "; ", shortened_table, all);
  return few;
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) names.emplace_back(name);
  return names;
}

Format format_named(const std::string& name) {
  const auto* const at = std::ranges::find(formats, name, [](const auto& f) { return f.first; });
  if (at == formats.end()) throw std::invalid_argument("no format: " + name);
  return at->second;
}

namespace {

bool is_of_orders(const CaptionedTable& table) {
  return (table.key == "orders" || table.key == "coefficients") && !table.table.rows.empty();
}

/// Removes rows until at most `most` are left; rows without expectations first.
void shorten(TextTable& table, std::size_t most) {
  const auto column = std::ranges::find(table.headers, "expected") - table.headers.begin();
  if (table.rows.size() > most)
    std::erase_if(table.rows, [&](const std::vector<Cell>& row) {
      return column < std::ssize(row) && row[static_cast<std::size_t>(column)].text == "-";
    });
  if (table.rows.size() > most) table.rows.resize(most);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string brief_text(const Report& report, bool colour) {
  std::vector<CaptionedTable> tables;
  for (const auto& part : report.body)
    if (const auto* table = std::get_if<CaptionedTable>(&part); table && is_of_orders(*table))
      tables.push_back(*table);
  std::vector<std::string> verdict = lines_of(report.verdict);
  constexpr std::size_t most_verdicts = 8;
  const std::size_t unsaid = verdict.size() - std::min(verdict.size(), most_verdicts);
  verdict.resize(verdict.size() - unsaid);
  if (unsaid > 0)
    verdict.push_back(fmt::format("  {} more: 'rigidlimit check' prints all", unsaid));

  // Count the title, the line about omitted rows, and the caption, header and rule of each table.
  std::size_t left = brief_lines - 2 - std::min(brief_lines - 2, verdict.size());
  std::size_t omitted = 0;
  const TerminalWriter writer{colour};
  std::string text = writer.title(report);
  for (CaptionedTable& table : tables) {
    const std::size_t rows = table.table.rows.size();
    left -= std::min<std::size_t>(left, 3);
    shorten(table.table, left);
    left -= table.table.rows.size();
    omitted += rows - table.table.rows.size();
    if (!table.table.rows.empty())
      text += table.caption + "\n" + terminal_text(table.table, colour);
  }
  if (omitted > 0) text += fmt::format("{} more rows without --brief\n", omitted);
  const Tone tone = report.held ? Tone::good : Tone::bad;
  return text + toned(fmt::format("{}", fmt::join(verdict, "\n")), tone, colour);
}

std::string summary_text(const std::vector<Report>& reports, Format format, bool colour) {
  std::string text;
  for (const TextTable& table : summaries(reports))
    text += format == Format::markdown ? "\n## Summary\n\n" + markdown_text(table)
            : format == Format::html   ? "\n" + html_text({"summary", "Summary", table}, true)
                                       : "\nSummary\n" + terminal_text(table, colour);
  return text;
}

std::string formatted(const std::vector<Report>& reports, Format format, bool colour,
                      bool siunitx) {
  if (format == Format::json) return json_of(reports);
  if (format == Format::csv) return csv_of(reports);
  std::string text;
  for (const Report& report : reports) {
    if (!text.empty()) text += '\n';
    text += page_of(report, format, colour, siunitx);
  }
  return format == Format::latex ? text : text + summary_text(reports, format, colour);
}

std::string formatted(const CaptionedTable& table, Format format, bool colour) {
  if (format == Format::html) return html_text(table, true);
  if (format == Format::latex)
    return latex_table(table.table, {.caption = table.caption, .label = {}});
  return format == Format::markdown ? MarkdownWriter{}.table(table)
                                    : TerminalWriter{colour}.table(table);
}

std::string joined(const std::vector<std::string>& texts, Format format) {
  if (texts.size() == 1) return texts.front();
  if (format == Format::json) {
    auto all = nlohmann::ordered_json::array();
    for (const std::string& text : texts)
      for (auto& one : nlohmann::ordered_json::parse(text)) all.push_back(std::move(one));
    return all.dump(1) + "\n";
  }
  std::string all;
  for (const std::string& text : texts) {
    if (all.empty())
      all = text;
    else if (format == Format::csv)  // one header
      all += text.substr(std::min(text.size(), text.find('\n') + 1));
    else
      all += "\n" + text;
  }
  return all;
}

void write_report(const Report& report, const std::string& directory) {
  ResultsFolder folder(directory);
  folder.write("resolved.toml", report.resolved);
  folder.write("result.txt", page_of(report, Format::table, false));
  for (const DataTable& table : report.tables)
    folder.write(table.name + ".csv", [&](std::ostream& out) { write_csv(out, table); });
  folder.write("result.json", [&](std::ostream& out) { write_json(out, report.document); });
  folder.write("result.md", page_of(report, Format::markdown, false));
  folder.write("result.tex", page_of(report, Format::latex, false));
  folder.write("result.html", page_of(report, Format::html, false));
}

std::string directory_of(const std::string& results, const Report& report) {
  return (std::filesystem::path(results) / report.name).string();
}

JunitSuite junit_suite(const Report& report) {
  JunitSuite suite{report.name, report.claims};
  for (JunitCase& one : suite.cases) {
    one.unjudged = one.failed && !report.has_numbers;
    if (!one.point.empty()) one.name = one.point + ": " + one.name;
  }
  return suite;
}

}  // namespace rigidlimit
