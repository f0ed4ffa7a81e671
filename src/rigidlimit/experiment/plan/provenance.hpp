// Provenance of the numbers in a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rigidlimit {

/// The running program (file name and program_code()), the build of rigidlimit in it (version,
/// commit, compiler, flags, library versions), and the processor.
std::vector<std::pair<std::string, std::string>> build_provenance();

}  // namespace rigidlimit
