#include "rigidlimit/report/reproduction_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/result_document.hpp"

namespace rigidlimit {

namespace {

/// A number with six digits; any other text unchanged.
std::string short_number(const std::string& text) {
  try {
    std::size_t read = 0;
    const double value = std::stod(text, &read);
    return read == text.size() ? fmt::format("{:.6g}", value) : text;
  } catch (const std::exception&) {
    return text;
  }
}

Columns<ColumnDifference> difference_columns() {
  using D = ColumnDifference;
  return {{"table", "table", &D::table},
          {"column", "column", &D::column},
          {"values", "values", &D::cells, "{}"},
          {"differing", "differ", &D::differing, "{}"},
          {"has_bars", {}, &D::has_bars},
          {"beyond_bars", {}, &D::beyond},
          {"", "beyond bars", [](const D& d) { return d.has_bars ? Value(d.beyond) : Value(); },
           "{}", [](const D& d) { return d.beyond > 0 ? Tone::bad : Tone::plain; }},
          {"largest_relative", "largest, relative", [](const D& d) { return d.worst.relative; },
           "{:.1e}"},
          {"largest_in_bars", "in error bars", [](const D& d) { return d.worst.bars; }, "{:.2g}"},
          {"archive", {}, [](const D& d) { return d.worst.then; }},
          {"here", {}, [](const D& d) { return d.worst.now; }},
          {"", "archive", [](const D& d) { return short_number(d.worst.then); }, "{}"},
          {"", "here", [](const D& d) { return short_number(d.worst.now); }, "{}"},
          {"row", "row", [](const D& d) { return d.worst.row; }}};
}

std::vector<ColumnDifference> differing(std::vector<ColumnDifference> columns) {
  std::erase_if(columns, [](const ColumnDifference& d) { return d.differing == 0; });
  return columns;
}

/// The programs and libraries that differ.
TextTable origin_table(const ResultDifference& found) {
  TextTable table{{"", "archive", "here"}, {true, true, true}, {}};
  for (const auto& [key, then, now] : found.origins)
    if (then != now && key != "program_code") table.rows.push_back({{key}, {then}, {now}});
  return table;
}

/// "archive: rigidlimit 0.2.0, commit …, GNU 12.2.0, …".
std::string made_by(const ResultDifference& found) {
  std::vector<std::string> parts;
  for (const auto& [key, then, now] : found.origins)
    if (key != "program_code" && key != "flags")
      parts.push_back(key == "program" || key == "compiler" || key == "processor"
                          ? then
                          : fmt::format("{} {}", key, then));
  return fmt::format("archive: {}", fmt::join(parts, ", "));
}

DataTable origin_rows(const ResultDifference& found) {
  DataTable table{"programs", {}, {}, {}};
  for (const auto& [key, then, now] : found.origins)
    table.records.push_back({{"key", key}, {"archive", then}, {"here", now}});
  return table;
}

/// At most twelve texts.
Lines listed(const std::vector<std::string>& texts, const char* head) {
  constexpr std::size_t most = 12;
  Lines lines;
  for (std::size_t k = 0; k < std::min(most, texts.size()); ++k)
    lines.push_back(fmt::format("{}{}", head, texts[k]));
  if (texts.size() > most) lines.push_back(fmt::format("{}{} more", head, texts.size() - most));
  return lines;
}

JunitCase claim(const char* name, bool held, std::string message) {
  return {.name = name,
          .group = "claims",
          .state = state_if(held),
          .type = "not reproduced",
          .message = std::move(message),
          .reason = {}};
}

std::vector<JunitCase> claims_of(const ResultDifference& found) {
  return {claim("every claim has its verdict", found.changed_claims == 0,
                fmt::format("{} of {} claims have another verdict", found.changed_claims,
                            found.claims)),
          claim("every number of evidence agrees within its error bars", found.beyond == 0,
                fmt::format("{} of {} numbers differ by more than {:g} error bars", found.beyond,
                            found.with_bars, most_bars)),
          claim("both results have the same rows", found.missing.empty() && found.extra.empty(),
                fmt::format("{} rows are missing, {} are new", found.missing.size(),
                            found.extra.size()))};
}

std::string verdict_of(const std::string& name, const ResultDifference& found) {
  std::string text =
      fmt::format("{}: {}", name, found.reproduced() ? "reproduced" : "not reproduced");
  if (found.claims > 0)
    text += fmt::format(", {} of {} claims have the archive's verdict",
                        found.claims - found.changed_claims, found.claims);
  if (found.with_bars > 0)
    text += fmt::format(", {} of {} numbers agree within {:g} error bars",
                        found.with_bars - found.beyond, found.with_bars, most_bars);
  text += fmt::format(", {} of {} values are equal", found.cells - found.differing, found.cells);
  for (const std::string& changed : found.changed)
    text += fmt::format("\n{}: {}", name, printable(changed));
  return text;
}

}  // namespace

Report reproduction_report(const Report& repeated, const ResultDifference& found) {
  Report report{.name = repeated.name,
                .kind = "reproduction",
                .is_sweep = repeated.is_sweep,
                .question = "Does the result of the archive come out again?",
                .source = repeated.source,
                .heading = {made_by(found)},
                .body = {},
                .remarks = {},
                .verdict = verdict_of(repeated.name, found),
                .interrupted = repeated.interrupted,
                .has_numbers = repeated.has_numbers,
                .claims = claims_of(found),
                .tables = {data_table("columns", {{"name", repeated.name}}, difference_columns(),
                                      found.columns)},
                .resolved = repeated.resolved};
  report.body.emplace_back(
      CaptionedTable{"programs", "Programs and libraries that differ", origin_table(found)});
  report.body.emplace_back(
      CaptionedTable{"columns", "Columns that differ, with their largest difference",
                     text_table(difference_columns(), differing(found.columns), 2)});
  for (const Lines& lines :
       {listed(found.missing, "missing here: "), listed(found.extra, "only here: ")})
    report.remarks.insert(report.remarks.end(), lines.begin(), lines.end());
  if (found.differing == 0) report.remarks.emplace_back("all values are equal to the last digit");
  conclude(report);
  report.document = result_document(report, {{"reproduced", Value(found.reproduced())},
                                             {"values", Value(found.cells)},
                                             {"equal_values", Value(found.cells - found.differing)},
                                             {"numbers_with_bars", Value(found.with_bars)},
                                             {"beyond_bars", Value(found.beyond)},
                                             {"changed_claims", Value(found.changed)},
                                             {"missing", Value(found.missing)},
                                             {"extra", Value(found.extra)},
                                             {"programs", origin_rows(found)},
                                             {"columns", report.tables.front()}});
  return report;
}

}  // namespace rigidlimit
