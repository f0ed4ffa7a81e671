// Paths of the repository's files for tests.
#pragma once

#include <string>

namespace rigidlimit::test {

/// The absolute path of `place` in the repository: "experiments/convergence/knife_edge.toml".
///
/// Only the object file of this function contains the repository's path. All others are the same in
/// every clone, and a compiler cache can reuse them.
std::string in_repository(const std::string& place);

}  // namespace rigidlimit::test
