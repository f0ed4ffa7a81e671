#include "rigidlimit/report/result_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/judge/evidence.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/report/bounded_json.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

/// The member "work.steps" of an object; nullptr: there is none.
const Json* member_at(const Json& object, std::string_view name) {
  const Json* at = &object;
  while (true) {
    const std::size_t dot = name.find('.');
    const auto found = at->is_object() ? at->find(std::string(name.substr(0, dot))) : at->end();
    if (found == at->end()) return nullptr;
    at = &*found;
    if (dot == std::string_view::npos) return at;
    name.remove_prefix(dot + 1);
  }
}

bool is_table(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Json& row) { return row.is_object(); });
}

/// Lists of numbers and of texts; any other list and an object as its text.
Value value_in(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<long>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  const auto all = [&](bool (Json::*is)() const noexcept) {
    return value.is_array() &&
           std::ranges::all_of(value, [is](const Json& one) { return (one.*is)(); });
  };
  if (all(&Json::is_string)) return value.get<std::vector<std::string>>();
  if (!value.is_array() ||
      !std::ranges::all_of(value, [](const Json& one) { return one.is_number() || one.is_null(); }))
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  Value::Numbers numbers;
  for (const Json& one : value)
    numbers.push_back(one.is_number() ? one.get<double>() : std::nan(""));
  return numbers;
}

/// A list of objects, or one object, as rows with the columns of `like`, without those that no
/// object has.
Table table_of_objects(const std::shared_ptr<const Json>& objects, const Table& like) {
  const std::size_t size = objects->is_object() ? 1 : objects->size();
  const auto cell = [objects](std::size_t row, const std::string& name) {
    return member_at(objects->is_object() ? *objects : (*objects)[row], name);
  };
  std::vector<Column> columns;
  for (const Column& column : like.columns()) {
    const std::string& name = column.name;
    std::size_t first = 0;
    while (first < size && cell(first, name) == nullptr) ++first;
    if (first == size) continue;
    columns.push_back({.name = name,
                       .header = column.header,
                       .format = column.format,
                       .role = column.role,
                       .bars = column.bars,
                       .value = [cell, name](std::size_t row) {
                         const Json* const found = cell(row, name);
                         return found == nullptr ? Value() : value_in(*found);
                       }});
  }
  const std::size_t rows = columns.empty() ? 0 : size;
  return {like.name(), std::move(columns), rows};
}

/// The single values of a result as one row.
Table facts_of(const Result& result) {
  Fields facts{{"held", result.held()}, {"interrupted", result.interrupted}};
  facts.insert(facts.end(), result.facts.begin(), result.facts.end());
  return row_of("result", facts);
}

/// Words of a row's column "status" (judge/evidence.hpp); a row without one counts.
bool counts(const Table& table, std::size_t row) {
  const Value status = table.value(row, "status");
  const auto* const word = std::get_if<std::string>(&status.any());
  return word == nullptr || evidence_named(*word).counts();
}

void take(TableDifference tables, ResultDifference& found) {
  std::ranges::move(tables.columns, std::back_inserter(found.columns));
  std::ranges::move(tables.missing, std::back_inserter(found.missing));
  std::ranges::move(tables.extra, std::back_inserter(found.extra));
}

void compare_tables(const std::shared_ptr<const Json>& then, const Result& now,
                    ResultDifference& found) {
  const auto missing = [](const std::string& name) { return name + ": the whole table"; };
  std::set<std::string> compared{"resolved_studies", "claims"};
  for (const Table& table : now.tables) {
    if (table.kept() == Kept::in_files) continue;
    compared.insert(table.name());
    const std::shared_ptr<const Json> rows(then, member_at(*then, table.name()));
    if (rows != nullptr && is_table(*rows))
      take(difference_of(table_of_objects(rows, table), table, counts), found);
    else if (!table.empty())
      found.extra.push_back(missing(table.name()));
  }
  for (const auto& [name, value] : then->items())
    if (is_table(value) && !compared.contains(name)) found.missing.push_back(missing(name));
  const Table facts = facts_of(now);
  take(difference_of(table_of_objects(then, facts), facts, counts), found);
}

std::string word_in(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void compare_claims(const Json& then, const Result& now, ResultDifference& found) {
  const Json& before = then.at("claims");
  found.claims = static_cast<int>(before.size());
  for (std::size_t k = 0; k < std::min(before.size(), now.claims.size()); ++k) {
    if (before[k].at("held") == now.claims[k].held()) continue;
    ++found.changed_claims;
    found.changed.push_back(fmt::format("{}: {}", word_in(before[k].at("name")),
                                        now.claims[k].held()
                                            ? "holds here, and did not in the archive"
                                            : "does not hold here, and did in the archive"));
  }
}

void compare_origins(const Json& then, ResultDifference& found) {
  const auto here = build_provenance();
  const Json& there = then.at("provenance");
  for (const auto& [key, value] : there.items()) {
    if (key == "resolved" || key == "hash") continue;
    const auto same = [&key = key](const auto& one) { return one.first == key; };
    const auto at = std::ranges::find_if(here, same);
    found.origins.push_back({key, word_in(value), at == here.end() ? "" : at->second});
  }
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

ResultDifference difference_of_results(const std::string& then_json, const Result& now,
                                       const std::string& then_name) {
  const auto then = std::make_shared<const Json>(parsed_result(then_json, then_name));
  ResultDifference found;
  compare_claims(*then, now, found);
  compare_origins(*then, found);
  compare_tables(then, now, found);
  for (const ColumnDifference& column : found.columns) {
    found.cells += column.cells;
    found.differing += column.differing;
    found.beyond += column.beyond;
    if (column.has_bars) found.with_bars += column.cells;
  }
  return found;
}

Table table_in(const std::string& json, const Table& like) {
  const auto rows = std::make_shared<const Json>(bounded_json(json, like.name()));
  if (!is_table(*rows)) throw InputError("is not a list of objects", like.name());
  return table_of_objects(rows, like);
}

}  // namespace rigidlimit
