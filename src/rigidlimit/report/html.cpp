#include "rigidlimit/report/html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string_view>

#include "rigidlimit/core/letters.hpp"
#include "rigidlimit/report/unit_words.hpp"

namespace rigidlimit {

namespace {

/// Of a document alone; tables have the size of those on pages (templates/style.css).
constexpr const char* page_style =
    ":root{color-scheme:light dark}"
    "body{max-width:70rem;margin:0 auto;padding:1rem;line-height:1.5;overflow-wrap:anywhere;"
    "font-family:system-ui,sans-serif}"
    ".rigidlimit table{font-size:.82rem}.rigidlimit .scroll{overflow-wrap:normal}";

/// Suits light and dark notebooks; pages have a style of their own.
constexpr const char* style =
    ".rigidlimit table{border-collapse:collapse;font-size:.95em;font-variant-numeric:tabular-nums}"
    ".rigidlimit th,.rigidlimit td{padding:.1em .6em;text-align:left;vertical-align:top}"
    ".rigidlimit td{white-space:nowrap}"
    ".rigidlimit .phrase,.rigidlimit .long{white-space:normal;min-width:9em}"
    ".rigidlimit .long{min-width:16em}"
    ".rigidlimit .number{text-align:right}"
    ".rigidlimit .scroll{overflow-x:auto}.rigidlimit sup{line-height:0}"
    ".rigidlimit .good{color:#3a9a50}.rigidlimit .bad{color:#d9534f}"
    ".rigidlimit .open{color:#c77f00}.rigidlimit .faint{opacity:.7}";

/// Characters of a text that stays on one line, and of one that is broken into a few lines if the
/// table is wider than the page.
constexpr std::size_t longest_line = 16, longest_phrase = 60;
/// Of a line of a table in a document or on a page of `rigidlimit report` that is 1000 CSS pixels
/// wide: 940 without the margins. A character takes at most 8.8, with those of bold headers.
constexpr std::size_t page_characters = 106;
constexpr std::size_t most_claims = 12;  ///< of more, those that hold are folded

/// As in XML, and apostrophes; with raised powers of units.
std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : xml_escaped(with_raised_units(text)))
    html += c == '\'' ? "&apos;" : std::string(1, c);
  return html;
}

/// An escaped text of numbers: 1.75e-03 as 1.75·10<sup>−3</sup>.
std::string with_powers(std::string_view text) {
  std::string html;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool signed_exponent =
        k + 2 < text.size() && (text[k + 1] == '-' || text[k + 1] == '+') && is_digit(text[k + 2]);
    if (text[k] != 'e' || k == 0 || !is_digit(text[k - 1]) || !signed_exponent) {
      html += text[k];
      continue;
    }
    const char* const sign = text[k + 1] == '-' ? "−" : "";
    for (k += 2; k + 1 < text.size() && text[k] == '0' && is_digit(text[k + 1]);) ++k;
    const std::size_t from = k;
    while (k + 1 < text.size() && is_digit(text[k + 1])) ++k;
    const std::string_view exponent = text.substr(from, k + 1 - from);
    if (exponent != "0") html += fmt::format("·10<sup>{}{}</sup>", sign, exponent);
  }
  return html;
}

const char* class_of(Tone tone) {
  switch (tone) {
    case Tone::good: return "good";
    case Tone::bad: return "bad";
    case Tone::doubtful: return "open";
    case Tone::faint: return "faint";
    case Tone::plain: break;
  }
  return "";
}

std::string html_row(const char* tag, const std::vector<Cell>& cells,
                     const std::vector<bool>& left_aligned) {
  std::string html = "<tr>";
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const bool number = k < left_aligned.size() && !left_aligned[k];
    const std::string text = escaped(cells[k].text);
    std::string classes = number ? "number" : "";
    const std::size_t width = number ? 0 : display_width(cells[k].text);
    if (width > longest_line) classes = width > longest_phrase ? "long" : "phrase";
    if (const std::string tone = class_of(cells[k].tone); !tone.empty())
      classes += (classes.empty() ? "" : " ") + tone;
    html += fmt::format("<{0}{1}>{2}</{0}>", tag,
                        classes.empty() ? "" : fmt::format(" class=\"{}\"", classes),
                        number ? with_powers(text) : text);
  }
  return html + "</tr>\n";
}

/// The least characters of a text on a line: its longest word, and min-width of its class.
std::size_t least_width(const std::string& text) {
  const std::size_t all = display_width(text);
  if (all <= longest_line) return all;
  std::size_t least = all > longest_phrase ? 30 : longest_line;
  std::istringstream words(text);
  for (std::string word; words >> word;) least = std::max(least, display_width(word));
  return least;
}

/// Tenths of a character, with the padding, in the narrowest layout.
std::size_t least_width(const TextTable& table, std::size_t column) {
  std::size_t most = 0;
  std::istringstream words(table.headers[column]);
  for (std::string word; words >> word;) most = std::max(most, display_width(word));
  for (const auto& row : table.rows)
    most = std::max(most, table.left_aligned[column] ? least_width(row[column].text)
                                                     : display_width(row[column].text));
  return 10 * most + 16;
}

std::string part_of(const std::string& caption, const TextTable& table,
                    const std::vector<std::size_t>& columns) {
  const auto cells_of = [&](const auto& row) {
    std::vector<Cell> cells;
    for (const std::size_t k : columns) cells.push_back(Cell{row[k]});
    return cells;
  };
  std::vector<bool> left_aligned;
  for (const std::size_t k : columns) left_aligned.push_back(table.left_aligned[k]);
  std::string html = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\"><table>\n"
      "<thead>{}</thead>\n<tbody>\n",
      escaped(caption), html_row("th", cells_of(table.headers), left_aligned));
  for (const auto& row : table.rows) html += html_row("td", cells_of(row), left_aligned);
  return html + "</tbody>\n</table></div>\n";
}

/// The parts of a table that fit a page, below each other, each with the keys.
std::string table_of(const std::string& caption, const TextTable& table) {
  std::vector<std::size_t> all(table.headers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto fits = [&](const std::vector<std::size_t>& columns) {
    std::size_t width = 0;
    for (const std::size_t k : columns) width += least_width(table, k);
    return width <= 10 * page_characters;
  };
  if (fits(all)) return part_of(caption, table, all);
  std::string html;
  for (const std::vector<std::size_t>& columns : parts_of(table, fits))
    html += part_of(caption, table, columns);
  return html;
}

std::string folded(const std::string& summary, const std::string& content, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open=\"\"" : "",
                     escaped(summary), content);
}

std::string html_list(const Lines& lines) {
  std::string html = "<ul>\n";
  for (const std::string& line : lines) html += fmt::format("<li>{}</li>\n", escaped(line));
  return lines.empty() ? "" : html + "</ul>\n";
}

/// The claims of a sweep name their point.
CaptionedTable claim_table(const std::vector<JudgedClaim>& claims, bool failed) {
  TextTable table{
      .headers = {"", "claim", "found"}, .left_aligned = {true, true, true}, .rows = {}};
  for (const JudgedClaim& claim : claims)
    if (claim.held() != failed)
      table.rows.push_back({{failed ? "✗" : "✓", failed ? Tone::bad : Tone::good},
                            {claim.point.empty() ? claim.name : claim.point + ": " + claim.name},
                            {claim.message}});
  const std::size_t count = table.rows.size();
  return {"claims",
          fmt::format("{} {}", count == 1 ? "Claim that" : fmt::format("{} claims that", count),
                      failed       ? "failed"
                      : count == 1 ? "holds"
                                   : "hold"),
          std::move(table)};
}

/// The tables that answer the question stand before the others.
bool is_answer(const std::string& key) {
  return key.starts_with("orders") || key == "coefficients" || key == "points" ||
         key == "winners" || key == "laws" || key == "events";
}

}  // namespace

std::string html_text(const CaptionedTable& table, bool open) {
  const CaptionedTable narrow = compacted(table);
  const std::string caption = caption_sentences(narrow);
  return folded(caption, table_of(caption, narrow.table), open);
}

namespace {

std::string section_of(const Result& report, const std::string& styles) {
  std::string html =
      fmt::format("<section class=\"rigidlimit\">\n{}<header><h2>{}</h2>\n<p>{}</p></header>\n",
                  styles, escaped(report.name), escaped(report.question));
  if (!report.verdict.empty()) {
    const Cell mark = report.interrupted ? Cell{"…", Tone::doubtful}
                      : report.held()    ? Cell{"✓", Tone::good}
                                         : Cell{"✗", Tone::bad};
    html += fmt::format("<p class=\"{}\">{} <strong>{}</strong></p>\n", class_of(mark.tone),
                        mark.text, escaped(report.verdict.substr(0, report.verdict.find('\n'))));
  }
  for (const bool failed : {true, false})
    if (const CaptionedTable claims = claim_table(report.claims, failed);
        !claims.table.rows.empty())
      html += html_text(shortened(claims), failed || report.claims.size() <= most_claims);
  html += html_list(report.heading);
  std::string answers, others;
  bool shows_errors = false;
  for (const View& view : report.views) {
    if (!view.on_page && !view.in_details) continue;
    const std::optional<CaptionedTable> table = shown(report, view);
    if (!table) continue;
    const bool answer = view.on_page && is_answer(table->key);
    const bool first_errors = table->key.starts_with("errors") && !shows_errors;
    shows_errors = shows_errors || first_errors;
    (answer ? answers : others) += html_text(shortened(*table), answer || first_errors);
    if (!view.says.empty()) others += html_list({view.says});
  }
  return html + answers + others + html_list(report.remarks) + "</section>\n";
}

/// "knife_edge: held", from "knife_edge: held, 7 of 7 claims".
std::string title_of(const Result& report) {
  const std::string title = report.verdict.substr(0, report.verdict.find_first_of(",\n"));
  return title.empty() ? report.name : title;
}

/// The text between two tags; all of it without them.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin), to = text.rfind(end);
  if (from == text.npos || to == text.npos || to < from + begin.size()) return text;
  return text.substr(from + begin.size(), to - from - begin.size());
}

}  // namespace

std::string html_fragment(const Result& report) {
  return section_of(report, fmt::format("<style>{}</style>\n", style));
}

std::string html_document(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(std::string(title)), style, page_style, body);
}

std::string html_document(const std::vector<Result>& reports, std::string_view more) {
  std::string body;
  std::vector<std::string> titles;
  for (const Result& report : reports) {
    body += (body.empty() ? "" : "\n") + section_of(report, "");
    titles.push_back(reports.size() == 1 ? title_of(report) : report.name);
  }
  return html_document(fmt::format("{}", fmt::join(titles, ", ")), body + std::string(more));
}

std::string html_body(std::string_view document) {
  return std::string(between(document, "<body>\n", "</body>"));
}

}  // namespace rigidlimit
