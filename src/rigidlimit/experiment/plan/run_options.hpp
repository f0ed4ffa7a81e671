// Options of a run of any kind: threads, shard, archive, callbacks.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// A part of a study's solves, the index-th of `count`, chosen by a hash of the solve's key: every
/// machine finds the same parts without communication. The shards of a study are disjoint and
/// complete. A solve and its tighter repetition are in the same shard.
struct Shard {
  int index = 1;
  int count = 1;

  bool is_whole() const { return count == 1; }
};

/// The state of a run after a solve.
struct SolveProgress {
  int done = 0, total = 0;                  ///< results from the archive count as done
  std::string what = {};                    ///< description of the solve
  std::optional<double> seconds_left = {};  ///< by the clock; empty: no estimate yet
};

struct RunOptions {
  int jobs = 1;  ///< simultaneous solves; the result does not depend on it
  std::function<bool()> stop_requested = {};  ///< called from every thread; empty: never stop
  /// Called after each solve of this run, one thread at a time.
  std::function<void(const SolveProgress& progress)> on_progress = {};
  /// Called now and then, from every thread, while a pair of motions is enclosed: a description of
  /// the proof, and the part of its time that is done.
  std::function<void(const std::string& what, double part)> on_proof = {};
  /// Finished solves are read from and written to it; nullptr: none.
  SolveArchive* archive = nullptr;
  Shard shard = {};        ///< the part of the study to solve
  bool recompute = false;  ///< also solve what the archive has, so that the archive compares both
  bool curves = false;     ///< also fill RollingResult::curves
  bool solve = true;       ///< false: only take results from the archive

  bool stopped() const { return stop_requested && stop_requested(); }
};

}  // namespace rigidlimit
