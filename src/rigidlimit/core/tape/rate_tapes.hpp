// A right-hand side and its derivative as tapes.
#pragma once

#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// f and its derivative, with all parameters as constants.
struct RateTapes {
  Tape rate;      ///< (y, t) -> f, N
  Tape jacobian;  ///< (y, t) -> ∂f/∂y, N × N, column by column
};

}  // namespace rigidlimit
