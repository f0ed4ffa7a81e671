// The verb that maps how error, order and coefficient depend on the damping.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/map_tables.hpp"
#include "rigidlimit/study/read_map.hpp"

namespace rigidlimit {

namespace {

int complain(const std::string& message) {
  fmt::print(stderr, "rigidlimit: {}\n", message);
  return exit_status::could_not;
}

MapResult solve(const DampingMap& map, const MapVerb& verb) {
  ProgressLine progress(!verb.no_progress && !verb.quiet);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  try {
    MapResult result =
        run_map(map, {.jobs = verb.jobs > 0 ? verb.jobs : cores,
                      .stop_requested = InterruptGuard::requested,
                      .on_progress = [&](int done, int total, const std::string& what) {
                        progress.show(map.study.name, done, total, what);
                      }});
    progress.clear();
    return result;
  } catch (...) {
    progress.clear();
    throw;
  }
}

/// Prints and writes one result; the status of its run.
int hand_out(const MapResult& result, const MapVerb& verb) {
  if (!verb.quiet) fmt::print("{}\n", map_report(result, colour_wanted()));
  std::fflush(stdout);
  const bool numbers = result.has_numbers();
  // An interrupted map without a number must not replace the files of an earlier run.
  if (numbers || !result.interrupted) {
    const std::string place = write_map(result, verb.results);
    if (!verb.quiet) fmt::print(stderr, "written to {}\n", place);
  }
  if (result.interrupted) return exit_status::interrupted;
  return numbers ? exit_status::held : exit_status::could_not;
}

}  // namespace

int map(const MapVerb& verb) {
  int status = exit_status::held;
  std::vector<DampingMap> maps;
  for (const std::string& file : verb.files) try {
      DampingMap next = read_map(file, verb.overrides, *verb.systems);
      for (const DampingMap& other : maps)
        if (other.study.name == next.study.name)
          throw InputError(fmt::format("study.name = \"{}\": named so in another file as well; "
                                       "their results would share a directory",
                                       next.study.name),
                           file);
      maps.push_back(std::move(next));
    } catch (const InputError& e) {
      status = complain(e.what());
    }
  const InterruptGuard interrupt;
  for (const DampingMap& next : maps) {
    try {
      status = std::max(status, hand_out(solve(next, verb), verb));
    } catch (const std::exception& e) {
      status = std::max(status, complain(fmt::format("{}: {}", next.study.name, e.what())));
    }
    if (InterruptGuard::requested()) return exit_status::interrupted;
  }
  return status;
}

}  // namespace rigidlimit
