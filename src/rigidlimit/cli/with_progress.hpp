// A run with a progress line.
#pragma once

#include <string>

#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"

namespace rigidlimit {

/// Calls run(options) with progress for `name`, the requested number of jobs and a stop request on
/// interrupts.
template <class Run>
auto run_with_progress(const FileArguments& arguments, const std::string& name, const Run& run) {
  ProgressLine progress(name, !arguments.no_progress && !arguments.quiet);
  return run(RunOptions{
      .jobs = arguments.jobs_at_once(),
      .stop_requested =
          [&] {
            progress.tick();
            return InterruptGuard::requested();
          },
      .on_progress = [&](int done, int total,
                         const std::string& what) { progress.show(done, total, what); }});
}

}  // namespace rigidlimit
