// How many of a study's solves were done, kept, left out.
#pragma once

namespace rigidlimit {

/// What became of the solves of a run.
struct SolveCounts {
  int computed = 0;  ///< in this run, failures included
  int reused = 0;    ///< finished before
  int missing = 0;   ///< stopped or not begun
};

}  // namespace rigidlimit
