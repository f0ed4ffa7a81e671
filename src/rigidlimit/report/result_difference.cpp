#include "rigidlimit/report/result_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/report/bounded_json.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

/// A record with nested names: "ratio.found", "error_bars[0]".
using Flat = std::vector<std::pair<std::string, Json>>;

/// Sentences for readers, and times.
constexpr std::array left_out{"message", "reason",  "advice",         "found",   "how",
                              "claim",   "seconds", "seconds_median", "repeats", "notes"};
/// Texts and booleans that are results; all others identify a row.
constexpr std::array outcomes{"held",
                              "verdict",
                              "status",
                              "state",
                              "outcome",
                              "settled",
                              "modes",
                              "kind",
                              "modes_at_end",
                              "place",
                              "judged",
                              "reference",
                              "several_solutions",
                              "contacts",
                              "initial_modes",
                              "order_only"};
/// Numbers of the experiment file that identify a row.
constexpr std::array given{"epsilon",
                           "tangential_power",
                           "rtol",
                           "h",
                           "step",
                           "event",
                           "row",
                           "column",
                           "count",
                           "power",
                           "epsilon_from",
                           "epsilon_to",
                           "constant",
                           "expected_order",
                           "expected_at_least"};

/// The columns of error bars of a number.
const std::map<std::string_view, std::vector<std::string>>& bars() {
  static const std::map<std::string_view, std::vector<std::string>> columns{
      {"model_error", {"solver_error", "reference_error", "sampling_error"}},
      {"ratio", {"ratio_error"}},
      {"order", {"standard_error", "floor_error"}},
      {"order_limit", {"order_limit_error"}},
      {"ratio.found", {"ratio.limit_error"}},
      {"ratio.limit", {"ratio.limit_error"}},
      {"t", {"solver_error"}},
      {"difference", {"solver_error"}},
      {"error", {"error_bar"}}};
  return columns;
}

/// "steps" of "work.steps", "q" of "q[0]".
std::string_view last_name(std::string_view name) {
  if (const auto dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return name.substr(0, name.find('['));
}

template <class Names>
bool among(const Names& names, std::string_view name) {
  return std::ranges::find(names, last_name(name)) != names.end();
}

bool is_number(const Json& value) {
  return value.is_number() || value.is_null();  // null: not finite
}

void flatten(const Json& value, const std::string& name, Flat& flat) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      flatten(inner, name.empty() ? key : fmt::format("{}.{}", name, key), flat);
  } else if (value.is_array()) {
    std::size_t k = 0;
    for (const Json& inner : value) flatten(inner, fmt::format("{}[{}]", name, k++), flat);
  } else {
    flat.emplace_back(name, value);
  }
}

const Json* find(const Flat& row, std::string_view name) {
  const auto at = std::ranges::find(row, name, &Flat::value_type::first);
  return at == row.end() ? nullptr : &at->second;
}

std::string word_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Rows by the texts that identify them; rows with equal texts are numbered.
using Rows = std::vector<std::pair<std::string, Flat>>;

struct JsonTable {
  std::string name;
  Rows rows;
};

std::string identity_of(const Flat& row) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : row) {
    constexpr std::string_view swept = "swept.";
    if (among(left_out, name) || among(outcomes, name)) continue;
    if (name.starts_with(swept))
      parts.push_back(fmt::format("{} = {}", name.substr(swept.size()), word_of(value)));
    else if (value.is_string())
      parts.push_back(value.get<std::string>());
    else if (value.is_number() && among(given, name))
      parts.push_back(fmt::format("{} = {:.12g}", name, value.get<double>()));
  }
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool is_table(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

/// The lists of objects of a result, and one table of its other values, "result".
std::vector<JsonTable> tables_in(const Json& result) {
  std::vector<JsonTable> tables;
  Flat single;
  for (const auto& [name, value] : result.items()) {
    if (name == "provenance" || name == "resolved_studies") continue;
    if (!is_table(value) || name == "result") {
      flatten(value, name, single);
      continue;
    }
    JsonTable& table = tables.emplace_back(JsonTable{name, {}});
    std::map<std::string, int> count;
    for (const Json& record : value) {
      Flat row;
      flatten(record, "", row);
      std::string identity = identity_of(row);
      if (const int k = ++count[identity]; k > 1) identity += fmt::format(" #{}", k);
      table.rows.emplace_back(std::move(identity), std::move(row));
    }
  }
  tables.push_back({"result", {{"", std::move(single)}}});
  return tables;
}

double bar_in(const Flat& row, const std::vector<std::string>& columns) {
  double sum = 0.0;
  for (const std::string& column : columns)
    if (const Json* bar = find(row, column); bar != nullptr && bar->is_number())
      sum += std::abs(bar->get<double>());
  return sum;
}

/// The error bar of a number: the larger one of both rows; nullopt: its table has none.
std::optional<double> bar_of(const std::string& column, const Flat& then, const Flat& now) {
  const auto known = bars().find(column);
  if (known == bars().end()) return std::nullopt;
  const bool has_one = std::ranges::any_of(
      known->second, [&](const std::string& name) { return find(then, name) != nullptr; });
  if (!has_one) return std::nullopt;
  return std::max(bar_in(then, known->second), bar_in(now, known->second));
}

bool is_evidence(const Flat& row) {
  const Json* status = find(row, "status");
  return status == nullptr || *status == "ok" || *status == "proved";
}

/// Compares the columns of one table.
class TableComparison {
 public:
  TableComparison(const std::string& table, std::vector<ColumnDifference>& columns)
      : table_(table), columns_(columns) {}

  void compare(const std::string& row, const Flat& then, const Flat& now) {
    const bool evidence = is_evidence(then) && is_evidence(now);
    for (const auto& [name, value] : then) {
      if (among(left_out, name)) continue;
      const Json* other = find(now, name);
      if (other == nullptr) continue;
      ColumnDifference& column = column_named(name);
      ++column.cells;
      if (is_number(value) && is_number(*other))
        compare_numbers(column, row, value, *other, bar_of(name, then, now), evidence);
      else if (value != *other)
        note(column, {row, word_of(value), word_of(*other)});
    }
  }

 private:
  ColumnDifference& column_named(const std::string& name) {
    const auto [at, is_new] = places_.try_emplace(name, columns_.size());
    if (is_new) columns_.push_back({.table = table_, .column = name});
    return columns_[at->second];
  }

  static void note(ColumnDifference& column, WorstCell cell) {
    ++column.differing;
    const auto less = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; };
    const WorstCell& worst = column.worst;
    const bool by_bars = !std::isnan(worst.bars) || !std::isnan(cell.bars);
    if (column.differing == 1 ||
        (by_bars ? less(worst.bars, cell.bars) : less(worst.relative, cell.relative)))
      column.worst = std::move(cell);
  }

  static void compare_numbers(ColumnDifference& column, const std::string& row, const Json& then,
                              const Json& now, std::optional<double> bar, bool evidence) {
    column.numbers = true;
    column.has_bars |= bar.has_value();
    if (then == now) return;
    WorstCell cell{row, word_of(then), word_of(now)};
    const bool finite = then.is_number() && now.is_number();
    if (finite) {
      const double a = then.get<double>(), apart = std::abs(now.get<double>() - a);
      cell.relative = apart / std::abs(a);
      // Rounding of the numbers themselves, which an error bar of zero does not contain.
      if (bar) cell.bars = apart / (*bar + 1e-12 * std::abs(a));
    }
    if (bar && evidence && (!finite || !(cell.bars <= most_bars))) ++column.beyond;
    note(column, std::move(cell));
  }

  std::string table_;
  std::vector<ColumnDifference>& columns_;
  std::map<std::string, std::size_t> places_;
};

void compare_tables(const JsonTable& then, const JsonTable& now, ResultDifference& found) {
  std::map<std::string_view, const Flat*> rows;
  for (const auto& [identity, row] : now.rows) rows.emplace(identity, &row);
  TableComparison comparison(then.name, found.columns);
  for (const auto& [identity, row] : then.rows) {
    const auto at = rows.find(identity);
    if (at == rows.end()) {
      found.missing.push_back(fmt::format("{}: {}", then.name, identity));
      continue;
    }
    comparison.compare(identity, row, *at->second);
    rows.erase(at);
  }
  for (const auto& [identity, row] : rows)
    found.extra.push_back(fmt::format("{}: {}", then.name, identity));
}

void compare_claims(const Json& then, const Json& now, ResultDifference& found) {
  if (!then.contains("claims") || !now.contains("claims")) return;
  const Json &before = then.at("claims"), &after = now.at("claims");
  found.claims = static_cast<int>(before.size());
  for (std::size_t k = 0; k < std::min(before.size(), after.size()); ++k) {
    if (before[k].at("held") == after[k].at("held")) continue;
    ++found.changed_claims;
    found.changed.push_back(fmt::format("{}: {}", word_of(before[k].at("name")),
                                        after[k].at("held") == true
                                            ? "holds here, and did not in the archive"
                                            : "does not hold here, and did in the archive"));
  }
}

void compare_origins(const Json& then, const Json& now, ResultDifference& found) {
  const Json &before = then.at("provenance"), &after = now.at("provenance");
  for (const auto& [key, value] : before.items())
    if (key != "resolved" && key != "hash")
      found.origins.push_back(
          {key, word_of(value), after.contains(key) ? word_of(after.at(key)) : ""});
}

const Json& member(const Json& object, const char* key, bool (Json::*has_type)() const noexcept,
                   const char* type, const std::string& where) {
  const auto at = object.find(key);
  if (at == object.end() || !((*at).*has_type)())
    throw InputError(fmt::format("{} is {}, and must be {}", key,
                                 at == object.end() ? "missing" : at->type_name(), type),
                     where);
  return *at;
}

Json parsed_result(const std::string& text, const std::string& name) {
  Json result = bounded_json(text, name);
  if (!result.is_object()) throw InputError("is not a result.json of 'rigidlimit run'", name);
  member(result, "name", &Json::is_string, "a text", name);
  member(result, "provenance", &Json::is_object, "an object", name);
  if (!result.contains("claims")) result["claims"] = Json::array();
  std::size_t k = 0;
  for (const Json& claim : member(result, "claims", &Json::is_array, "a list", name)) {
    const std::string where = fmt::format("{}:claims[{}]", name, k++);
    if (!claim.is_object()) throw InputError("is not an object", where);
    member(claim, "name", &Json::is_string, "a text", where);
    member(claim, "held", &Json::is_boolean, "true or false", where);
  }
  return result;
}

}  // namespace

void require_result(const std::string& json, const std::string& name) {
  parsed_result(json, name);
}

ResultDifference difference_of_results(const std::string& then_json, const std::string& now_json,
                                       const std::string& then_name) {
  const Json then = parsed_result(then_json, then_name), now = parsed_result(now_json, "this run");
  ResultDifference found;
  compare_claims(then, now, found);
  compare_origins(then, now, found);
  const std::vector<JsonTable> before = tables_in(then), after = tables_in(now);
  for (const JsonTable& table : before) {
    const auto twin = std::ranges::find(after, table.name, &JsonTable::name);
    if (twin != after.end())
      compare_tables(table, *twin, found);
    else
      found.missing.push_back(fmt::format("{}: the whole table", table.name));
  }
  for (const JsonTable& table : after)
    if (std::ranges::find(before, table.name, &JsonTable::name) == before.end())
      found.extra.push_back(fmt::format("{}: the whole table", table.name));
  for (const ColumnDifference& column : found.columns) {
    found.cells += column.cells;
    found.differing += column.differing;
    found.beyond += column.beyond;
    if (column.has_bars) found.with_bars += column.cells;
  }
  return found;
}

}  // namespace rigidlimit
