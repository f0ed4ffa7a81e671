// Options of the adapted rows.
#pragma once

namespace rigidlimit {

/// Choice of the rows S that complete G to a frame (formulations/compliant/adapted_frame.hpp).
struct AdaptedOptions {
  bool natural = true;  ///< use the system's quasi-velocities, if it has them
};

}  // namespace rigidlimit
