#include "rigidlimit/experiment/spec/range_keys.hpp"

#include <fmt/format.h>

#include <tuple>

namespace rigidlimit {

Range read_range(Section& section) {
  Range range;
  for (const auto& [closed, open, end, is_open] :
       {std::tuple("min", "above", &range.low, &range.low_open),
        std::tuple("max", "below", &range.high, &range.high_open)}) {
    if (section.has(closed) && section.has(open))
      section.fail(open, fmt::format("give only one of {} and {}", closed, open));
    *is_open = section.has(open);
    if (section.has(open) || section.has(closed))
      *end = section.number(*is_open ? open : closed, any_finite, std::nullopt);
  }
  if (!(range.low < range.high)) section.fail("", "its range is empty");
  return range;
}

}  // namespace rigidlimit
