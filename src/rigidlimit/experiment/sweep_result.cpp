#include "rigidlimit/experiment/sweep_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/judge/least_error.hpp"
#include "rigidlimit/result/conclusion.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

/// A number as a number, a text without its quotes, any other value as written.
Value value_of(const std::string& toml) {
  if (const std::optional<double> x = number_in(toml)) return *x;
  if (toml.size() > 1 && toml.front() == '"') return toml.substr(1, toml.size() - 2);
  return toml;
}

struct ClaimCount {
  std::size_t held = 0, all = 0;
};

ClaimCount count_of(const Result& result) {
  const auto held = std::ranges::count_if(result.claims, &JudgedClaim::held);
  return {static_cast<std::size_t>(held), result.claims.size()};
}

Cell point_verdict(const SweptResult& point) {
  if (!point.complaint.empty()) return {"could not run", Tone::bad};
  if (!point.result) return {"not begun", Tone::faint};
  if (point.result->conclusion == Conclusion::could_not) return {"failed", Tone::bad};
  return word_of(point.result->conclusion);
}

/// "damping_ratio" of contact.damping_ratio, if no other swept key ends so.
std::string short_name(const SweptColumn& column, const SweepGrid& grid) {
  const std::string last = column.name.substr(column.name.rfind('.') + 1);
  const auto ends_so = [&](const SweptColumn& other) {
    return other.name.substr(other.name.rfind('.') + 1) == last;
  };
  return std::ranges::count_if(grid.columns, ends_so) == 1 ? last : column.name;
}

/// " [deg]" for a swept parameter whose values are not in SI; otherwise empty.
std::string unit_text(const SweptColumn& column, const std::vector<SweptResult>& points) {
  for (const SweptResult& point : points) {
    const Table* const parameters =
        point.result ? point.result->find("system.parameters") : nullptr;
    if (parameters == nullptr) continue;
    for (std::size_t k = 0; k < parameters->size(); ++k) {
      if (column.name != "system." + parameters->text(k, "name")) continue;
      const std::string unit = parameters->text(k, "unit");
      return si_unit(unit) == unit ? "" : fmt::format(" [{}]", unit);
    }
  }
  return "";
}

/// The swept keys with their units.
std::vector<std::string> headers_of(const SweepGrid& grid, const std::vector<SweptResult>& points) {
  std::vector<std::string> headers;
  for (const SweptColumn& column : grid.columns)
    headers.push_back(column.name + unit_text(column, points));
  return headers;
}

/// Found by the solves of a point: neither its name nor its verdict.
bool is_found(const Column& column) {
  return column.role == Role::value && column.name != "verdict";
}

/// The row of a point in "points", without the swept values.
Table sweep_row(const SweptResult& point) {
  std::vector<Column> columns;
  if (const Table* const summary = point.result ? point.result->find("summary") : nullptr)
    std::ranges::copy_if(summary->columns(), std::back_inserter(columns), is_found);
  const Cell verdict = point_verdict(point);
  const ClaimCount claims = point.result ? count_of(*point.result) : ClaimCount{};
  const auto always = [](auto value) { return [value](std::size_t /*row*/) { return value; }; };
  columns.push_back(
      {.name = "verdict", .value = always(Value(verdict.text)), .tone = always(verdict.tone)});
  columns.push_back({.name = "claims", .format = "{}", .value = always(Value(claims.all))});
  columns.push_back(
      {.name = "claims_held",
       .format = "{}",
       .value = always(Value(claims.held)),
       .text = always(claims.all == 0 ? std::string("-")
                                      : fmt::format("{} of {}", claims.held, claims.all))});
  columns.push_back(
      {.name = "message", .role = Role::note, .value = always(Value(point.complaint))});
  return Table("points", std::move(columns), 1).kept(Kept::everywhere);
}

/// A swept key in a view, by its short name.
ViewColumn key_column(const SweptColumn& column, const SweepGrid& grid,
                      const std::vector<SweptResult>& points) {
  return {short_name(column, grid) + unit_text(column, points), {field_name(column)}};
}

View point_view(const SweepGrid& grid, const std::vector<SweptResult>& points) {
  View view{.key = "points",
            .caption = "Points of the sweep",
            .table = "points",
            .keys = grid.columns.size(),
            .in_brief = true};
  for (const SweptColumn& column : grid.columns)
    view.columns.push_back(key_column(column, grid, points));
  view.columns.emplace_back("verdict");
  view.columns.emplace_back("claims_held");
  for (const SweptResult& point : points)
    if (const Table* const summary = point.result ? point.result->find("summary") : nullptr) {
      for (const Column& column : summary->columns())
        if (is_found(column) && !is_error_bar(*summary, column))
          view.columns.emplace_back(column.name);
      break;
    }
  return view;
}

/// Each table of the points, one below the other, in the order of the first points.
std::vector<Table> united_tables(const SweepGrid& grid, const std::vector<SweptResult>& points,
                                 const std::vector<std::string>& headers) {
  std::vector<std::pair<std::string, std::vector<KeyedPart>>> parts;
  for (const SweptResult& point : points) {
    if (!point.result) continue;
    const Fields keys = swept(grid, point.values);
    for (const Table& table : point.result->tables) {
      if (table.name() == "claims" || table.name() == "summary") continue;
      auto at = std::ranges::find(parts, table.name(), [](const auto& one) { return one.first; });
      if (at == parts.end()) at = parts.insert(at, {table.name(), {}});
      at->second.push_back({keys, table});
    }
  }
  std::vector<Table> tables;
  for (const auto& [name, of_points] : parts) tables.push_back(united(of_points, headers));
  std::vector<KeyedPart> rows;
  for (const SweptResult& point : points)
    rows.push_back({swept(grid, point.values), sweep_row(point)});
  tables.push_back(united(rows, headers));
  return tables;
}

/// The views of the points with these keys, of the united tables.
void add_views(Result& result, const SweepGrid& grid, const std::vector<SweptResult>& points,
               std::initializer_list<const char*> keys, bool on_page) {
  for (const char* key : keys)
    for (const SweptResult& point : points) {
      if (!point.result) continue;
      const auto of_point = std::ranges::find(point.result->views, key, &View::key);
      if (of_point == point.result->views.end() || result.find(of_point->table) == nullptr)
        continue;
      View view = *of_point;
      for (std::size_t k = 0; k < grid.columns.size() && !view.columns.empty(); ++k)
        view.columns.insert(view.columns.begin() + static_cast<std::ptrdiff_t>(k),
                            key_column(grid.columns[k], grid, points));
      view.keys += grid.columns.size();
      view.on_page = on_page;
      view.in_details = !on_page;
      view.in_brief = false;
      result.views.push_back(std::move(view));
      break;
    }
}

/// "NAME: held at all 6 points", or the verdict at each point where it is not.
void judge_points(Result& result, const SweepGrid& grid, const std::vector<SweptResult>& points) {
  std::size_t held = 0;
  std::string broken;
  result.has_numbers = false;
  for (const SweptResult& point : points) {
    const bool holds = point.result && point.result->held();
    held += holds ? 1 : 0;
    if (!holds)
      broken += fmt::format("\n  {}: {}", text_of(grid, point.values),
                            !point.complaint.empty() ? point.complaint
                            : point.result           ? point.result->verdict
                                                     : "not begun");
    if (point.result) result.has_numbers = result.has_numbers || point.result->has_numbers;
  }
  conclude(result);
  result.verdict =
      fmt::format("{}: {} {} of {} points{}", result.name,
                  result.held() ? "held, at" : "not held, held at", held, points.size(), broken);
}

void take_claims(Result& result, const SweepGrid& grid, const SweptResult& point) {
  const std::string where = text_of(grid, point.values);
  const Fields values = swept(grid, point.values);
  if (!point.complaint.empty())
    result.remarks.push_back(fmt::format("{}: {}", where, point.complaint));
  // A point without a claim that tells its end.
  const bool has_ended = point.result && (point.result->held() || !point.result->claims.empty());
  if (!has_ended) {
    const std::string why = !point.complaint.empty() ? point.complaint
                            : point.result           ? point.result->verdict
                                                     : "not begun";
    result.claims.push_back({.name = "the point can run",
                             .group = "points",
                             .state = ClaimState::unjudged,
                             .type = "point",
                             .message = why,
                             .reason = why,
                             .point = where,
                             .swept = values});
  }
  if (!point.result) return;
  for (JudgedClaim claim : point.result->claims) {
    claim.point = where;
    claim.swept = values;
    result.claims.push_back(std::move(claim));
  }
}

/// Remarks or notes of all points: "TEXT" of one point with its values; of several with their
/// number.
Lines merged(const SweepGrid& grid, const std::vector<SweptResult>& points, Lines Result::*part) {
  std::vector<std::pair<std::string, std::vector<const SweptResult*>>> found;
  for (const SweptResult& point : points) {
    if (!point.result) continue;
    for (const std::string& text : *point.result.*part) {
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
Fields shared_system(const std::vector<SweptResult>& points) {
  std::optional<Fields> shared;
  for (const SweptResult& point : points) {
    if (!point.result) continue;
    const Fields& its = point.result->facts;
    if (!shared) {
      shared.emplace();
      std::ranges::copy_if(its, std::back_inserter(*shared),
                           [](const Field& field) { return field.name.starts_with("system."); });
    }
    std::erase_if(*shared, [&](const Field& field) {
      const auto other = std::ranges::find(its, field.name, &Field::name);
      return other == its.end() || other->value != field.value;
    });
  }
  return shared.value_or(Fields{});
}

}  // namespace

std::string field_name(const SweptColumn& column) {
  std::string name = column.name;  // CSV uses the last part of a name with dots
  std::ranges::replace(name, '.', '_');
  return "swept." + name;
}

Fields swept(const SweepGrid& grid, const SweepPoint& values) {
  Fields fields;
  for (std::size_t k = 0; k < values.size(); ++k)
    fields.push_back({field_name(grid.columns[k]), value_of(values[k].toml)});
  return fields;
}

Result sweep_result(Result result, const SweepGrid& grid, const std::vector<SweptResult>& points) {
  result.is_sweep = true;
  for (const SweptResult& point : points) {
    take_claims(result, grid, point);
    if (!point.result) continue;
    if (result.heading.empty()) result.heading = point.result->heading;
    if (result.source.empty()) result.source = point.result->source;
    result.plain_csv = point.result->plain_csv;
  }
  if (!result.heading.empty())
    result.heading.push_back(fmt::format(
        "values of the first of {} points; they differ between points:", points.size()));
  std::ranges::move(merged(grid, points, &Result::remarks), std::back_inserter(result.remarks));
  result.notes = merged(grid, points, &Result::notes);
  result.facts = shared_system(points);
  result.tables = united_tables(grid, points, headers_of(grid, points));
  result.views.push_back(point_view(grid, points));
  add_views(result, grid, points, {"steps", "growth"}, true);
  add_views(result, grid, points, {"orders-fitted", "coefficients", "bounds"}, false);
  add_least(result, grid);
  judge_points(result, grid, points);
  return result;
}

namespace {

/// The errors of one number along the swept key; the other swept values are fixed.
struct PointLine {
  Fields where;  ///< other swept values, law, solvers, ε, measure
  double epsilon;
  std::string quantity, norm, window;
  std::vector<ErrorAt> errors{};
};

std::optional<ProvedInterval> proved_in(const Table& errors, std::size_t row) {
  const double upper = errors.number(row, "proved_upper");
  if (std::isnan(upper)) return std::nullopt;
  return ProvedInterval{errors.number(row, "proved_lower"), upper};
}

std::vector<PointLine> point_lines(const Table& errors, const std::string& over) {
  std::vector<PointLine> lines;
  std::map<std::string, std::size_t> places;
  for (std::size_t row = 0; row < errors.size(); ++row) {
    Fields where;
    std::string texts;
    for (const Column& column : errors.columns()) {
      if (column.role != Role::key || column.name == over) continue;
      where.push_back({column.name, column.value(row)});
      texts += shown(where.back().value, "") + "\n";
    }
    const auto [at, is_new] = places.try_emplace(texts, lines.size());
    if (is_new)
      lines.push_back({std::move(where), errors.number(row, "epsilon"),
                       errors.text(row, "quantity"), errors.text(row, "norm"),
                       shown(errors.value(row, "window"), "")});
    lines[at->second].errors.push_back({errors.number(row, over), errors.number(row, "model_error"),
                                        errors.number(row, "error_bar"), proved_in(errors, row)});
  }
  return lines;
}

double error_beside(const PointLine& line, const LeastSpec& least) {
  if (!least.beside) return std::nan("");
  const auto at = std::ranges::find(line.errors, *least.beside, &ErrorAt::value);
  return at == line.errors.end() ? std::nan("") : at->error;
}

struct Found {
  PointLine line;
  LeastError least;
  double beside;

  double gain() const { return beside / least.error; }
};

std::string value_text(const LeastError& least) {
  switch (least.place) {
    case LeastError::Place::inside: return fmt::format("{:.3g}", least.value);
    case LeastError::Place::lower_end: return fmt::format("<= {:.3g}", least.value);
    case LeastError::Place::upper_end: return fmt::format(">= {:.3g}", least.value);
    case LeastError::Place::flat: break;
  }
  return "any";
}

/// Of one LeastSpec; the headers and the texts of the columns that identify a row are those of
/// `errors`.
Table least_rows(const Table& errors, const std::string& over, const LeastSpec& spec,
                 std::vector<Found> rows) {
  using C = ColumnOf<Found>;
  const auto of = [](auto LeastError::*part) {
    return [part](const Found& found) { return found.least.*part; };
  };
  Columns<Found> columns;
  const Fields& identity = rows.front().line.where;
  for (std::size_t k = 0; k < identity.size(); ++k) {
    const Column& column = errors.at(identity[k].name);
    columns.push_back(C(
        column.name, column.header, [k](const Found& found) { return found.line.where[k].value; },
        column.format.empty() ? "" : "{:.4g}"));
    if (column.name == "quantity")
      columns.back().text = [](const Found& found) { return found.line.quantity; };
  }
  columns.insert(
      columns.end(),
      {C("over", "", [over](const Found& /*found*/) { return over; }),
       C("least_at", "least at", of(&LeastError::value))
           .said([](const Found& found) { return value_text(found.least); })
           .toned([](const Found& found) {
             return found.least.place == LeastError::Place::inside ? Tone::plain : Tone::faint;
           }),
       C("place", "", [](const Found& found) { return name_of(found.least.place); }),
       C("low", "", of(&LeastError::low)), C("high", "", of(&LeastError::high)),
       C("error", "error there", of(&LeastError::error))
           .within({"error_bar"})
           .said([](const Found& found) {
             const LeastError& least = found.least;
             return least.proved ? outward_text(*least.proved, Notation::scientific)
                                 : fmt::format("{:.3e} ± {:.0e}", least.error, least.error_bar);
           }),
       C("error_bar", "", of(&LeastError::error_bar), "{:.1e}"),
       C("error_beside", spec.beside ? fmt::format("at {:.3g}", *spec.beside) : "", &Found::beside,
         "{:.3e}"),
       C("gain", "", &Found::gain, "{:.3g}")});
  return table_of<Found>("least", columns, std::move(rows), identity.size() + 1)
      .kept(Kept::everywhere);
}

/// The columns before the measure whose texts differ between rows.
std::vector<ViewColumn> differing_keys(const Table& least) {
  std::vector<ViewColumn> shown;
  for (const Column& column : least.columns()) {
    if (column.name == "over") break;
    if (column.name == "quantity" || column.name == "norm" || column.name == "window") continue;
    for (std::size_t row = 1; row < least.size(); ++row)
      if (text_of(column, row) != text_of(column, 0)) {
        shown.emplace_back(column.name);
        break;
      }
  }
  return shown;
}

/// For people: with further swept keys the smallest ε only, else at most nine ε with both ends.
std::set<double> shown_epsilons(const Table& least, std::size_t axes) {
  std::set<double> all;
  for (std::size_t row = 0; row < least.size(); ++row) all.insert(least.number(row, "epsilon"));
  const std::vector<double> epsilons(all.begin(), all.end());
  std::set<double> shown{epsilons.front()};
  constexpr std::size_t most = 9;
  for (std::size_t k = 0; k < most && axes == 1; ++k)
    shown.insert(epsilons[(k * (epsilons.size() - 1) + (most - 1) / 2) / (most - 1)]);
  return shown;
}

/// A view for each norm and window of the rows of one LeastSpec.
void add_least_views(Result& result, const SweepGrid& grid, const Table& least,
                     const std::string& over, const LeastSpec& spec) {
  std::vector<std::pair<std::string, std::string>> measures;
  for (std::size_t row = 0; row < least.size(); ++row)
    if (std::pair one(least.text(row, "norm"), least.text(row, "window"));
        std::ranges::find(measures, one) == measures.end())
      measures.push_back(std::move(one));
  const std::set<double> epsilons = shown_epsilons(least, grid.axes.size());
  for (const auto& [norm, window] : measures) {
    std::string key = fmt::format("least-{}-{}-{}", over, norm, window);
    std::ranges::replace_if(
        key, [](char c) { return c == '.' || c == '_'; }, '-');
    View view{
        .key = std::move(key),
        .caption =
            fmt::format("least error over {} ({}, {}); least.csv has every ε", over, norm, window),
        .table = "least",
        .columns = differing_keys(least),
        .rows = [over, epsilons, norm = norm, window = window](const Table& all, std::size_t row) {
          return all.value(row, "over") == Value(over) && all.value(row, "norm") == Value(norm) &&
                 all.value(row, "window") == Value(window) &&
                 epsilons.contains(all.number(row, "epsilon"));
        }};
    for (const char* column : {"quantity", "least_at", "error"}) view.columns.emplace_back(column);
    view.keys = view.columns.size() - 2;
    if (spec.beside) {
      view.columns.emplace_back(fmt::format("at {:.3g}", *spec.beside),
                                std::vector<std::string>{"error_beside"});
      view.columns.emplace_back("gain");
    }
    result.views.push_back(std::move(view));
  }
}

}  // namespace

void add_least(Result& result, const SweepGrid& grid) {
  const Table* const errors = result.find("errors");
  if (errors == nullptr || errors->find("model_error") == nullptr) return;
  std::vector<KeyedPart> parts;
  for (const LeastSpec& spec : grid.least) {
    const std::string& over = grid.columns[spec.over].name;
    std::vector<Found> found;
    for (const PointLine& line : point_lines(*errors, field_name(grid.columns[spec.over])))
      if (const std::optional<LeastError> least = least_error(line.errors))
        found.push_back({line, *least, error_beside(line, spec)});
    if (found.empty()) continue;
    parts.push_back({{}, least_rows(*errors, over, spec, std::move(found))});
    add_least_views(result, grid, parts.back().table, over, spec);
  }
  if (!parts.empty()) result.tables.push_back(united(parts, {}));
}

}  // namespace rigidlimit
