// A private folder for files that do not stay.
#pragma once

#include <filesystem>
#include <string>

namespace rigidlimit {

/// A new folder in the temporary directory, readable by its owner alone; removed with its files by
/// the destructor. Throws InputError if it cannot be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path file(const std::string& name) const {
    return std::filesystem::path(path_) / name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rigidlimit
