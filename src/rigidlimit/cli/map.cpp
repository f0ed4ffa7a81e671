// The verb that maps how error, order and coefficient depend on the damping.
#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/record/map_tables.hpp"
#include "rigidlimit/study/read_map.hpp"

namespace rigidlimit {

int map(const MapVerb& verb) {
  return for_each_file(
      verb, "study.name",
      [&](const std::string& file) { return read_map(file, verb.overrides, *verb.systems); },
      [](const DampingMap& map) { return map.study.name; },
      [&](const DampingMap& map) {
        const MapResult result = run_with_progress(
            verb, map.study.name, [&](const RunOptions& options) { return run_map(map, options); });
        return hand_out(verb, result, map_report, write_map);
      });
}

}  // namespace rigidlimit
