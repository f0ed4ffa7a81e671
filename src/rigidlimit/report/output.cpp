#include "rigidlimit/report/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <ext/stdio_filebuf.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

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

namespace {

constexpr std::string_view unfinished_ending = ".unfinished";

/// A new file beside `path` with a random name, which follows no link. It is locked until it has
/// its final name, so that remove_unless_written() does not take it for that of a killed process.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path) {
    static std::random_device random;
    for (int tries = 0; tries < 100 && number_ < 0; ++tries) {
      name_ = fmt::format("{}.{:08x}{}", path, random(), unfinished_ending);
      number_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (number_ < 0 && errno != EEXIST) break;
    }
    if (number_ < 0)
      throw InputError(fmt::format("cannot be written: {}", std::strerror(errno)), path);
    held_ = dup(number_);  // keeps the lock when the owner of the number closes it
    flock(held_, LOCK_EX | LOCK_NB);
  }
  ~UnfinishedFile() {
    if (!name_.empty()) unlink(name_.c_str());
    if (held_ >= 0) close(held_);
  }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  int number() const { return number_; }  ///< for an owner that closes it
  bool moved_to(const std::string& path) {
    if (rename(name_.c_str(), path.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  std::string name_;
  int number_ = -1;
  int held_ = -1;
};

}  // namespace

std::string name_of_unfinished(std::string_view name) {
  constexpr std::size_t digits = 8;
  if (!name.ends_with(unfinished_ending)) return {};
  name.remove_suffix(unfinished_ending.size());
  if (name.size() < digits + 2 || name[name.size() - digits - 1] != '.') return {};
  const std::string_view number = name.substr(name.size() - digits);
  if (number.find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
  return std::string(name.substr(0, name.size() - digits - 1));
}

void remove_unless_written(const std::string& unfinished) {
  const int number = open(unfinished.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (number < 0) return;
  struct stat file {};
  const bool plain = fstat(number, &file) == 0 && S_ISREG(file.st_mode);
  if (plain && flock(number, LOCK_EX | LOCK_NB) == 0) unlink(unfinished.c_str());
  close(number);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  require_writable(path);
  bool written = false;
  errno = 0;
  if (is_replaceable(path)) {
    UnfinishedFile unfinished(path);
    __gnu_cxx::stdio_filebuf<char> buffer(unfinished.number(), std::ios::out | std::ios::binary);
    std::ostream file(&buffer);
    write(file);
    written = file.flush() && buffer.close() != nullptr && unfinished.moved_to(path);
  } else {
    std::ofstream file(path, std::ios::binary);
    write(file);
    file.close();
    written = static_cast<bool>(file);
  }
  if (!written)
    throw InputError(
        fmt::format("cannot be written: {}", errno != 0 ? std::strerror(errno) : "disk full?"),
        path);
}

}  // namespace rigidlimit
