#include "rigidlimit/report/reproduction_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/result/conclusion.hpp"

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

Table difference_rows(const std::string& name, const std::vector<ColumnDifference>& columns) {
  using D = ColumnDifference;
  using C = ColumnOf<D>;
  return table_of<D>(
             "columns",
             {{"table", "table", &D::table},
              {"column", "column", &D::column},
              {"values", "values", &D::cells},
              {"differing", "differ", &D::differing},
              {"has_bars", "", &D::has_bars},
              C("beyond_bars", "beyond bars", &D::beyond, "{}")
                  .toned([](const D& d) { return d.beyond > 0 ? Tone::bad : Tone::plain; })
                  .said([](const D& d) { return d.has_bars ? fmt::format("{}", d.beyond) : "-"; }),
              {"largest_relative", "largest, relative", [](const D& d) { return d.worst.relative; },
               "{:.1e}"},
              {"largest_in_bars", "in error bars", [](const D& d) { return d.worst.bars; },
               "{:.2g}"},
              C(
                  "archive", "archive", [](const D& d) { return d.worst.then; }, "{}")
                  .said([](const D& d) { return short_number(d.worst.then); }),
              C(
                  "here", "here", [](const D& d) { return d.worst.now; }, "{}")
                  .said([](const D& d) { return short_number(d.worst.now); }),
              {"row", "row", [](const D& d) { return d.worst.row; }}},
             columns, 2, {{"name", name}})
      .kept(Kept::everywhere);
}

Table origin_rows(const ResultDifference& found) {
  using O = ResultDifference::Origin;
  return table_of<O>("programs",
                     {{"key", "program", &O::key},
                      {"archive", "archive", &O::then},
                      {"here", "here", &O::now}},
                     found.origins)
      .kept(Kept::in_document);
}

std::vector<View> difference_views() {
  return {{.key = "programs",
           .caption = "Programs and libraries that differ",
           .table = "programs",
           .rows =
               [](const Table& programs, std::size_t row) {
                 return programs.value(row, "archive") != programs.value(row, "here") &&
                        programs.value(row, "key") != Value("program_code");
               }},
          {.key = "columns",
           .caption = "Columns that differ, with their largest difference",
           .table = "columns",
           .columns = {"table", "column", "values", "differing", "beyond_bars", "largest_relative",
                       "largest_in_bars", "archive", "here", "row"},
           .keys = 2,
           .rows = [](const Table& columns, std::size_t row) {
             return columns.number(row, "differing") > 0.0;
           }}};
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

/// At most twelve texts.
Lines listed(const std::vector<std::string>& texts, const char* head) {
  constexpr std::size_t most = 12;
  Lines lines;
  for (std::size_t k = 0; k < std::min(most, texts.size()); ++k)
    lines.push_back(fmt::format("{}{}", head, texts[k]));
  if (texts.size() > most) lines.push_back(fmt::format("{}{} more", head, texts.size() - most));
  return lines;
}

JudgedClaim claim(const char* name, bool held, std::string message) {
  return {.name = name,
          .group = "claims",
          .state = state_if(held),
          .type = "not reproduced",
          .message = std::move(message),
          .reason = {}};
}

std::vector<JudgedClaim> reproduction_claims(const ResultDifference& found) {
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

std::string reproduction_verdict(const std::string& name, const ResultDifference& found) {
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

Result reproduction_report(const Result& repeated, const ResultDifference& found) {
  Result report{.name = repeated.name,
                .kind = "reproduction",
                .is_sweep = repeated.is_sweep,
                .question = "Does the result of the archive come out again?",
                .source = repeated.source,
                .heading = {made_by(found)},
                .facts = {{"reproduced", found.reproduced()},
                          {"values", found.cells},
                          {"equal_values", found.cells - found.differing},
                          {"numbers_with_bars", found.with_bars},
                          {"beyond_bars", found.beyond},
                          {"changed_claims", found.changed},
                          {"missing", found.missing},
                          {"extra", found.extra}},
                .tables = {difference_rows(repeated.name, found.columns), origin_rows(found)},
                .views = difference_views(),
                .verdict = reproduction_verdict(repeated.name, found),
                .interrupted = repeated.interrupted,
                .has_numbers = repeated.has_numbers,
                .claims = reproduction_claims(found),
                .resolved = repeated.resolved};
  for (const Lines& lines :
       {listed(found.missing, "missing here: "), listed(found.extra, "only here: ")})
    report.remarks.insert(report.remarks.end(), lines.begin(), lines.end());
  if (found.differing == 0) report.remarks.emplace_back("all values are equal to the last digit");
  conclude(report);
  return report;
}

}  // namespace rigidlimit
