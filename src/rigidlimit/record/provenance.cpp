#include "rigidlimit/record/provenance.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <boost/version.hpp>
#include <fstream>

#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/record/build_info.hpp"
#include "rigidlimit/solvers/library_versions.hpp"
#include "rigidlimit/study/read_map.hpp"
#include "rigidlimit/study/read_study.hpp"

namespace rigidlimit {

namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> build_provenance() {
  return {{"version", build_version()},
          {"commit", build_commit()},
          {"compiler", build_compiler()},
          {"flags", build_flags()},
          {"sundials", sundials_version()},
          {"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                                BOOST_VERSION % 100)},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"processor", processor()}};
}

namespace {

std::string name_of_text(const std::string& resolved) {
  // The name space is a constant of this project (a random UUID, version 4).
  constexpr boost::uuids::uuid name_space{{0x6f, 0x0c, 0x5b, 0x1a, 0x3d, 0x52, 0x4e, 0x0b, 0x9a,
                                           0x77, 0x2c, 0x84, 0xd1, 0xe3, 0x96, 0x58}};
  return to_string(boost::uuids::name_generator_sha1(name_space)(resolved));
}

}  // namespace

std::string study_hash(const Study& study) {
  return name_of_text(resolved_toml(study));
}
std::string map_hash(const DampingMap& map) {
  return name_of_text(resolved_toml(map));
}
std::string benchmark_hash(const Benchmark& benchmark) {
  std::string text = resolved_toml(benchmark);
  for (const ProblemSet& set : benchmark.problems)
    if (const auto* contact = std::get_if<ContactSet>(&set)) text += study_hash(*contact->study);
  return name_of_text(text);
}

}  // namespace rigidlimit
