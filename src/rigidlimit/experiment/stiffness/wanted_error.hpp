// A wanted bound on the distance of compliant motion from ideal rolling.
#pragma once

#include <string>

#include "rigidlimit/experiment/judge/measure.hpp"

namespace rigidlimit {

/// The distance in `measure` is to be at most `size`, in the SI unit of the quantity.
struct WantedError {
  Measure measure;
  double size = 0.0;
};

/// "q=1e-4", "x=0.1 mm", "v.l2.after=1e-3": a quantity or the name of one component, norm (default
/// sup), window (default all), size with or without a unit (default SI). Throws InputError for
/// another form, an unknown word, a size that is not a number > 0, or a unit of another dimension.
WantedError wanted_error_of(const std::string& text, const SystemInfo& system);

}  // namespace rigidlimit
