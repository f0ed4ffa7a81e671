#include "rigidlimit/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/evenly_spaced.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/report/document.hpp"
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

/// The first lines, and the number of the others.
void shorten(std::vector<std::string>& lines, std::size_t most) {
  if (lines.size() <= most) return;
  lines.push_back(fmt::format("  … {} more: --full prints all", lines.size() - most + 1));
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(most) - 1, lines.end() - 1);
}

/// The lines of the verdict, at most `most`, the first one in colour.
std::string verdict_text(const Result& report, const Screen& screen, std::size_t most = 100'000) {
  std::istringstream stream(report.verdict.empty() ? report.name : report.verdict);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  shorten(lines, most);
  std::string text = toned(paragraph(lines.front(), 0, screen.width),
                           report.held() ? Tone::good : Tone::bad, screen.colour);
  for (std::size_t k = 1; k < lines.size(); ++k)
    text += paragraph(printable(lines[k]), lines[k].find_first_not_of(' '), screen.width);
  return text;
}

/// Columns padded with blanks, in the width of a screen.
struct TerminalWriter {
  Screen screen;
  std::string title(const Result& report) const {
    return report.question.empty()
               ? report.name + "\n"
               : paragraph(report.name + ": " + printable(report.question), 0, screen.width);
  }
  std::string lines(const Lines& texts) const {
    std::string text;
    for (const std::string& line : texts) text += paragraph(printable(line), 2, screen.width);
    return text + "\n";
  }
  std::string table(const CaptionedTable& t) const { return terminal_text(t, screen) + "\n"; }
  std::string verdict(const Result& report) const { return verdict_text(report, screen); }
};

/// GitHub Markdown.
struct MarkdownWriter {
  std::string title(const Result& report) const {
    return fmt::format("## {}\n\n{}{}", report.name, markdown_escaped(report.question),
                       report.question.empty() ? "" : "\n\n");
  }
  std::string lines(const Lines& texts) const {
    std::string text;
    for (const std::string& line : texts) text += "* " + markdown_words(line) + "\n";
    return text + "\n";
  }
  std::string table(const CaptionedTable& t) const {
    const CaptionedTable narrow = compacted(t);
    return fmt::format("**{}**\n\n{}\n", markdown_words(caption_sentences(narrow)),
                       markdown_text(narrow.table));
  }
  std::string verdict(const Result& report) const {
    std::istringstream lines(report.verdict);
    std::string text;
    for (std::string line; std::getline(lines, line);) text += markdown_words(line) + "\n";
    return text;
  }
};

/// For \input; the first line lists the required packages.
struct LatexWriter {
  std::string study;  ///< name, for the labels
  bool siunitx = false;
  std::string title(const Result& report) const {
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
    return latex_table(
        t, {.label = latex_label(study, t.key), .study = study, .place = "H", .siunitx = siunitx});
  }
  std::string verdict(const Result& report) const {
    return "{\\sloppy " + latex_text(report.verdict) + "\\par}\n";
  }
};

/// The parts of a report in their order.
template <class Writer>
std::string composed(const Result& report, const Writer& writer) {
  std::string text = writer.title(report);
  if (!report.heading.empty()) text += writer.lines(report.heading);
  for (const View& view : report.views) {
    if (!view.on_page) continue;
    const std::optional<CaptionedTable> table = shown(report, view);
    if (!table) continue;
    text += writer.table(shortened(*table));
    if (!view.says.empty()) text += writer.lines({view.says});
  }
  if (!report.remarks.empty()) text += writer.lines(report.remarks);
  return report.verdict.empty() ? text : text + writer.verdict(report);
}

std::string page_of(const Result& report, Format format, const Screen& screen,
                    bool siunitx = false) {
  if (format == Format::markdown) return composed(report, MarkdownWriter{});
  if (format == Format::latex) return composed(report, LatexWriter{report.name, siunitx});
  if (format == Format::html) return html_document({report}, "");
  return composed(report, TerminalWriter{screen});
}

const Table& plain_csv_of(const Result& report) {
  const Table* const named = report.find(report.plain_csv);
  return named == nullptr ? report.tables.front() : *named;
}

std::string csv_of(const std::vector<Result>& reports) {
  std::vector<Table> tables;
  for (const Result& report : reports) tables.push_back(plain_csv_of(report));
  return csv_text(tables);
}

Document document_of(const Result& report) {
  Document document{.head = {{"name", report.name},
                             {"kind", report.kind},
                             {"sweep", report.is_sweep},
                             {"question", report.question},
                             {"source", report.source},
                             {"held", report.held()},
                             {"interrupted", report.interrupted}},
                    .tables = {},
                    .tail = report.facts};
  for (const Table& table : report.tables)
    if (table.kept() != Kept::in_files) document.tables.push_back(table);
  // The claims, which answer the question, stand first.
  std::ranges::stable_partition(document.tables,
                                [](const Table& table) { return table.name() == "claims"; });
  document.tail.push_back({"notes", report.notes});
  for (const auto& [key, value] : build_provenance())
    document.tail.push_back({"provenance." + key, value});
  document.tail.push_back({"provenance.hash", content_hash(report.resolved)});
  document.tail.push_back({"provenance.resolved", report.resolved});
  return document;
}

/// The summaries with the same columns below each other, if they are several.
std::vector<TextTable> joined_summaries(const std::vector<Table>& summaries) {
  std::vector<TextTable> tables;
  for (const Table& summary : summaries) {
    TextTable text = text_table(summary);
    const auto same = std::ranges::find(tables, text.headers, &TextTable::headers);
    if (same == tables.end())
      tables.push_back(std::move(text));
    else
      std::ranges::move(text.rows, std::back_inserter(same->rows));
  }
  std::erase_if(tables, [](const TextTable& table) { return table.rows.size() < 2; });
  return tables;
}

}  // namespace

namespace {

/// The rows with these numbers; the caption says how many there are.
CaptionedTable with_rows(CaptionedTable table, const std::vector<std::size_t>& chosen,
                         const char* all_rows) {
  const std::size_t all = table.table.rows.size();
  std::vector<std::vector<Cell>> few;
  for (const std::size_t k : chosen) few.push_back(std::move(table.table.rows[k]));
  table.table.rows = std::move(few);
  table.remarks.push_back(fmt::format("{} of {} rows", chosen.size(), all));
  table.remarks.emplace_back(all_rows);
  return table;
}

}  // namespace

CaptionedTable shortened(const CaptionedTable& whole) {
  if (whole.table.rows.size() <= longest_table) return whole;
  return with_rows(whole, evenly_spaced(whole.table.rows.size(), shortened_table),
                   "the CSV files have all");
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) names.emplace_back(name);
  return names;
}

Format format_named(const std::string& name) {
  const auto* const at = std::ranges::find(formats, name, [](const auto& f) { return f.first; });
  if (at == formats.end())
    throw InputError(
        fmt::format("'{}' is not a format{}", name, suggestion(name, names_of_formats())),
        "format");
  return at->second;
}

namespace {

/// `most` rows: of errors at equal distances; of other tables first those with a bad verdict.
CaptionedTable brief_rows(const CaptionedTable& whole, std::size_t most) {
  const auto& rows = whole.table.rows;
  if (rows.size() <= most) return whole;
  if (whole.key.starts_with("errors"))
    return with_rows(whole, evenly_spaced(rows.size(), most), "--full prints all");
  const auto is_bad = [&](std::size_t k) {
    return std::ranges::any_of(
        rows[k], [](const Cell& c) { return c.tone == Tone::bad || c.tone == Tone::doubtful; });
  };
  std::vector<std::size_t> chosen(rows.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::ranges::stable_partition(chosen, is_bad);
  chosen.resize(most);
  std::ranges::sort(chosen);
  return with_rows(whole, chosen, "--full prints all");
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// The tables in at most `most` lines: the longest loses rows, until each has three.
std::string brief_tables(std::vector<CaptionedTable> tables, std::size_t most,
                         const Screen& screen) {
  std::vector<std::size_t> rows;
  for (CaptionedTable& table : tables) {
    table = compacted(std::move(table));
    rows.push_back(std::min(table.table.rows.size(), shortened_table));
  }
  while (true) {
    std::string text;
    for (std::size_t k = 0; k < tables.size(); ++k)
      text += "\n" + terminal_text(brief_rows(tables[k], rows[k]), screen);
    const auto longest = std::ranges::max_element(rows);
    if (lines_in(text) <= most || *longest <= 3) return text;
    --*longest;
  }
}

}  // namespace

std::string brief_text(const Result& report, const Screen& screen) {
  constexpr std::size_t most_claims = 10, most_remarks = 3, longest_remark = 220;
  std::string text = verdict_text(report, screen, most_claims);
  if (!report.question.empty()) text += paragraph(printable(report.question), 2, screen.width);
  Lines remarks = report.kind == "benchmark" ? report.heading : report.remarks;
  shorten(remarks, most_remarks);
  std::string end = remarks.empty() ? "" : "\n";
  for (const std::string& remark : remarks)
    end += paragraph(shortened(printable(remark), longest_remark), 2, screen.width);

  if (std::ranges::none_of(report.views, &View::in_brief))
    return page_of(report, Format::table, screen);
  std::vector<CaptionedTable> tables;
  for (const View& view : report.views)
    if (view.in_brief)
      if (std::optional<CaptionedTable> table = shown(report, view))
        tables.push_back(*std::move(table));
  const std::size_t said = lines_in(text) + lines_in(end) + 1;  // an empty line ends the text
  const std::size_t most = report.is_sweep ? shortened_table + brief_lines : brief_lines;
  return text + brief_tables(std::move(tables), most - std::min(most, said), screen) + end;
}

std::string summary_text(const std::vector<Table>& summaries, Format format, const Screen& screen) {
  std::string text;
  for (const TextTable& table : joined_summaries(summaries))
    text += format == Format::markdown ? "\n## Summary\n\n" + markdown_text(table)
            : format == Format::html   ? "\n" + html_text({"summary", "Summary", table}, true)
                                       : "\nSummary\n" + terminal_text(table, screen);
  return text;
}

std::string formatted(const std::vector<Result>& reports, Format format, const Screen& screen,
                      bool siunitx) {
  if (format == Format::csv) return csv_of(reports);
  std::string text;
  if (format == Format::json) {
    for (const Result& report : reports) text += json_text(report);
    return text;
  }
  std::vector<Table> summaries;
  for (const Result& report : reports)
    if (const Table* const summary = report.find("summary")) summaries.push_back(*summary);
  const std::string summary =
      format == Format::latex ? "" : summary_text(summaries, format, screen);
  if (format == Format::html) return html_document(reports, summary);
  for (const Result& report : reports) {
    if (!text.empty()) text += '\n';
    text += page_of(report, format, screen, siunitx);
  }
  return text + summary;
}

std::string formatted(const CaptionedTable& table, Format format, const Screen& screen) {
  if (format == Format::html) return html_text(table, true);
  if (format == Format::latex) return latex_table(table);
  return format == Format::markdown ? MarkdownWriter{}.table(table)
                                    : TerminalWriter{screen}.table(table);
}

std::string json_text(const Result& report) {
  return json_text(document_of(report));
}

std::string joined(const std::vector<std::string>& texts, Format format) {
  if (texts.size() == 1) return texts.front();
  std::string all;
  if (format == Format::html) {
    for (const std::string& text : texts) all += html_body(text);
    return html_document("Results", all);
  }
  for (const std::string& text : texts) {
    if (all.empty())
      all = text;
    else if (format == Format::csv)  // one header
      all += text.substr(std::min(text.size(), text.find('\n') + 1));
    else
      all += (format == Format::json ? "" : "\n") + text;
  }
  return all;
}

void write_report(const Result& report, const std::string& directory) {
  ResultsFolder folder(directory);
  folder.write("resolved.toml", report.resolved);
  folder.write("result.txt", page_of(report, Format::table, false));
  for (const Table& table : report.tables)
    if (has_own_file(table))
      folder.write(last_name(table.name()) + ".csv",
                   [&](std::ostream& out) { write_csv(out, table); });
  folder.write("result.json", [&](std::ostream& out) { write_json(out, document_of(report)); });
  folder.write("result.md", page_of(report, Format::markdown, false));
  folder.write("result.tex", page_of(report, Format::latex, false));
  folder.write("result.html", page_of(report, Format::html, false));
}

std::string directory_of(const std::string& results, const Result& report) {
  return (std::filesystem::path(results) / report.name).string();
}

JunitSuite junit_suite(const Result& report) {
  JunitSuite suite{report.name, report.claims};
  for (JudgedClaim& one : suite.cases)
    if (!one.point.empty()) one.name = one.point + ": " + one.name;
  return suite;
}

}  // namespace rigidlimit
