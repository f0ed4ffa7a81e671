#include "rigidlimit/experiment/spec/geometric_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

std::vector<double> GeometricGrid::values() const {
  // At most 100 for each of about 600 decades: the ratio is a normal number.
  const long last = per_decade
                        ? std::max(1L, std::lround(*per_decade * std::abs(std::log10(to / from))))
                        : count - 1;
  std::vector<double> all;
  for (long k = 0; k < last; ++k)
    all.push_back(from * std::pow(to / from, static_cast<double>(k) / static_cast<double>(last)));
  all.push_back(to);
  return all;
}

std::string fault_in_ratio(const GeometricGrid& grid) {
  if (std::isnormal(grid.to / grid.from)) return {};
  return fmt::format("the ratio to from = {} exceeds the range of double", grid.from);
}

KeyTable<GeometricGrid> geometric_keys(const Range& valid, const char* words, bool has_density) {
  using K = Keys<GeometricGrid>;
  KeyTable<GeometricGrid> table{
      "KEY = {}",
      {K::number({"from", "own", "first value"}, &GeometricGrid::from, valid).needed().valid(words),
       K::number({"to", "own", "last value"}, &GeometricGrid::to, valid)
           .needed()
           .valid(words)
           .checked(fault_in_ratio)}};
  if (has_density)
    table.rows.push_back(K::number({"per_decade", "1", "values in a decade, in place of count"},
                                   &GeometricGrid::per_decade, {.low = 0.1, .high = 100.0})
                             .otherwise(needed()));
  table.rows.push_back(
      K::count({"count", "", "number of values"}, &GeometricGrid::count, {2, 10'000})
          .needed()
          .unless([](const GeometricGrid& grid) {
            return grid.per_decade ? "give either count or per_decade" : "";
          }));
  return table;
}

std::vector<double> read_geometric_values(Section& section, const Range& valid, bool has_density) {
  GeometricGrid grid;
  geometric_keys(valid, "", has_density).read(section, grid);
  return grid.values();
}

}  // namespace rigidlimit
