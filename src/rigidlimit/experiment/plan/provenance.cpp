#include "rigidlimit/experiment/plan/provenance.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <boost/version.hpp>
#include <fstream>

#include "rigidlimit/experiment/plan/build_info.hpp"
#include "rigidlimit/experiment/plan/program_code.hpp"
#include "rigidlimit/experiment/plan/program_flags.hpp"
#include "rigidlimit/solvers/sundials/library_versions.hpp"

namespace rigidlimit {

namespace {

/// Flags of the program and, if that is another project's, of rigidlimit.
std::string flags() {
  const std::string own = program_flags(), library = build_flags();
  if (program_name() == "rigidlimit") return library;
  return fmt::format("{} (rigidlimit's own code: {})", own.empty() ? "not known" : own, library);
}

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
          {"program", program_name()},
          {"program_code", program_code()},
          {"commit", build_commit()},
          {"compiler", build_compiler()},
          {"flags", flags()},
          {"sundials", sundials_version()},
          {"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                                BOOST_VERSION % 100)},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"sqlite", SQLite::VERSION},
          {"processor", processor()}};
}

}  // namespace rigidlimit
