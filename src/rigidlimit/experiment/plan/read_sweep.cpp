#include "rigidlimit/experiment/plan/read_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
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
  return grid;
}

TomlDocument document_at(const TomlDocument& document, const SweepGrid& grid,
                         const SweepPoint& point) {
  std::vector<ValueText> overrides;
  for (std::size_t k = 0; k < point.size(); ++k)
    overrides.push_back({fmt::format("{}={}", grid.keys[k].key, point[k].toml), point[k].place});
  return document.without("sweep").with(overrides);
}

std::string resolved_sweep(const std::vector<std::string>& points, const SweepGrid& grid) {
  std::string text = common_text(points) + "\n[sweep]\n";
  for (const auto& [key, values] : grid.keys) {
    std::vector<std::string> texts;
    for (const ValueText& value : values) texts.push_back(value.toml);
    text += fmt::format("{} = [{}]\n", key, fmt::join(texts, ", "));
  }
  return text;
}

}  // namespace rigidlimit
