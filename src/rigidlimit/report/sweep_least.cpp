#include "rigidlimit/report/sweep_least.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "rigidlimit/experiment/judge/least_error.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

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
        lines[at->second].errors.push_back({value, row.model_error, row.error_bar()});
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
    row.push_back({name_of(found.line.measure.quantity)});
    row.push_back({value_text(least), inside ? Tone::plain : Tone::faint});
    row.push_back({fmt::format("{:.3e} ± {:.0e}", least.error, least.error_bar)});
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
