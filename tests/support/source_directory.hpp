// Where the files of the repository lie that a test reads.
#pragma once

#include <string>

namespace rigidlimit::test {

/// The absolute path of `place` in the repository: "experiments/convergence/knife_edge.toml".
///
/// The only object file that knows where the repository lies is this function's: all others are
/// the same in every clone, and a compiler cache gives them to each.
std::string in_repository(const std::string& place);

}  // namespace rigidlimit::test
