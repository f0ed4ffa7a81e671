#include "rigidlimit/experiment/judge/least_error.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {

const char* name_of(LeastError::Place place) {
  switch (place) {
    case LeastError::Place::inside: return "inside";
    case LeastError::Place::lower_end: return "lower end";
    case LeastError::Place::upper_end: return "upper end";
    case LeastError::Place::flat: break;
  }
  return "flat";
}

std::optional<LeastError> least_error(std::vector<ErrorAt> tried) {
  std::erase_if(tried, [](const ErrorAt& at) { return std::isnan(at.error); });
  if (tried.empty()) return std::nullopt;
  std::ranges::stable_sort(tried, {}, &ErrorAt::value);
  const auto least = std::ranges::min_element(tried, {}, &ErrorAt::error);
  const bool first = least == tried.begin(), last = least + 1 == tried.end();
  const bool flat = std::ranges::none_of(tried, [&](const ErrorAt& at) {
    return at.error - least->error > at.error_bar + least->error_bar;
  });
  using Place = LeastError::Place;
  return LeastError{.place = flat    ? Place::flat
                             : first ? Place::lower_end
                             : last  ? Place::upper_end
                                     : Place::inside,
                    .value = least->value,
                    .low = first ? least->value : (least - 1)->value,
                    .high = last ? least->value : (least + 1)->value,
                    .error = least->error,
                    .error_bar = least->error_bar,
                    .proved = least->proved};
}

}  // namespace rigidlimit
