// All keys of experiment files, as the readers declare them (experiment/spec/key.hpp).
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/spec/key.hpp"

namespace rigidlimit {

/// The keys of one kind of file.
struct FileKeys {
  std::string name;   ///< "benchmark"
  std::string title;  ///< "Benchmark"
  KeyLog log;
};

/// Every kind. The readers read short files in which every key is read; nothing is solved.
std::vector<FileKeys> keys_of_files();

}  // namespace rigidlimit
