// The value of a swept parameter with the least error.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/convergence/outward.hpp"

namespace rigidlimit {

struct ErrorAt {
  double value = 0.0;                                   ///< of the parameter
  double error = 0.0;                                   ///< NaN: unknown
  double error_bar = 0.0;                               ///< of `error`
  std::optional<ProvedInterval> proved = std::nullopt;  ///< of the error, if it is proved
};

struct LeastError {
  enum class Place {
    inside,     ///< between `low` and `high`
    lower_end,  ///< at the lowest value: a lower one may be better
    upper_end,  ///< at the highest value: a higher one may be better
    flat        ///< no error exceeds the least one by more than the sum of their bars
  };

  Place place = Place::inside;
  double value = 0.0;  ///< of the least error
  double low = 0.0;    ///< its neighbours among the known values; at an end, `value` itself
  double high = 0.0;
  double error = 0.0;
  double error_bar = 0.0;
  std::optional<ProvedInterval> proved = std::nullopt;
};

const char* name_of(LeastError::Place place);  ///< "inside", "lower end", "upper end", "flat"

/// The least known error, the first of equal ones by value; nullopt: none is known.
std::optional<LeastError> least_error(std::vector<ErrorAt> tried);

}  // namespace rigidlimit
