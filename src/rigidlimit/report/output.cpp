#include "rigidlimit/report/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// Whether the target is a device, pipe or link, which is written directly.
bool is_replaceable(const std::string& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::symlink_status(path, ignored).type();
  return kind == std::filesystem::file_type::not_found ||
         kind == std::filesystem::file_type::regular;
}

}  // namespace

void require_writable(const std::string& path) {
  if (path.empty()) return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path directory =
      fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (fs::is_directory(path, ignored)) throw InputError("cannot be written: is a directory", path);
  if (!fs::is_directory(directory, ignored))
    throw InputError(
        fmt::format("cannot be written: there is no directory '{}'", directory.string()), path);
  // A regular file is replaced by a temporary file; a device or a link is written directly.
  const bool replaced = is_replaceable(path);
  if (access((replaced ? directory : fs::path(path)).c_str(), W_OK) != 0 &&
      (replaced || errno != ENOENT))
    throw InputError(fmt::format("cannot be written: {}", std::strerror(errno)), path);
}

void write_file(const std::string& path, const std::string& text) {
  write_file(path, [&](std::ostream& out) { out << text; });
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  require_writable(path);
  const std::string unfinished = is_replaceable(path) ? path + ".unfinished" : path;
  std::ofstream file(unfinished, std::ios::binary);
  write(file);
  file.close();
  std::error_code failure;
  const bool apart = unfinished != path;
  if (file && apart) std::filesystem::rename(unfinished, path, failure);
  if (!file || failure) {
    std::error_code ignored;
    if (apart) std::filesystem::remove(unfinished, ignored);
    throw InputError("cannot be written: " + (failure ? failure.message() : "disk full?"), path);
  }
}

}  // namespace rigidlimit
