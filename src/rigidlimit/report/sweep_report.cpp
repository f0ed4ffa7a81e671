#include "rigidlimit/report/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/judge/least_error.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

/// A number as a number, a text without its quotes, any other value as written.
Value value_of(const std::string& toml) {
  if (const std::optional<double> x = number_in(toml)) return *x;
  if (toml.size() > 1 && toml.front() == '"') return toml.substr(1, toml.size() - 2);
  return toml;
}

Record joined(Record first, const Record& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Appends the records of one more point, whose tables have the same names, to `all`.
void add_table(std::vector<DataTable>& all, const Record& point, const DataTable& table) {
  auto same = std::ranges::find(all, table.name, &DataTable::name);
  if (same == all.end()) {
    all.push_back({table.name, table.of_all, joined(point, table.columns), {}});
    same = all.end() - 1;
  }
  for (std::size_t k = 0; k < table.records.size(); ++k)
    same->records.push_back(joined(point, table.records[k]));
}

/// The tables of a document by name, without its claims.
std::vector<DataTable> tables_of(const Document& document) {
  std::vector<DataTable> tables;
  for (const Item& item : document)
    if (const auto* table = std::get_if<DataTable>(&item.content)) {
      if (item.name == "claims") continue;
      tables.push_back(*table);
      tables.back().name = item.name;
    }
  return tables;
}

struct ClaimCount {
  std::size_t held = 0, all = 0;
};

ClaimCount count_of(const Report& report) {
  const auto held = std::ranges::count_if(report.claims, &JunitCase::held);
  return {static_cast<std::size_t>(held), report.claims.size()};
}

Cell verdict_of(const PointReport& point) {
  if (!point.complaint.empty()) return {"could not run", Tone::bad};
  if (!point.report) return {"not begun", Tone::faint};
  switch (point.report->conclusion) {
    case Conclusion::interrupted: return {"interrupted", Tone::faint};
    case Conclusion::could_not: return {"failed", Tone::bad};
    case Conclusion::nothing_expected: return {"nothing expected", Tone::faint};
    case Conclusion::held: return {"held", Tone::good};
    case Conclusion::not_held: break;
  }
  return {"not held", Tone::bad};
}

/// A swept value for people: a number to twelve digits, a text without quotes.
std::string shown_value(const ValueText& value) {
  if (const std::optional<double> x = number_in(value.toml)) return fmt::format("{:.12g}", *x);
  const Value read = value_of(value.toml);
  const auto* text = std::get_if<std::string>(&read.any());
  return text ? printable(*text) : value.toml;
}

/// Columns of a summary that differ from point to point.
bool is_found(const std::string& header) {
  return header.starts_with("order") || header.starts_with("ratio");
}

/// "damping_ratio" of contact.damping_ratio, if no other swept key ends so.
std::string short_name(const SweptColumn& column, const SweepGrid& grid) {
  const std::string last = column.name.substr(column.name.rfind('.') + 1);
  const auto ends_so = [&](const SweptColumn& other) {
    return other.name.substr(other.name.rfind('.') + 1) == last;
  };
  return std::ranges::count_if(grid.columns, ends_so) == 1 ? last : column.name;
}

std::string text_in(const Record& record, const std::string& name) {
  const auto at = std::ranges::find(record, name, &Field::name);
  const auto* const text =
      at == record.end() ? nullptr : std::get_if<std::string>(&at->value.any());
  return text ? *text : std::string();
}

/// " [deg]" for a swept parameter whose values are not in SI; otherwise empty.
std::string unit_text(const SweptColumn& column, const std::vector<PointReport>& points) {
  for (const PointReport& point : points) {
    if (!point.report) continue;
    for (const auto& [key, content] : point.report->document) {
      const auto* const parameters = std::get_if<DataTable>(&content);
      if (key != "system.parameters" || parameters == nullptr) continue;
      for (std::size_t k = 0; k < parameters->records.size(); ++k) {
        const Record one = parameters->records[k];
        if (column.name != "system." + text_in(one, "name")) continue;
        const std::string unit = text_in(one, "unit");
        return si_unit(unit) == unit ? "" : fmt::format(" [{}]", unit);
      }
    }
  }
  return "";
}

TextTable table_of(const SweepGrid& grid, const std::vector<PointReport>& points) {
  TextTable table;
  table.keys = grid.columns.size();
  for (const SweptColumn& column : grid.columns)
    table.headers.push_back(short_name(column, grid) + unit_text(column, points));
  const auto known = std::ranges::find_if(
      points, [](const PointReport& p) { return p.report && !p.report->summary.rows.empty(); });
  const TextTable summary = known == points.end() ? TextTable{} : known->report->summary;
  std::ranges::copy_if(summary.headers, std::back_inserter(table.headers), is_found);
  table.headers.insert(table.headers.end(), {"claims held", "verdict"});
  table.left_aligned.assign(table.headers.size(), false);
  table.left_aligned.back() = true;
  for (const PointReport& point : points) {
    std::vector<Cell> row;
    for (const ValueText& value : point.values) row.push_back({shown_value(value)});
    for (std::size_t k = 0; k < summary.headers.size(); ++k)
      if (is_found(summary.headers[k]))
        row.push_back(point.report ? point.report->summary.rows.front()[k] : Cell{"-"});
    const ClaimCount claims = point.report ? count_of(*point.report) : ClaimCount{};
    row.push_back({claims.all == 0 ? "-" : fmt::format("{} of {}", claims.held, claims.all)});
    row.push_back(verdict_of(point));
    table.rows.push_back(std::move(row));
  }
  return table;
}

DataTable records_of(const SweepGrid& grid, const std::vector<PointReport>& points) {
  DataTable table{"points", {}, {}, {}};
  for (const PointReport& point : points) {
    const ClaimCount claims = point.report ? count_of(*point.report) : ClaimCount{};
    table.records.push_back(joined(swept(grid, point.values), {{"verdict", verdict_of(point).text},
                                                               {"claims", claims.all},
                                                               {"claims_held", claims.held},
                                                               {"message", point.complaint}}));
  }
  table.columns = table.records[0];
  return table;
}

/// "NAME: held at all 6 points", or the verdict at each point where it is not.
void judge(Report& report, const SweepGrid& grid, const std::vector<PointReport>& points) {
  std::size_t held = 0;
  std::string broken;
  report.has_numbers = false;
  for (const PointReport& point : points) {
    const bool holds = point.report && point.report->held();
    held += holds ? 1 : 0;
    if (!holds)
      broken += fmt::format("\n  {}: {}", text_of(grid, point.values),
                            !point.complaint.empty() ? point.complaint
                            : point.report           ? point.report->verdict
                                                     : "not begun");
    if (point.report) report.has_numbers = report.has_numbers || point.report->has_numbers;
  }
  conclude(report);
  report.verdict =
      fmt::format("{}: {} {} of {} points{}", report.name,
                  report.held() ? "held, at" : "not held, held at", held, points.size(), broken);
}

void take_claims(Report& report, const SweepGrid& grid, const PointReport& point) {
  const std::string where = text_of(grid, point.values);
  const Record values = swept(grid, point.values);
  if (!point.complaint.empty())
    report.remarks.push_back(fmt::format("{}: {}", where, point.complaint));
  // A point without a claim that tells its end.
  const bool has_ended = point.report && (point.report->held() || !point.report->claims.empty());
  if (!has_ended) {
    const std::string why = !point.complaint.empty() ? point.complaint
                            : point.report           ? point.report->verdict
                                                     : "not begun";
    report.claims.push_back({.name = "the point can run",
                             .group = "points",
                             .state = ClaimState::unjudged,
                             .type = "point",
                             .message = why,
                             .reason = why,
                             .point = where,
                             .swept = values});
  }
  if (!point.report) return;
  for (JunitCase claim : point.report->claims) {
    claim.point = where;
    claim.swept = values;
    report.claims.push_back(std::move(claim));
  }
}

/// Remarks or notes of all points: "TEXT" of one point with its values; of several with their
/// number.
Lines merged(const SweepGrid& grid, const std::vector<PointReport>& points, Lines Report::*part) {
  std::vector<std::pair<std::string, std::vector<const PointReport*>>> found;
  for (const PointReport& point : points) {
    if (!point.report) continue;
    for (const std::string& text : *point.report.*part) {
      auto at = std::ranges::find(found, text, [](const auto& one) { return one.first; });
      if (at == found.end()) at = found.insert(at, {text, {}});
      at->second.push_back(&point);
    }
  }
  Lines lines;
  for (const auto& [text, of] : found)
    lines.push_back(of.size() == points.size() ? text
                    : of.size() == 1
                        ? fmt::format("{}: {}", text_of(grid, of.front()->values), text)
                        : fmt::format("at {} of {} points: {}", of.size(), points.size(), text));
  return lines;
}

/// The texts and flags of `system` that all points share.
Document shared_system(const std::vector<PointReport>& points) {
  std::optional<Document> shared;
  for (const PointReport& point : points) {
    if (!point.report) continue;
    Document its;
    std::ranges::copy_if(point.report->document, std::back_inserter(its), [&](const Item& item) {
      return item.name.starts_with("system.") && std::holds_alternative<Value>(item.content);
    });
    if (!shared) shared = its;
    std::erase_if(*shared, [&](const Item& item) {
      return std::ranges::none_of(its, [&](const Item& other) {
        return other.name == item.name &&
               std::get<Value>(other.content) == std::get<Value>(item.content);
      });
    });
  }
  return shared.value_or(Document{});
}

/// The table with this key of each point, with the swept values before its rows; tables of points
/// with other columns are separate.
std::vector<CaptionedTable> tables_of_points(const SweepGrid& grid,
                                             const std::vector<PointReport>& points,
                                             const std::string& key) {
  std::vector<CaptionedTable> all;
  for (const PointReport& point : points) {
    if (!point.report) continue;
    for (const auto& part : point.report->body) {
      const auto* of_point = std::get_if<CaptionedTable>(&part);
      if (of_point == nullptr || of_point->key != key) continue;
      TextTable table = of_point->table;
      for (std::size_t k = 0; k < grid.columns.size(); ++k) {
        const auto at = static_cast<std::ptrdiff_t>(k);
        table.headers.insert(table.headers.begin() + at,
                             grid.columns[k].name + unit_text(grid.columns[k], points));
        table.left_aligned.insert(table.left_aligned.begin() + at, true);
        for (auto& row : table.rows)
          row.insert(row.begin() + at, Cell{shown_value(point.values[k])});
      }
      table.keys += grid.columns.size();
      for (std::size_t& place : table.breaks) place += grid.columns.size();
      const auto same = std::ranges::find_if(
          all, [&](const CaptionedTable& other) { return other.table.headers == table.headers; });
      if (same == all.end())
        all.push_back({key, of_point->caption, std::move(table)});
      else
        std::ranges::move(table.rows, std::back_inserter(same->table.rows));
    }
  }
  return all;
}

}  // namespace

std::string field_name(const SweptColumn& column) {
  std::string name = column.name;  // CSV uses the last part of a name with dots
  std::ranges::replace(name, '.', '_');
  return "swept." + name;
}

Record swept(const SweepGrid& grid, const SweepPoint& values) {
  Record record;
  for (std::size_t k = 0; k < values.size(); ++k)
    record.push_back({field_name(grid.columns[k]), value_of(values[k].toml)});
  return record;
}

Report sweep_report(Report report, const SweepGrid& grid, std::vector<PointReport> points) {
  report.is_sweep = true;
  std::vector<DataTable> of_documents;
  for (const PointReport& point : points) {
    take_claims(report, grid, point);
    if (!point.report) continue;
    const Record values = swept(grid, point.values);
    for (const DataTable& table : point.report->tables) add_table(report.tables, values, table);
    for (const DataTable& table : tables_of(point.report->document))
      add_table(of_documents, values, table);
    if (report.heading.empty()) report.heading = point.report->heading;
    if (report.source.empty()) report.source = point.report->source;
    report.plain_csv = point.report->plain_csv;
  }
  if (!report.heading.empty())
    report.heading.push_back(fmt::format(
        "values of the first of {} points; they differ between points:", points.size()));
  std::ranges::move(merged(grid, points, &Report::remarks), std::back_inserter(report.remarks));
  report.notes = merged(grid, points, &Report::notes);
  report.body.emplace_back(CaptionedTable{"points", "Points of the sweep", table_of(grid, points)});
  for (const char* key : {"steps", "growth"})
    std::ranges::move(tables_of_points(grid, points, key), std::back_inserter(report.body));
  for (const char* key : {"orders", "coefficients", "bounds"})
    std::ranges::move(tables_of_points(grid, points, key), std::back_inserter(report.details));
  report.tables.push_back(records_of(grid, points));
  judge(report, grid, points);
  Document own = shared_system(points);
  own.push_back({"points", report.tables.back()});
  for (DataTable& table : of_documents) own.push_back({table.name, std::move(table)});
  if (std::optional<DataTable> least = add_least(report, grid, points)) {
    own.push_back({"least", *least});
    report.tables.push_back(*std::move(least));
  }
  report.brief.push_back({"points", "Points of the sweep", table_of(grid, points)});
  report.document = result_document(report, std::move(own));
  return report;
}

Report report_of(const SweepResult& result) {
  std::vector<PointReport> points;
  for (const SweptResult& point : result.points) {
    points.push_back({.values = point.values, .report = {}, .complaint = point.complaint});
    if (!point.result) continue;
    std::visit(
        [&]<class Result>(const Result& one) {
          points.back().report = report_of(one);
          if constexpr (!std::is_same_v<Result, BenchmarkResult>)
            points.back().series = &one.series;
        },
        *point.result);
    const bool slips = std::holds_alternative<FrictionResult>(*point.result);
    points.back().kind = slips ? RowsOf::friction : RowsOf::rolling;
  }
  Report heading;
  heading.name = result.name;
  heading.kind = result.kind;
  heading.question = result.question;
  heading.interrupted = result.interrupted;
  heading.resolved = result.resolved;
  return sweep_report(std::move(heading), result.grid, std::move(points));
}

namespace {

const Value* find(const Record& record, const std::string& name) {
  const auto at = std::ranges::find(record, name, &Field::name);
  return at == record.end() ? nullptr : &at->value;
}

/// The errors of one number along the swept key; the other swept values are fixed.
struct Line {
  Record where;  ///< other swept values, law, solvers, ε, measure
  double epsilon;
  Measure measure;
  std::vector<ErrorAt> errors{};
};

std::string text_of(const Record& record) {
  DataTable table;
  table.records.push_back(record);
  return csv_lines(table);
}

std::vector<Line> lines_of(const SweepGrid& grid, const LeastSpec& least,
                           const std::vector<PointReport>& points) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> places;
  for (const PointReport& point : points) {
    if (!point.series) continue;
    const double value = *number_in(point.values[least.over].toml);
    Record others = swept(grid, point.values);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(least.over));
    for (const Series& series : *point.series)
      for (const Row& row : series.rows) {
        Record where = others;
        std::ranges::move(identity_of(row, point.kind), std::back_inserter(where));
        const auto [at, is_new] = places.try_emplace(text_of(where), lines.size());
        if (is_new) lines.push_back({std::move(where), row.epsilon, row.measure});
        lines[at->second].errors.push_back(
            {value, row.model_error, row.error_bar(), row.proved_interval()});
      }
  }
  return lines;
}

double error_beside(const Line& line, const LeastSpec& least) {
  if (!least.beside) return std::nan("");
  const auto at = std::ranges::find(line.errors, *least.beside, &ErrorAt::value);
  return at == line.errors.end() ? std::nan("") : at->error;
}

struct Found {
  Line line;
  LeastError least;
  double beside;

  double gain() const { return beside / least.error; }
  /// "sup, all".
  std::string norm_and_window() const {
    return fmt::format("{}, {}", name_of(line.measure.norm), name_of(line.measure.window));
  }
};

Record record_of(const Found& found, const std::string& over) {
  const LeastError& least = found.least;
  Record record = found.line.where;
  record.insert(record.end(), {{"over", over},
                               {"least_at", least.value},
                               {"place", name_of(least.place)},
                               {"low", least.low},
                               {"high", least.high},
                               {"error", least.error},
                               {"error_bar", least.error_bar},
                               {"error_beside", found.beside},
                               {"gain", found.gain()}});
  return record;
}

std::string value_text(const LeastError& least) {
  switch (least.place) {
    case LeastError::Place::inside: return fmt::format("{:.3g}", least.value);
    case LeastError::Place::lower_end: return fmt::format("<= {:.3g}", least.value);
    case LeastError::Place::upper_end: return fmt::format(">= {:.3g}", least.value);
    case LeastError::Place::flat: break;
  }
  return "any";
}

/// "0.5", or "viscoelastic": a cell of a field that identifies a row.
std::string cell_text(const Value& value) {
  if (const double* x = std::get_if<double>(&value.any())) return fmt::format("{:.4g}", *x);
  if (const auto* text = std::get_if<std::string>(&value.any())) return *text;
  return "";
}

/// The fields before ε whose values differ between rows, then ε.
std::vector<std::string> shown_fields(const std::vector<Found>& all) {
  std::vector<std::string> shown;
  for (const Field& field : all.front().line.where) {
    if (field.name == "quantity" || field.name == "norm" || field.name == "window") continue;
    const std::string first = cell_text(field.value);
    const bool differs = std::ranges::any_of(all, [&](const Found& found) {
      const Value* const value = find(found.line.where, field.name);
      return !value || cell_text(*value) != first;
    });
    if (differs) shown.push_back(field.name);
  }
  return shown;
}

std::string header_of(const std::string& field, const SweepGrid& grid) {
  for (const SweptColumn& column : grid.columns)
    if (field == field_name(column)) return column.name;
  return field == "epsilon" ? "ε" : field;
}

/// For people: with further swept keys the smallest ε only, else at most nine ε with both ends.
std::vector<Found> shown_rows(const std::vector<Found>& rows, std::size_t axes) {
  std::set<double> all;
  for (const Found& found : rows) all.insert(found.line.epsilon);
  const std::vector<double> epsilons(all.begin(), all.end());
  std::set<double> shown{epsilons.front()};
  constexpr std::size_t most = 9;
  for (std::size_t k = 0; k < most && axes == 1; ++k)
    shown.insert(epsilons[(k * (epsilons.size() - 1) + (most - 1) / 2) / (most - 1)]);
  std::vector<Found> few;
  std::ranges::copy_if(rows, std::back_inserter(few),
                       [&](const Found& found) { return shown.contains(found.line.epsilon); });
  return few;
}

TextTable table_of(const SweepGrid& grid, const std::vector<Found>& rows,
                   const std::vector<std::string>& shown, const LeastSpec& spec) {
  TextTable table;
  table.keys = shown.size() + 1;
  for (const std::string& name : shown) table.headers.push_back(header_of(name, grid));
  table.headers.insert(table.headers.end(), {"quantity", "least at", "error there"});
  if (spec.beside)
    table.headers.insert(table.headers.end(), {fmt::format("at {:.3g}", *spec.beside), "gain"});
  table.left_aligned.assign(table.headers.size(), false);
  for (const Found& found : rows) {
    std::vector<Cell> row;
    for (const std::string& name : shown) {
      const Value* const value = find(found.line.where, name);
      row.push_back({value ? cell_text(*value) : "-"});
    }
    const LeastError& least = found.least;
    const bool inside = least.place == LeastError::Place::inside;
    row.push_back({quantity_name(found.line.measure)});
    row.push_back({value_text(least), inside ? Tone::plain : Tone::faint});
    row.push_back({least.proved ? outward_text(*least.proved, Notation::scientific)
                                : fmt::format("{:.3e} ± {:.0e}", least.error, least.error_bar)});
    if (spec.beside) {
      row.push_back({std::isnan(found.beside) ? "-" : fmt::format("{:.3e}", found.beside)});
      row.push_back({std::isnan(found.gain()) ? "-" : fmt::format("{:.3g}", found.gain())});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::optional<DataTable> add_least(Report& report, const SweepGrid& grid,
                                   const std::vector<PointReport>& points) {
  DataTable records{.name = "least", .of_all = {}, .columns = {}, .records = {}};
  for (const LeastSpec& spec : grid.least) {
    const std::string& over = grid.columns[spec.over].name;
    std::vector<std::pair<std::string, std::vector<Found>>> by_measure;  // norm and window
    std::vector<Found> all;
    for (const Line& line : lines_of(grid, spec, points)) {
      const std::optional<LeastError> least = least_error(line.errors);
      if (!least) continue;
      Found found{line, *least, error_beside(line, spec)};
      records.records.push_back(record_of(found, over));
      const std::string measure = found.norm_and_window();
      auto at = std::ranges::find(by_measure, measure,
                                  &std::pair<std::string, std::vector<Found>>::first);
      if (at == by_measure.end()) at = by_measure.insert(at, {measure, {}});
      at->second.push_back(found);
      all.push_back(std::move(found));
    }
    if (all.empty()) continue;
    const std::vector<std::string> shown = shown_fields(all);
    for (const auto& [measure, rows] : by_measure) {
      std::string key = fmt::format("least-{}-{}", over, measure);
      std::ranges::replace_if(
          key, [](char c) { return c == '.' || c == ',' || c == '_'; }, '-');
      std::erase(key, ' ');
      report.body.emplace_back(CaptionedTable{
          key, fmt::format("least error over {} ({}); least.csv has every ε", over, measure),
          table_of(grid, shown_rows(rows, grid.axes.size()), shown, spec)});
    }
  }
  if (records.records.empty()) return std::nullopt;
  records.columns = records.records[0];
  return records;
}

}  // namespace rigidlimit
