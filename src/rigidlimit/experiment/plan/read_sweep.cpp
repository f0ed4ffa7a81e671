#include "rigidlimit/experiment/plan/read_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "rigidlimit/experiment/spec/geometric_values.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"
#include "rigidlimit/experiment/spec/variant.hpp"

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

/// All dotted keys of a table and its sub-tables: both [sweep] "a.b" = and [sweep.a] b = give a.b.
void collect(Section section, const std::string& before, SweepGrid& grid) {
  for (const PlacedText& name : section.keys()) {
    const std::string key = before + name.text;
    const bool is_table = section.has_table(name.text);
    if (is_table && !section.section(name.text).has("from")) {
      collect(section.section(name.text), key + ".", grid);
      continue;
    }
    if (std::ranges::find(grid.keys, key, &SweptKey::key) != grid.keys.end())
      section.fail(name.text, fmt::format("{} occurs twice in [sweep]", key));
    if (key.find('.') == std::string::npos || key == "study.name" || key.starts_with("sweep."))
      section.fail(name.text,
                   "cannot be swept: use dotted keys of this file, such as contact.damping_ratio; "
                   "all points share study.name");
    std::vector<ValueText> values =
        is_table ? values_of_range(section.section(name.text)) : section.values(name.text);
    std::set<std::string> distinct;
    for (const ValueText& value : values)
      if (!distinct.insert(value.toml).second)
        section.fail(name.text, fmt::format("{} occurs twice", value.toml));
    grid.keys.push_back({key, std::move(values)});
  }
}

std::size_t swept_key(Section& section, const std::string& name, const std::string& key,
                      const SweepGrid& grid) {
  const auto at = std::ranges::find(grid.keys, key, &SweptKey::key);
  if (at == grid.keys.end()) {
    std::vector<std::string> known;
    for (const SweptKey& swept : grid.keys) known.push_back(swept.key);
    section.fail(name, fmt::format("{} is not a key of [sweep]: {}", key, fmt::join(known, ", ")));
  }
  return static_cast<std::size_t>(at - grid.keys.begin());
}

/// The value of a swept key that equals `value`: as numbers, if both are; else as texts.
const ValueText* equal_value(const SweptKey& key, const std::string& value) {
  const std::optional<double> x = number_in(value);
  for (const ValueText& known : key.values)
    if (known.toml == value || (x && number_in(known.toml) == x)) return &known;
  return nullptr;
}

std::string values_text(const SweptKey& key) {
  std::vector<std::string> values;
  for (const ValueText& value : key.values) values.push_back(value.toml);
  return fmt::format("{}", fmt::join(values, ", "));
}

/// Whether --set gave the values of a swept key: the file may name values that are then missing.
bool is_set(const TomlDocument& document, const SweptKey& key) {
  return document.is_set("sweep." + key.key);
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
    SweepCondition condition{.key = swept_key(section, name.text, key, grid)};
    const SweptKey& swept = grid.keys[condition.key];
    const ValueText whole = section.value(name.text);
    const bool several = !equal_value(swept, whole.toml) && whole.toml.starts_with("[");
    for (const ValueText& value : several ? section.values(name.text) : std::vector{whole}) {
      const ValueText* const known = equal_value(swept, value.toml);
      if (known)
        condition.values.push_back(known->toml);
      else if (!is_set(document, swept))
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
    if (!root.has_tables(name.text)) continue;
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
    least.over = swept_key(section, "over", key, grid);
    const SweptKey& swept = grid.keys[least.over];
    for (const ValueText& value : swept.values)
      if (!number_in(value.toml))
        section.fail("over",
                     fmt::format("{} has the value {}, which is not a number", key, value.toml));
    if (section.has("beside")) {
      least.beside = section.number("beside", any_finite, std::nullopt);
      if (!equal_value(swept, toml_text(*least.beside)) && !is_set(document, swept))
        section.fail("beside",
                     fmt::format("is not a value of {} in [sweep]: {}", key, values_text(swept)));
    }
    section.finish();
    grid.least.push_back(least);
  }
}

bool applies(const std::vector<SweepCondition>& conditions, const SweepPoint& point) {
  return std::ranges::all_of(conditions, [&](const SweepCondition& condition) {
    return std::ranges::find(condition.values, point[condition.key].toml) != condition.values.end();
  });
}

}  // namespace

std::size_t SweepGrid::size() const {
  std::size_t size = 1;
  for (const SweptKey& key : keys) size *= key.values.size();
  return size;
}

SweepPoint SweepGrid::point(std::size_t number) const {
  SweepPoint point(keys.size());
  for (std::size_t k = keys.size(); k-- > 0; number /= keys[k].values.size())
    point[k] = keys[k].values[number % keys[k].values.size()];
  return point;
}

std::string text_of(const SweepGrid& grid, const SweepPoint& point) {
  std::string text;
  for (std::size_t k = 0; k < point.size(); ++k)
    text += fmt::format("{}{} = {}", k > 0 ? ", " : "", grid.keys[k].key, point[k].toml);
  return text;
}

bool is_sweep(const TomlDocument& document) {
  return document.root().has_table("sweep");
}

SweepGrid read_sweep_grid(const TomlDocument& document) {
  Section root = document.root();
  Section section = root.section("sweep");
  SweepGrid grid;
  collect(section, "", grid);
  if (grid.keys.empty())
    root.fail(
        "sweep",
        "has no key; give at least one with its values, e.g. contact.damping_ratio = [0.5, 1]");
  std::ranges::sort(grid.keys, {}, &SweptKey::key);
  constexpr double most = 10'000;  // each point is a study with its own model and plan
  double points = 1.0;
  for (const SweptKey& key : grid.keys) {
    if (document.is_set(key.key))
      root.fail("sweep",
                fmt::format("gives values of {0}, which --set also sets: set sweep.{0}=[…] instead",
                            key.key));
    points *= static_cast<double>(key.values.size());
  }
  if (points > most)
    root.fail("sweep", fmt::format("has {:.3g} points; the limit is {:.0f}", points, most));
  read_conditions(document, grid);
  read_least(document, grid);
  return grid;
}

TomlDocument document_at(const TomlDocument& document, const SweepGrid& grid,
                         const SweepPoint& point) {
  std::vector<ValueText> overrides;
  for (std::size_t k = 0; k < point.size(); ++k)
    overrides.push_back({fmt::format("{}={}", grid.keys[k].key, point[k].toml), point[k].place});
  TomlDocument at = document.without("sweep").without("least").with(overrides);
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
    text += fmt::format("\n[[least]]\nover = {}\n", toml_text(grid.keys[least.over].key));
    if (least.beside) text += fmt::format("beside = {}\n", toml_text(*least.beside));
  }
  text += "\n[sweep]\n";
  for (const auto& [key, values] : grid.keys) {
    std::vector<std::string> texts;
    for (const ValueText& value : values) texts.push_back(value.toml);
    text += fmt::format("{} = [{}]\n", key, fmt::join(texts, ", "));
  }
  return text;
}

}  // namespace rigidlimit
