// The choice of rows beside the constraint.
#pragma once

namespace rigidlimit {

/// Which rows S complete G to a frame (formulations/adapted_frame.hpp).
struct AdaptedOptions {
  bool natural = true;  ///< the system's own quasi-velocities, where it has them
};

}  // namespace rigidlimit
