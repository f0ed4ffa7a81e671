// What the verbs that take files share, and those that write a directory a file: map, bench, slip.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/first_word.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/plan_table.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

/// Tells `message` on standard error; the status of what could not be run.
inline int complain(const std::string& message) {
  fmt::print(stderr, "rigidlimit: {}\n", printable(message));
  return exit_status::could_not;
}

/// run(options) with a progress line that says `name`, as many jobs as they ask for, an ear for
/// interrupts, and a word where it will take long.
template <class Run>
auto run_with_progress(const FileArguments& arguments, const std::string& name, const Run& run) {
  struct Line : ProgressLine {
    using ProgressLine::ProgressLine;
    ~Line() { clear(); }
  } progress(!arguments.no_progress && !arguments.quiet);
  FirstWord word(long_first_solve(name));
  if (arguments.quiet) word.hush();
  return run(RunOptions{.jobs = arguments.jobs_at_once(),
                        .stop_requested =
                            [&] {
                              word.look();
                              return InterruptGuard::requested();
                            },
                        .on_progress =
                            [&](int done, int total, const std::string& what) {
                              word.hush();
                              progress.show(name, done, total, what);
                            },
                        .on_estimate =
                            [&](const Estimate& left) {
                              progress.clear();
                              if (!arguments.quiet)
                                fmt::print(stderr,
                                           "{}: {}; Ctrl-C stops, the same command goes on from "
                                           "there\n",
                                           name, left_text(left));
                            }});
}

/// Prints report(result) and lets write(result, directory) write it, which returns where, or
/// nothing where it may not; the status of its run.
template <class Result, class Report, class Write>
int hand_out(const FileArguments& arguments, const Result& result, const Report& report,
             const Write& write) {
  if (!arguments.quiet) fmt::print("{}\n", report(result, colour_wanted()));
  std::fflush(stdout);
  const bool numbers = result.has_numbers();
  // What was interrupted without a number must not replace the files of an earlier run.
  if (numbers || !result.interrupted) {
    const std::string place = write(result, arguments.results);
    if (!arguments.quiet)
      fmt::print(stderr, "{}\n",
                 place.empty() ? "nothing written, the directory is read-only"
                               : "written to " + printable(place));
  }
  if (result.interrupted) return exit_status::interrupted;
  return numbers ? exit_status::held : exit_status::could_not;
}

/// read(file) of every file that can be read, in their order; the others are told to `refuse`, with
/// the reason. `key` is where a file has its name, name(read(file)): two must not be the same.
template <class Read, class Name, class Refuse>
auto read_files(const std::vector<std::string>& files, const char* key, const Read& read,
                const Name& name, const Refuse& refuse) {
  std::vector<decltype(read(std::string()))> all;
  for (const std::string& file : files) try {
      auto next = read(file);
      for (const auto& other : all)
        if (name(other) == name(next))
          throw InputError(fmt::format("{} = \"{}\": named so in another file as well; "
                                       "their results would share a directory",
                                       key, name(next)),
                           file);
      all.push_back(std::move(next));
    } catch (const InputError& e) {
      refuse(e.what());
    }
  return all;
}

/// read_files(), then handles one after another what could be read; the worst status.
template <class Read, class Name, class Handle>
int for_each_file(const FileArguments& arguments, const char* key, const Read& read,
                  const Name& name, const Handle& handle) {
  int status = exit_status::held;
  const auto all = read_files(arguments.files, key, read, name,
                              [&](const char* why) { status = complain(why); });
  const InterruptGuard interrupt;
  for (const auto& next : all) {
    try {
      status = std::max(status, handle(next));
    } catch (const std::exception& e) {
      status = std::max(status, complain(fmt::format("{}: {}", name(next), e.what())));
    }
    if (InterruptGuard::requested()) return exit_status::interrupted;
  }
  return status;
}

}  // namespace rigidlimit
