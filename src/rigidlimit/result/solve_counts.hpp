#pragma once

namespace rigidlimit {

/// Counts of the solves of a run.
struct SolveCounts {
  int computed = 0;  ///< in this run, failures included
  int reused = 0;    ///< taken from the archive
  int missing = 0;   ///< stopped or not begun
};

}  // namespace rigidlimit
