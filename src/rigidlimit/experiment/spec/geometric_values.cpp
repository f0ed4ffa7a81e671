#include "rigidlimit/experiment/spec/geometric_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rigidlimit {

void require_ratio(Section& section, double from, double to) {
  const double ratio = to / from;
  if (!std::isnormal(ratio))
    section.fail("to", fmt::format("the ratio to from = {} exceeds the range of double", from));
}

KeyTableInfo range_keys(const char* values) {
  const auto end = [&](const char* name, const char* text) {
    return KeyInfo{.name = name, .unit = "own", .text = text, .values = values, .is_number = true};
  };
  return {
      "KEY = {}",
      {end("from", "first value"),
       end("to", "last value"),
       {.name = "count", .unit = "", .text = "number of values", .values = "integer, 2 to 10000"}}};
}

std::vector<double> read_geometric_values(Section& section, const Range& valid) {
  const double from = section.number("from", valid, std::nullopt);
  const double to = section.number("to", valid, std::nullopt);
  require_ratio(section, from, to);
  const long count = section.count("count", {2, 10'000}, std::nullopt);
  std::vector<double> values;
  for (long k = 0; k < count; ++k)
    values.push_back(from *
                     std::pow(to / from, static_cast<double>(k) / static_cast<double>(count - 1)));
  values.back() = to;
  return values;
}

}  // namespace rigidlimit
