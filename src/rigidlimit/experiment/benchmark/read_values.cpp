#include "rigidlimit/experiment/benchmark/read_values.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/spec/geometric_values.hpp"

namespace rigidlimit {

namespace {

constexpr const char *unit = "own", *range = "those of KEY";

std::vector<double> values_per_decade(Section& table, const Range& valid) {
  if (table.has("count")) table.fail("count", "give either count or per_decade");
  const double from =
      table.number(Key{"from", unit, "first value"}.valid(range), valid, std::nullopt);
  const double to = table.number(Key{"to", unit, "last value"}.valid(range), valid, std::nullopt);
  require_ratio(table, from, to);
  const double density = table.number({"per_decade", "1", "values in a decade, in place of count"},
                                      {.low = 0.1, .high = 100.0}, std::nullopt);
  // At most 100 for each of about 600 decades: require_ratio() has rejected an infinite ratio.
  const int parts =
      static_cast<int>(std::max(1.0, std::round(density * std::abs(std::log10(to / from)))));
  std::vector<double> values;
  for (int k = 0; k < parts; ++k)
    values.push_back(from * std::pow(to / from, static_cast<double>(k) / parts));
  values.push_back(to);
  return values;
}

}  // namespace

std::vector<double> read_values(Section& section, const Key& declared, const Range& valid) {
  const std::string& key = declared.name;
  std::vector<double> values;
  if (section.has_table(key)) {
    Section table = section.section(key, "KEY = {}");
    // A geometric grid cannot reach 0.
    Range nonzero = valid;
    if (valid.low == 0.0) nonzero.low_open = true;
    values = table.has("per_decade") ? values_per_decade(table, nonzero)
                                     : read_geometric_values(table, nonzero, unit, range);
    table.finish();
  } else {
    values = section.numbers(declared, valid);
  }
  std::ranges::sort(values, std::greater{});
  if (std::ranges::adjacent_find(values) != values.end()) section.fail(key, "a value occurs twice");
  return values;
}

}  // namespace rigidlimit
