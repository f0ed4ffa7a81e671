// How solves are run, whatever they are of: threads, memory, part, and who is told.
#pragma once

#include <functional>
#include <string>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// A part of a study's solves, the index-th of `count`. The shards of a study are disjoint and
/// together complete; a solve and the one that tells its error are in the same.
struct Shard {
  int index = 1;
  int count = 1;

  bool is_whole() const { return count == 1; }
};

struct RunOptions {
  int jobs = 1;  ///< solves at a time; the result does not depend on it
  std::function<bool()> stop_requested = {};  ///< asked from every thread; empty: never
  /// Called after each solve, one thread at a time: done of total, and what was done.
  std::function<void(int done, int total, const std::string& what)> on_progress = {};
  /// Told once, one thread at a time, if what is left will take more than `announce_beyond`
  /// seconds of the clock; before the longest solves begin, where the shortest can tell.
  std::function<void(const Estimate& left)> on_estimate = {};
  double announce_beyond = 600.0;  ///< ten minutes: nobody waits longer unasked
  /// Where finished solves come from and go to; nullptr: nowhere.
  SolveArchive* archive = nullptr;
  Shard shard = {};        ///< what of the study is solved
  bool recompute = false;  ///< solve what the archive has as well, for it to compare
  bool curves = false;     ///< RollingResult::curves as well
  bool solve = true;       ///< false: only what the archive has
};

}  // namespace rigidlimit
