// A run with a progress line.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/slow_start_notice.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/report/plan_table.hpp"

namespace rigidlimit {

/// Calls run(options) with a progress line for `name`, the requested number of jobs, a stop request
/// on interrupts, and notices about long runs. `keeps`: results are stored.
template <class Run>
auto run_with_progress(const FileArguments& arguments, const std::string& name, bool keeps,
                       const Run& run) {
  struct Line : ProgressLine {
    using ProgressLine::ProgressLine;
    ~Line() { clear(); }
  } progress(!arguments.no_progress && !arguments.quiet);
  SlowStartNotice notice(print_slow_start(name));
  if (arguments.quiet) notice.cancel();
  return run(RunOptions{.jobs = arguments.jobs_at_once(),
                        .stop_requested =
                            [&] {
                              notice.check();
                              return InterruptGuard::requested();
                            },
                        .on_progress =
                            [&](int done, int total, const std::string& what) {
                              notice.cancel();
                              progress.show(name, done, total, what);
                            },
                        .on_estimate =
                            [&](const Estimate& left) {
                              progress.clear();
                              if (!arguments.quiet)
                                fmt::print(stderr, "{}: {}; Ctrl-C stops{}\n", name,
                                           left_text(left),
                                           keeps ? ", and the same command continues" : "");
                            }});
}

}  // namespace rigidlimit
