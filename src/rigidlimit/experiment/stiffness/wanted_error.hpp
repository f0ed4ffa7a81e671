// A wanted bound on the distance of compliant motion from ideal rolling.
#pragma once

#include <string>
#include <variant>

#include "rigidlimit/experiment/judge/measure.hpp"

namespace rigidlimit {

struct RollingStudy;
struct FrictionStudy;

/// A study of one pair of motions: pair_study.hpp.
using PairStudy = std::variant<RollingStudy, FrictionStudy>;

/// The distance in `measure` is to be at most `size`, in the SI unit of the quantity.
struct WantedError {
  Measure measure;
  double size = 0.0;
};

/// "q=1e-4", "x=0.1 mm", "v.l2.after=1e-3": a quantity or the name of one component, norm (default
/// sup), window (default all), size with or without a unit (default SI). Throws InputError for
/// another form, a norm or window that the study does not measure, a size that is not a number > 0,
/// or a unit of another dimension.
WantedError wanted_error_of(const std::string& text, const PairStudy& study);

}  // namespace rigidlimit
