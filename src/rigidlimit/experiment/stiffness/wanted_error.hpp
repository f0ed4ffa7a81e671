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

/// "q=1e-4", "v.l2.after=1e-3": quantity, norm (default sup), window (default all). Throws
/// InputError for another form, an unknown word, or a size that is not a number > 0.
WantedError wanted_error_of(const std::string& text);

}  // namespace rigidlimit
