// The studies under experiments/, as they lie on disk: a new one is tested by being there.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "support/source_directory.hpp"

namespace rigidlimit::test {

inline std::vector<std::string> shipped_studies() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(in_repository("experiments")))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// The file's stem as a GoogleTest name.
inline std::string test_name_of(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace rigidlimit::test
