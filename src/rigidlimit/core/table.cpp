#include "rigidlimit/core/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace rigidlimit {

namespace {

/// "rhs evaluations" of "work.rhs_evaluations".
std::string in_words(std::string_view name) {
  std::string words = last_name(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

struct Shown {
  const std::string& format;

  template <class Number>
  std::string number(Number x) const {
    return fmt::format(fmt::runtime(format.empty() ? "{}" : format), x);
  }
  std::string operator()(std::monostate) const { return format == of_counts ? "?" : "-"; }
  std::string operator()(bool fact) const { return fact ? "yes" : "no"; }
  std::string operator()(long count) const { return number(count); }
  /// A number that rounds to zero has no sign.
  std::string operator()(double x) const {
    if (std::isnan(x)) return "-";
    const std::string text = number(x);
    const std::size_t digits = std::min(text.find('e'), text.size());
    const bool is_zero = std::isfinite(x) && text.find_first_of("123456789") >= digits;
    return is_zero && text.starts_with('-') ? text.substr(1) : text;
  }
  std::string operator()(const std::string& text) const { return text; }
  template <class Several>
  std::string operator()(const Several& all) const {
    std::vector<std::string> texts;
    for (const auto& one : all) texts.push_back((*this)(one));
    return fmt::format("{}", fmt::join(texts, ", "));
  }
};

}  // namespace

Table::Table(std::string name, std::vector<Column> columns, std::size_t size, Fields common)
    : name_(std::move(name)),
      columns_(std::move(columns)),
      size_(size),
      common_(std::move(common)) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& column = columns_[k];
    if (column.header.empty()) column.header = in_words(column.name);
    if (column.name.empty() || column.header.empty() || !column.value)
      throw std::logic_error(fmt::format("column {} of {} is not complete", k, name_));
    if (find(column.name) != &column)
      throw std::logic_error(fmt::format("{} has two columns {}", name_, column.name));
  }
}

const Column* Table::find(std::string_view column) const {
  const auto at = std::ranges::find(columns_, column, &Column::name);
  return at == columns_.end() ? nullptr : &*at;
}

const Column& Table::at(std::string_view column) const {
  const Column* const found = find(column);
  if (found == nullptr) throw std::out_of_range(fmt::format("{} has no {}", name_, column));
  return *found;
}

Value Table::value(std::size_t row, std::string_view column) const {
  const Column* const found = find(column);
  return found == nullptr ? Value() : found->value(row);
}

double Table::number(std::size_t row, std::string_view column) const {
  const Value value = this->value(row, column);
  if (const auto* x = std::get_if<double>(&value.any())) return *x;
  const auto* const count = std::get_if<long>(&value.any());
  return count == nullptr ? std::nan("") : static_cast<double>(*count);
}

std::string Table::text(std::size_t row, std::string_view column) const {
  return text_of(at(column), row);
}

Table Table::named(std::string name) && {
  name_ = std::move(name);
  return std::move(*this);
}

Table Table::with_rows(std::vector<std::size_t> rows) const {
  const auto chosen = std::make_shared<const std::vector<std::size_t>>(std::move(rows));
  const auto at = [&chosen](const auto& of) {
    return [of, chosen](std::size_t row) { return of((*chosen)[row]); };
  };
  Table table = *this;
  table.size_ = chosen->size();
  for (Column& column : table.columns_) {
    column.value = at(column.value);
    if (column.text) column.text = at(column.text);
    if (column.tone) column.tone = at(column.tone);
  }
  return table;
}

Table Table::kept(Kept places) && {
  kept_ = places;
  return std::move(*this);
}

std::string text_of(const Column& column, std::size_t row) {
  return column.text ? column.text(row) : shown(column.value(row), column.format);
}

Tone tone_of(const Column& column, std::size_t row) {
  return column.tone ? column.tone(row) : Tone::plain;
}

std::string count_text(long count) {
  return shown(count_value(count), of_counts);
}

std::string shown(const Value& value, const std::string& format) {
  return std::visit(Shown{format}, value.any());
}

std::string last_name(std::string_view name) {
  return std::string(name.substr(name.rfind('.') + 1));
}

std::vector<std::string> flat_names(const Table& table) {
  std::vector<std::string> names;
  for (const Field& field : table.common()) names.push_back(field.name);
  for (const Column& column : table.columns()) names.push_back(column.name);
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[last_name(name)];
  for (std::string& name : names)
    if (uses[last_name(name)] == 1)
      name = last_name(name);
    else
      std::ranges::replace(name, '.', '_');
  return names;
}

namespace {

/// The part of a row of several tables, and its number there.
class PartPlaces {
 public:
  explicit PartPlaces(const std::vector<KeyedPart>& parts) {
    for (const KeyedPart& part : parts) begins_.push_back(begins_.back() + part.table.size());
  }
  std::size_t size() const { return begins_.back(); }
  std::pair<std::size_t, std::size_t> of(std::size_t row) const {
    const auto part = std::ranges::upper_bound(begins_, row) - begins_.begin() - 1;
    return {static_cast<std::size_t>(part), row - begins_[static_cast<std::size_t>(part)]};
  }

 private:
  std::vector<std::size_t> begins_{0};
};

}  // namespace

Table united(const std::vector<KeyedPart>& parts, const std::vector<std::string>& headers) {
  if (parts.empty()) return {};
  const auto kept = std::make_shared<const std::vector<KeyedPart>>(parts);
  const auto places = std::make_shared<const PartPlaces>(parts);
  std::vector<Column> columns;
  for (std::size_t k = 0; k < headers.size(); ++k) {
    const Field& first = parts.front().keys.at(k);
    const bool number = std::holds_alternative<double>(first.value.any());
    columns.push_back({.name = first.name,
                       .header = headers[k],
                       .format = number ? "{:.12g}" : "",
                       .role = Role::key,
                       .value = [kept, places, k](std::size_t row) {
                         return (*kept)[places->of(row).first].keys[k].value;
                       }});
  }
  std::vector<const Column*> known;  // each column of any part once, in the order of the parts
  for (const KeyedPart& part : *kept)
    for (const Column& column : part.table.columns())
      if (std::ranges::find(known, column.name, &Column::name) == known.end())
        known.push_back(&column);
  for (const Column* one : known) {
    // The column of each part; nullptr: the part has none.
    std::vector<const Column*> of_parts;
    for (const KeyedPart& part : *kept) of_parts.push_back(part.table.find(one->name));
    const auto at = [kept, places, of_parts](auto&& of, auto otherwise) {
      return [kept, places, of_parts, of, otherwise](std::size_t row) {
        const auto [part, inner] = places->of(row);
        return of_parts[part] == nullptr ? otherwise : of(*of_parts[part], inner);
      };
    };
    columns.push_back(
        {.name = one->name,
         .header = one->header,
         .format = one->format,
         .role = one->role,
         .optional = one->optional,
         .value = at([](const Column& c, std::size_t row) { return c.value(row); }, Value()),
         .text =
             at([](const Column& c, std::size_t row) { return text_of(c, row); }, std::string("-")),
         .tone =
             at([](const Column& c, std::size_t row) { return tone_of(c, row); }, Tone::plain)});
  }
  const Table& first = parts.front().table;
  return Table(first.name(), std::move(columns), places->size(), first.common()).kept(first.kept());
}

}  // namespace rigidlimit
