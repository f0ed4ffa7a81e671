#include "rigidlimit/result/table_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace rigidlimit {

namespace {

/// A number, a count, or NaN for nothing; nullopt: a text, a fact or a list.
std::optional<double> number_of(const Value& value) {
  if (value.is_nothing()) return std::nan("");
  if (const auto* count = std::get_if<long>(&value.any())) return static_cast<double>(*count);
  if (const auto* number = std::get_if<double>(&value.any())) return *number;
  return std::nullopt;
}

/// A list without entries, of numbers or of texts.
bool is_empty_list(const Value& value) {
  const auto* numbers = std::get_if<Value::Numbers>(&value.any());
  const auto* texts = std::get_if<Value::Texts>(&value.any());
  return (numbers != nullptr && numbers->empty()) || (texts != nullptr && texts->empty());
}

/// The cell in words: numbers with all digits.
std::string word_of_cell(const Value& value) {
  const std::optional<double> number = number_of(value);
  if (!number) return shown(value, "{}");
  return std::isnan(*number) ? "null" : fmt::format("{}", *number);
}

std::string identity_of_row(const Table& table, std::size_t row) {
  constexpr std::string_view swept = "swept.";
  std::vector<std::string> parts;
  for (const Column& column : table.columns()) {
    if (column.role != Role::key) continue;
    const Value value = column.value(row);
    const std::optional<double> number = number_of(value);
    if (column.name.starts_with(swept))
      parts.push_back(
          fmt::format("{} = {}", column.name.substr(swept.size()), word_of_cell(value)));
    else if (!number)
      parts.push_back(shown(value, "{}"));
    else if (!std::isnan(*number))
      parts.push_back(fmt::format("{} = {:.12g}", column.name, *number));
  }
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The rows by their keys, in the order of the table.
std::vector<std::pair<std::string, std::size_t>> identified(const Table& table) {
  std::vector<std::pair<std::string, std::size_t>> rows;
  std::map<std::string, int> count;
  for (std::size_t row = 0; row < table.size(); ++row) {
    std::string identity = identity_of_row(table, row);
    if (const int k = ++count[identity]; k > 1) identity += fmt::format(" #{}", k);
    rows.emplace_back(std::move(identity), row);
  }
  return rows;
}

/// The sum of the error bars of a number that are known.
double bar_in(const Table& table, std::size_t row, const std::vector<std::string>& bars) {
  double sum = 0.0;
  for (const std::string& bar : bars)
    if (const double x = table.number(row, bar); !std::isnan(x)) sum += std::abs(x);
  return sum;
}

void note(ColumnDifference& column, WorstCell cell) {
  ++column.differing;
  const auto less = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; };
  const WorstCell& worst = column.worst;
  const bool by_bars = !std::isnan(worst.bars) || !std::isnan(cell.bars);
  if (column.differing == 1 ||
      (by_bars ? less(worst.bars, cell.bars) : less(worst.relative, cell.relative)))
    column.worst = std::move(cell);
}

/// The same row of both tables.
struct RowPair {
  const std::string& identity;
  const Table &before, &after;
  std::size_t then, now;
  bool evidence;
};

void compare_numbers(ColumnDifference& column, const RowPair& rows, double then, double now,
                     const std::vector<std::string>& bars) {
  column.numbers = true;
  const bool finite = std::isfinite(then) && std::isfinite(now);
  if (then == now || (!finite && std::isfinite(then) == std::isfinite(now))) return;
  WorstCell cell{rows.identity, word_of_cell(then), word_of_cell(now)};
  const bool has_bar = !bars.empty();
  if (finite) {
    const double apart = std::abs(now - then);
    cell.relative = apart / std::abs(then);
    // Rounding of the numbers themselves, which an error bar of zero does not contain.
    if (has_bar)
      cell.bars = apart / (std::max(bar_in(rows.before, rows.then, bars),
                                    bar_in(rows.after, rows.now, bars)) +
                           1e-12 * std::abs(then));
  }
  if (has_bar && rows.evidence && (!finite || !(cell.bars <= most_bars))) ++column.beyond;
  note(column, std::move(cell));
}

void compare_cells(ColumnDifference& column, const RowPair& rows, const Value& then,
                   const Value& now, const std::vector<std::string>& bars) {
  ++column.cells;
  if (is_empty_list(then) && is_empty_list(now)) return;
  const auto *before = std::get_if<Value::Numbers>(&then.any()),
             *after = std::get_if<Value::Numbers>(&now.any());
  if (before != nullptr && after != nullptr && before->size() == after->size()) {
    for (std::size_t k = 0; k < before->size(); ++k)
      compare_numbers(column, rows, (*before)[k], (*after)[k], bars);
    return;
  }
  const std::optional<double> a = number_of(then), b = number_of(now);
  if (a && b)
    compare_numbers(column, rows, *a, *b, bars);
  else if (then != now)
    note(column, {rows.identity, word_of_cell(then), word_of_cell(now)});
}

/// Those that both tables have.
std::vector<std::string> known_bars(const Column& column, const Table& then, const Table& now) {
  std::vector<std::string> bars;
  for (const std::string& bar : column.bars)
    if (then.find(bar) != nullptr && now.find(bar) != nullptr) bars.push_back(bar);
  return bars;
}

}  // namespace

TableDifference difference_of(
    const Table& then, const Table& now,
    const std::function<bool(const Table& table, std::size_t row)>& is_evidence) {
  TableDifference found;
  const std::vector<std::pair<std::string, std::size_t>> before = identified(then);
  std::map<std::string, std::size_t> after;
  for (const auto& [identity, row] : identified(now)) after.emplace(identity, row);
  std::vector<RowPair> rows;
  for (const auto& [identity, row] : before) {
    const auto at = after.find(identity);
    if (at == after.end()) {
      found.missing.push_back(fmt::format("{}: {}", now.name(), identity));
      continue;
    }
    rows.push_back({identity, then, now, row, at->second,
                    is_evidence(then, row) && is_evidence(now, at->second)});
    after.erase(at);
  }
  for (const auto& [identity, row] : after)
    found.extra.push_back(fmt::format("{}: {}", now.name(), identity));
  for (const Column& column : now.columns()) {
    const Column* const twin = then.find(column.name);
    if (column.role != Role::value || twin == nullptr || rows.empty()) continue;
    const std::vector<std::string> bars = known_bars(column, then, now);
    ColumnDifference& difference = found.columns.emplace_back();
    difference.table = now.name();
    difference.column = column.name;
    difference.has_bars = !bars.empty();
    for (const RowPair& pair : rows)
      compare_cells(difference, pair, twin->value(pair.then), column.value(pair.now), bars);
  }
  return found;
}

}  // namespace rigidlimit
