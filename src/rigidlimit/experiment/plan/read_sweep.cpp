#include "rigidlimit/experiment/plan/read_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "rigidlimit/experiment/spec/geometric_values.hpp"
#include "rigidlimit/experiment/spec/variant.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

std::vector<double> linear_values(Section& section) {
  const double from = section.number("from", any_finite, std::nullopt);
  const double to = section.number("to", any_finite, std::nullopt);
  const long count = section.count("count", {2, 10'000}, std::nullopt);
  std::vector<double> values;
  for (long k = 0; k < count; ++k)
    values.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
  values.back() = to;
  return values;
}

std::vector<ValueText> values_of_range(Section section) {
  const bool linear = section.choice("spacing", {"geometric", "linear"}, "geometric") == "linear";
  const std::vector<double> values =
      linear ? linear_values(section)
             : read_geometric_values(section, {.low = 0.0, .low_open = true});
  section.finish();
  std::vector<ValueText> texts;
  for (const double x : values) texts.push_back({toml_text(x), section.place()});
  return texts;
}

/// Rejects keys that a sweep cannot change, and keys that it changes twice.
void require_sweepable(const Section& section, const std::string& at, const std::string& key,
                       const std::vector<SweepAxis>& axes) {
  for (const SweepAxis& axis : axes)
    if (std::ranges::find(axis.keys, key) != axis.keys.end())
      section.fail(at, fmt::format("{} occurs twice in [sweep]", key));
  if (key.find('.') == std::string::npos || key == "study.name" || key.starts_with("sweep."))
    section.fail(at, fmt::format("{} cannot be swept: use dotted keys of this file, such as "
                                 "contact.damping_ratio; all points share study.name",
                                 key));
}

void require_distinct(const Section& section, const std::string& at,
                      const std::vector<std::string>& values) {
  std::set<std::string> distinct;
  for (const std::string& value : values)
    if (!distinct.insert(value).second) section.fail(at, fmt::format("{} occurs twice", value));
}

std::string row_text(const std::vector<ValueText>& row) {
  std::vector<std::string> texts;
  for (const ValueText& value : row) texts.push_back(value.toml);
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// [[sweep.zip]]: keys that change together.
SweepAxis read_zip(Section section, const std::vector<SweepAxis>& axes) {
  SweepAxis axis;
  axis.keys = section.texts("keys");
  for (const std::string& key : axis.keys) require_sweepable(section, "keys", key, axes);
  axis.values = section.value_rows("values", axis.keys);
  std::vector<std::string> rows;
  for (const auto& row : axis.values) rows.push_back(row_text(row));
  require_distinct(section, "values", rows);
  axis.name = section.text("name", "");
  if (!axis.name.empty()) {
    if (axis.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
      section.fail("name", "must consist of small letters, digits and _");
    for (const ValueText& label : section.values("labels")) axis.labels.push_back(label.toml);
    require_distinct(section, "labels", axis.labels);
    if (axis.labels.size() != axis.values.size())
      section.fail("labels", fmt::format("must be {}, one for each entry of `values`, not {}",
                                         axis.values.size(), axis.labels.size()));
  }
  section.finish();
  return axis;
}

/// All dotted keys of a table and its sub-tables: both [sweep] "a.b" = and [sweep.a] b = give a.b.
void collect_axes(Section section, const std::string& before, std::vector<SweepAxis>& axes) {
  for (const PlacedText& name : section.keys()) {
    const std::string key = before + name.text;
    if (key == "zip" && section.has_tables(key)) {
      for (Section& zip : section.sections(key)) axes.push_back(read_zip(zip, axes));
      continue;
    }
    const bool is_table = section.has_table(name.text);
    if (is_table && !section.section(name.text).has("from")) {
      collect_axes(section.section(name.text), key + ".", axes);
      continue;
    }
    require_sweepable(section, name.text, key, axes);
    SweepAxis axis{.keys = {key}, .values = {}};
    std::vector<std::string> texts;
    for (ValueText& value :
         is_table ? values_of_range(section.section(name.text)) : section.values(name.text)) {
      texts.push_back(value.toml);
      axis.values.push_back({std::move(value)});
    }
    require_distinct(section, name.text, texts);
    axes.push_back(std::move(axis));
  }
}

std::size_t swept_column(Section& section, const std::string& at, const std::string& name,
                         const SweepGrid& grid) {
  const auto found = std::ranges::find(grid.columns, name, &SweptColumn::name);
  if (found == grid.columns.end()) {
    std::vector<std::string> known;
    for (const SweptColumn& column : grid.columns) known.push_back(column.name);
    section.fail(at, fmt::format("{} is not a key of [sweep]: {}", name, fmt::join(known, ", ")));
  }
  return static_cast<std::size_t>(found - grid.columns.begin());
}

/// The value of a column that equals `value`: as numbers, if both are; else as texts.
const ValueText* equal_value(const SweptColumn& column, const std::string& value) {
  const std::optional<double> x = number_in(value);
  for (const ValueText& known : column.values)
    if (known.toml == value || (x && number_in(known.toml) == x)) return &known;
  return nullptr;
}

std::string values_text(const SweptColumn& column) {
  std::vector<std::string> values;
  for (const ValueText& value : column.values)
    if (std::ranges::find(values, value.toml) == values.end()) values.push_back(value.toml);
  return fmt::format("{}", fmt::join(values, ", "));
}

/// Whether --set gave the values of a column: the file may name values that are then missing.
bool is_set(const TomlDocument& document, const SweepGrid& grid, const SweptColumn& column) {
  return document.is_set("sweep." + column.name) ||
         (grid.axes[column.axis].keys.size() > 1 && document.is_set("sweep.zip"));
}

/// The conditions in `where`, a table with dotted keys, quoted or not.
void collect_conditions(const TomlDocument& document, Section section, const std::string& before,
                        const SweepGrid& grid, std::vector<SweepCondition>& conditions) {
  for (const PlacedText& name : section.keys()) {
    const std::string key = before + name.text;
    if (section.has_table(name.text)) {
      collect_conditions(document, section.section(name.text), key + ".", grid, conditions);
      continue;
    }
    SweepCondition condition{.column = swept_column(section, name.text, key, grid)};
    const SweptColumn& swept = grid.columns[condition.column];
    const ValueText whole = section.value(name.text);
    const bool several = !equal_value(swept, whole.toml) && whole.toml.starts_with('[');
    for (const ValueText& value : several ? section.values(name.text) : std::vector{whole}) {
      const ValueText* const known = equal_value(swept, value.toml);
      if (known)
        condition.values.push_back(known->toml);
      else if (!is_set(document, grid, swept))
        section.fail(name.text, fmt::format("{} is not a value of {} in [sweep]: {}", value.toml,
                                            key, values_text(swept)));
    }
    conditions.push_back(std::move(condition));
  }
}

/// The lists of tables, some of which apply at some points only.
void read_conditions(const TomlDocument& document, SweepGrid& grid) {
  Section root = document.root();
  for (const PlacedText& name : root.keys()) {
    if (!root.has_tables(name.text) || name.text == "least") continue;
    ConditionalList list{.name = name.text};
    for (Section& table : root.sections(name.text)) {
      std::vector<SweepCondition>& conditions = list.tables.emplace_back();
      if (!table.has_table("where")) continue;
      collect_conditions(document, table.section("where"), "", grid, conditions);
      if (conditions.empty()) table.fail("where", "needs a swept key and its value");
    }
    if (std::ranges::all_of(list.tables, &std::vector<SweepCondition>::empty)) continue;
    list.text = document.text_of(name.text);
    grid.conditional.push_back(std::move(list));
  }
}

void read_least(const TomlDocument& document, SweepGrid& grid) {
  Section root = document.root();
  for (Section& section : root.sections("least")) {
    LeastSpec least;
    const std::string key = section.text("over", std::nullopt);
    least.over = swept_column(section, "over", key, grid);
    const SweptColumn& swept = grid.columns[least.over];
    if (grid.axes[swept.axis].keys.size() > 1)
      section.fail("over", "changes together with other keys; it needs values of its own");
    for (const ValueText& value : swept.values)
      if (!number_in(value.toml))
        section.fail("over",
                     fmt::format("{} has the value {}, which is not a number", key, value.toml));
    if (section.has("beside")) {
      least.beside = section.number("beside", any_finite, std::nullopt);
      if (!equal_value(swept, toml_text(*least.beside)) && !is_set(document, grid, swept))
        section.fail("beside",
                     fmt::format("is not a value of {} in [sweep]: {}", key, values_text(swept)));
    }
    section.finish();
    grid.least.push_back(least);
  }
}

bool applies(const std::vector<SweepCondition>& conditions, const SweepPoint& point) {
  return std::ranges::all_of(conditions, [&](const SweepCondition& condition) {
    return std::ranges::find(condition.values, point[condition.column].toml) !=
           condition.values.end();
  });
}

}  // namespace

void SweepGrid::add(SweepAxis axis) {
  const std::size_t number = axes.size();
  if (!axis.name.empty()) {
    SweptColumn column{.name = axis.name, .axis = number};
    for (std::size_t k = 0; k < axis.labels.size(); ++k)
      column.values.push_back({axis.labels[k], axis.values[k].front().place});
    columns.push_back(std::move(column));
  } else {
    for (std::size_t i = 0; i < axis.keys.size(); ++i) {
      SweptColumn column{.name = axis.keys[i], .axis = number};
      for (const auto& row : axis.values) column.values.push_back(row[i]);
      columns.push_back(std::move(column));
    }
  }
  axes.push_back(std::move(axis));
}

std::size_t SweepGrid::size() const {
  std::size_t size = 1;
  for (const SweepAxis& axis : axes) size *= axis.values.size();
  return size;
}

std::vector<std::size_t> SweepGrid::position(std::size_t number) const {
  std::vector<std::size_t> position(axes.size());
  for (std::size_t k = axes.size(); k-- > 0; number /= axes[k].values.size())
    position[k] = number % axes[k].values.size();
  return position;
}

SweepPoint SweepGrid::point(std::size_t number) const {
  const std::vector<std::size_t> at = position(number);
  SweepPoint point;
  for (const SweptColumn& column : columns) point.push_back(column.values[at[column.axis]]);
  return point;
}

std::vector<ValueText> SweepGrid::overrides(std::size_t number) const {
  const std::vector<std::size_t> at = position(number);
  std::vector<ValueText> all;
  for (std::size_t k = 0; k < axes.size(); ++k)
    for (std::size_t i = 0; i < axes[k].keys.size(); ++i) {
      const ValueText& value = axes[k].values[at[k]][i];
      all.push_back({fmt::format("{}={}", axes[k].keys[i], value.toml), value.place});
    }
  return all;
}

std::string text_of(const SweepGrid& grid, const SweepPoint& point) {
  std::string text;
  for (std::size_t k = 0; k < point.size(); ++k)
    text += fmt::format("{}{} = {}", k > 0 ? ", " : "", grid.columns[k].name, point[k].toml);
  return text;
}

std::vector<KeyTableInfo> tables_of_sweeps() {
  const auto key = [](const char* name, const char* text, const char* values,
                      const char* otherwise = "needed") {
    return KeyInfo{.name = name,
                   .unit = "",
                   .text = text,
                   .values = values,
                   .otherwise = otherwise,
                   .is_computed = true};
  };
  KeyTableInfo range = geometric_keys(any_finite, "those of KEY, > 0 if geometric", false).info();
  range.keys.push_back({.name = "spacing",
                        .unit = "",
                        .text = "constant ratios or differences",
                        .values = "\"geometric\", \"linear\"",
                        .otherwise = "\"geometric\""});
  const KeyInfo where = key("where", "points of the claim: {KEY = value or list}, of swept keys",
                            "table", "every point");
  return {
      {"sweep",
       {key("KEY", "values of the dotted key KEY of this file: contact.damping_ratio",
            "list of values, or {from, to, count, spacing}", "needed: one key or a zip")}},
      range,
      {"[sweep.zip]",
       {key("keys", "dotted keys that change together", "list of texts"),
        key("values", "a row for each point, with a value for each key", "list of lists of values"),
        key("name", "one column in tables, and a name for `where`", "text",
            "a column for each key"),
        key("labels", "values of this column", "list of values", "needed with name")}},
      {"[expect]", {where}},
      {"[bound]", {where}},
      {"[least]",
       {key("over", "swept key whose value with the least error is reported", "text"),
        {.name = "beside",
         .unit = "own",
         .text = "value at which the error is also reported",
         .values = any_finite.text(),
         .otherwise = "none",
         .is_computed = true,
         .is_number = true}}}};
}

bool is_sweep(const TomlDocument& document) {
  return document.root().has_table("sweep");
}

SweepGrid read_sweep_grid(const TomlDocument& document) {
  Section root = document.root();
  Section section = root.section("sweep");
  std::vector<SweepAxis> axes;
  collect_axes(section, "", axes);
  if (axes.empty())
    root.fail(
        "sweep",
        "has no key; give at least one with its values, e.g. contact.damping_ratio = [0.5, 1]");
  const auto first_column = [](const SweepAxis& axis) -> const std::string& {
    return axis.name.empty() ? axis.keys.front() : axis.name;
  };
  std::ranges::sort(axes, {}, first_column);
  constexpr double most = 10'000;  // each point is a study with its own model and plan
  SweepGrid grid;
  double points = 1.0;
  for (SweepAxis& axis : axes) {
    for (const std::string& key : axis.keys)
      if (document.is_set(key))
        root.fail("sweep", fmt::format("gives values of {0}, which --set also sets: set "
                                       "sweep.{0}=[…] instead",
                                       key));
    points *= static_cast<double>(axis.values.size());
    grid.add(std::move(axis));
  }
  if (points > most)
    root.fail("sweep", fmt::format("has {:.3g} points; the limit is {:.0f}", points, most));
  for (std::size_t k = 1; k < grid.columns.size(); ++k)
    if (std::ranges::find(grid.columns.begin(), grid.columns.begin() + static_cast<long>(k),
                          grid.columns[k].name,
                          &SweptColumn::name) != grid.columns.begin() + static_cast<long>(k))
      root.fail("sweep", fmt::format("has two zips with the name {}", grid.columns[k].name));
  read_conditions(document, grid);
  read_least(document, grid);
  return grid;
}

TomlDocument document_at(const TomlDocument& document, const SweepGrid& grid, std::size_t number) {
  const SweepPoint point = grid.point(number);
  TomlDocument at = document.without("sweep").without("least").with(grid.overrides(number));
  for (const ConditionalList& list : grid.conditional) {
    std::vector<bool> kept;
    for (const auto& conditions : list.tables) kept.push_back(applies(conditions, point));
    at = at.with_kept(list.name, kept, "where");
  }
  return at;
}

std::string resolved_sweep(const std::vector<std::string>& points, const SweepGrid& grid) {
  std::vector<std::string> conditional;
  for (const ConditionalList& list : grid.conditional) conditional.push_back(list.name);
  std::string text = common_text(points, conditional);
  for (const ConditionalList& list : grid.conditional) text += list.text;
  for (const LeastSpec& least : grid.least) {
    text += fmt::format("\n[[least]]\nover = {}\n", toml_text(grid.columns[least.over].name));
    if (least.beside) text += fmt::format("beside = {}\n", toml_text(*least.beside));
  }
  text += "\n[sweep]\n";
  for (const SweepAxis& axis : grid.axes)
    if (axis.keys.size() == 1 && axis.name.empty()) {
      std::vector<ValueText> values;
      for (const auto& row : axis.values) values.push_back(row.front());
      text += fmt::format("{} = {}\n", axis.keys.front(), row_text(values));
    }
  for (const SweepAxis& axis : grid.axes) {
    if (axis.keys.size() == 1 && axis.name.empty()) continue;
    text += fmt::format("\n[[sweep.zip]]\nkeys = {}\n", toml_list(axis.keys));
    if (!axis.name.empty())
      text += fmt::format("name = {}\nlabels = [{}]\n", toml_text(axis.name),
                          fmt::join(axis.labels, ", "));
    text += "values = [\n";
    for (const auto& row : axis.values) text += fmt::format("  {},\n", row_text(row));
    text += "]\n";
  }
  return text;
}

}  // namespace rigidlimit
