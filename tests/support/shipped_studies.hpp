// The studies under experiments/, listed from disk, so that tests include new ones automatically.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "rigidlimit/core/input_file.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit::test {

/// The files of some folders of experiments/, sorted.
inline std::vector<std::string> shipped_in(std::initializer_list<const char*> folders) {
  std::vector<std::string> files;
  for (const std::string folder : folders)
    for (const auto& entry :
         std::filesystem::directory_iterator(in_repository("experiments/" + folder)))
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// Studies of rolling, without sweeps.
inline std::vector<std::string> shipped_studies() {
  std::vector<std::string> files = shipped_in({"convergence", "damping", "prediction", "published",
                                               "realisation", "sensitivity", "start", "surfaces"});
  std::erase_if(files, [](const std::string& file) {
    return text_of_file(file, 4'000'000).find("\n[sweep]\n") != std::string::npos;
  });
  return files;
}

/// Studies of friction and impacts.
inline std::vector<std::string> shipped_friction() {
  return shipped_in({"friction", "impacts"});
}

/// The file's stem as a GoogleTest name.
inline std::string test_name_of(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace rigidlimit::test
