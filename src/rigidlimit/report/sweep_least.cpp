#include "rigidlimit/report/sweep_least.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "rigidlimit/experiment/judge/least_error.hpp"

namespace rigidlimit {

namespace {

const Value* find(const Record& record, const std::string& name) {
  const auto at = std::ranges::find(record, name, &Field::name);
  return at == record.end() ? nullptr : &at->value;
}

double number_in(const Record& record, const std::string& name) {
  const Value* const value = find(record, name);
  const double* const x = value ? std::get_if<double>(&value->any()) : nullptr;
  return x ? *x : std::nan("");
}

std::string text_in(const Record& record, const std::string& name) {
  const Value* const value = find(record, name);
  const std::string* const text = value ? std::get_if<std::string>(&value->any()) : nullptr;
  return text ? *text : "";
}

double number_of(const std::string& toml) {
  double x = std::nan("");
  std::from_chars(toml.data(), toml.data() + toml.size(), x);
  return x;
}

/// The larger of solver and reference error.
double error_bar(const Record& record) {
  const double solver = number_in(record, "solver_error"),
               reference = number_in(record, "reference_error");
  return std::isnan(solver + reference) ? std::nan("") : std::fmax(solver, reference);
}

/// The errors of one measure along the swept key; the other swept values are fixed.
struct Line {
  Record where;  ///< other swept values, law, solvers, ε, measure
  std::vector<ErrorAt> errors{};
};

/// Fields of an error that identify its series and ε.
bool identifies(const std::string& name) {
  static const std::set<std::string> names{
      "law",      "tangential_power", "rigid_solver", "epsilon", "compliant_solver",
      "quantity", "events",           "norm",         "window"};
  return names.contains(name);
}

std::string text_of(const Record& record) {
  DataTable table{.name = "", .of_all = {}, .columns = {}, .records = {record}};
  return csv_lines(table);
}

const DataTable* errors_of(const PointReport& point) {
  if (!point.report) return nullptr;
  const auto& tables = point.report->tables;
  const auto at = std::ranges::find_if(tables, [](const DataTable& table) {
    return !table.records.empty() && find(table.records.front(), "model_error");
  });
  return at == tables.end() ? nullptr : &*at;
}

std::vector<Line> lines_of(const SweepGrid& grid, const LeastSpec& least,
                           const std::vector<PointReport>& points) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> places;
  for (const PointReport& point : points) {
    const DataTable* const errors = errors_of(point);
    if (!errors) continue;
    Record others = swept(grid, point.values);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(least.over));
    for (const Record& record : errors->records) {
      Record where = others;
      std::ranges::copy_if(record, std::back_inserter(where),
                           [](const Field& field) { return identifies(field.name); });
      const auto [at, is_new] = places.try_emplace(text_of(where), lines.size());
      if (is_new) lines.push_back({.where = std::move(where)});
      lines[at->second].errors.push_back({.value = number_of(point.values[least.over].toml),
                                          .error = number_in(record, "model_error"),
                                          .error_bar = error_bar(record)});
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
  Record where;
  LeastError least;
  double beside;

  double gain() const { return beside / least.error; }
};

Record record_of(const Found& found, const std::string& over) {
  const LeastError& least = found.least;
  Record record = found.where;
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
  for (const Field& field : all.front().where) {
    if (field.name == "quantity" || field.name == "norm" || field.name == "window") continue;
    const std::string first = cell_text(field.value);
    const bool differs = std::ranges::any_of(all, [&](const Found& found) {
      const Value* const value = find(found.where, field.name);
      return !value || cell_text(*value) != first;
    });
    if (differs) shown.push_back(field.name);
  }
  return shown;
}

std::string header_of(const std::string& field, const SweepGrid& grid) {
  for (const SweptKey& key : grid.keys)
    if (field == field_name(key)) return key.key;
  return field == "epsilon" ? "ε" : field;
}

/// For people: with further swept keys the smallest ε only, else at most nine ε with both ends.
std::vector<Found> shown_rows(const std::vector<Found>& rows, std::size_t swept_keys) {
  std::set<double> all;
  for (const Found& found : rows) all.insert(number_in(found.where, "epsilon"));
  const std::vector<double> epsilons(all.begin(), all.end());
  std::set<double> shown{epsilons.front()};
  constexpr std::size_t most = 9;
  for (std::size_t k = 0; k < most && swept_keys == 1; ++k)
    shown.insert(epsilons[(k * (epsilons.size() - 1) + (most - 1) / 2) / (most - 1)]);
  std::vector<Found> few;
  std::ranges::copy_if(rows, std::back_inserter(few), [&](const Found& found) {
    return shown.contains(number_in(found.where, "epsilon"));
  });
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
      const Value* const value = find(found.where, name);
      row.push_back({value ? cell_text(*value) : "-"});
    }
    const LeastError& least = found.least;
    const bool inside = least.place == LeastError::Place::inside;
    row.push_back({text_in(found.where, "quantity")});
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

void add_least(Report& report, const SweepGrid& grid, const std::vector<PointReport>& points) {
  DataTable records{.name = "least", .of_all = {}, .columns = {}, .records = {}};
  for (const LeastSpec& spec : grid.least) {
    const std::string& over = grid.keys[spec.over].key;
    std::vector<std::pair<std::string, std::vector<Found>>> by_measure;  // norm and window
    std::vector<Found> all;
    for (const Line& line : lines_of(grid, spec, points)) {
      const std::optional<LeastError> least = least_error(line.errors);
      if (!least) continue;
      Found found{line.where, *least, error_beside(line, spec)};
      records.records.push_back(record_of(found, over));
      const std::string measure =
          text_in(line.where, "norm") + ", " + text_in(line.where, "window");
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
          table_of(grid, shown_rows(rows, grid.keys.size()), shown, spec)});
    }
  }
  if (records.records.empty()) return;
  records.columns = records.records.front();
  report.document.push_back({"least", records});
  report.tables.push_back(std::move(records));
}

}  // namespace rigidlimit
