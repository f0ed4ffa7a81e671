// The progress of a run, for the thread of a Python caller.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "rigidlimit/experiment/plan/run_options.hpp"

namespace rigidlimit::python {

/// A run that Python can watch and stop: the solving threads set it, the caller's thread tells.
class Progress {
 public:
  /// Calls told(done, total, what), which may be None, if there is news. With the GIL.
  void tell(const nanobind::object& told) {
    Last now;
    {
      const std::scoped_lock lock(guard_);
      if (!std::exchange(is_new_, false)) return;
      now = last_;
    }
    if (!told.is_none()) told(now.done, now.total, now.what);
  }
  void stop() { stopped_ = true; }

  /// Options that report here. This object must outlive the run.
  RunOptions options(int jobs) {
    return {.jobs = jobs,
            .stop_requested = [this] { return stopped_.load(); },
            .on_progress =
                [this](const SolveProgress& progress) {
                  const std::scoped_lock lock(guard_);
                  last_ = {progress.done, progress.total, progress.what};
                  is_new_ = true;
                }};
  }

  /// Options of a proof, whose news are the percent of its interval of time, 100, and its stage.
  RunOptions proof_options() {
    RunOptions options = this->options(1);
    options.on_proof = [this](const std::string& what, double part) {
      const std::scoped_lock lock(guard_);
      last_ = {static_cast<int>(100.0 * part), 100, what};
      is_new_ = true;
    };
    return options;
  }

 private:
  struct Last {
    int done = 0, total = 0;
    std::string what;
  };
  std::mutex guard_;
  Last last_;
  bool is_new_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace rigidlimit::python
