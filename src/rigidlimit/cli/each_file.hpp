// What the verbs that take files share; and map, bench and slip.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/first_word.hpp"
#include "rigidlimit/cli/reporter.hpp"
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

/// read_files(), then handle(what was read, file) one after another; the worst status. What is
/// refused, or fails, is told and goes into the JUnit; the reporter is finished.
template <class Read, class Name, class Handle>
int for_each_file(const FileArguments& arguments, const char* key, const Read& read,
                  const Name& name, const Handle& handle, Reporter& reporter) {
  int status = exit_status::held;
  std::vector<std::string> complaints;
  std::map<std::string, std::string> file_of;  // by the name of its experiment
  const auto refuse = [&](const std::string& why) {
    complaints.push_back(why);
    status = std::max(status, complain(why));
  };
  const auto read_one = [&](const std::string& file) {
    auto next = read(file);
    file_of.emplace(name(next), file);
    return next;
  };
  const auto all = read_files(arguments.files, key, read_one, name, refuse);
  const InterruptGuard interrupt;
  for (const auto& next : all) {
    try {
      status = std::max(status, handle(next, file_of[name(next)]));
    } catch (const std::exception& e) {
      refuse(fmt::format("{}: {}", name(next), e.what()));
    }
    if (InterruptGuard::requested()) {
      status = exit_status::interrupted;
      break;
    }
  }
  reporter.finish(complaints);
  return status;
}

}  // namespace rigidlimit
