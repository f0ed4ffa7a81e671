#include "rigidlimit/experiment/benchmark/read_values.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/spec/geometric_values.hpp"

namespace rigidlimit {

namespace {

std::vector<double> values_per_decade(Section& table, const Range& valid) {
  if (table.has("count")) table.fail("count", "give either count or per_decade");
  const double from = table.number("from", valid, std::nullopt);
  const double to = table.number("to", valid, std::nullopt);
  require_ratio(table, from, to);
  const double density = table.number("per_decade", {.low = 0.1, .high = 100.0}, std::nullopt);
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

std::vector<double> read_values(Section& section, const std::string& key, const Range& valid) {
  std::vector<double> values;
  if (section.has_table(key)) {
    Section table = section.section(key);
    // A geometric grid cannot reach 0.
    Range nonzero = valid;
    if (valid.low == 0.0) nonzero.low_open = true;
    values = table.has("per_decade") ? values_per_decade(table, nonzero)
                                     : read_geometric_values(table, nonzero);
    table.finish();
  } else {
    values = section.numbers(key, valid);
  }
  std::ranges::sort(values, std::greater{});
  if (std::ranges::adjacent_find(values) != values.end()) section.fail(key, "a value occurs twice");
  return values;
}

}  // namespace rigidlimit
