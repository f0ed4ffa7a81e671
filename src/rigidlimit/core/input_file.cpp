#include "rigidlimit/core/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& path) {
  throw InputError(message, shortened(printable(path), 1000));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "directory";
  if (S_ISFIFO(mode)) return "pipe";
  if (S_ISSOCK(mode)) return "socket";
  return "device";
}

void require_regular(const struct stat& status, const std::string& path) {
  if (S_ISREG(status.st_mode)) return;
  const std::string kind = kind_of(status.st_mode);
  const char* advice = kind == "pipe" ? ": write its output to a file and name that file" : "";
  refuse(fmt::format("is a {}, not a regular file{}", kind, advice), path);
}

/// A file opened for reading.
class Descriptor {
 public:
  // Without O_NONBLOCK, open would block on a pipe that replaced the file after the check.
  explicit Descriptor(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

void require_regular_file(const std::string& path) {
  // The system would truncate the name at the NUL.
  if (path.find('\0') != std::string::npos)
    refuse("is not a path: it contains a NUL character", path);
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) require_regular(status, path);
}

namespace {

/// "; did you mean 'segway.toml'?": the nearest name in the folder of a missing file.
std::string similar_file(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path missing(path);
  std::error_code ignored;
  std::string best;
  std::size_t least = std::string::npos;
  const fs::path folder = missing.has_parent_path() ? missing.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != missing.extension() ||
        !is_misspelling(missing.stem().string(), entry.path().stem().string()))
      continue;
    const std::size_t distance = edit_distance(missing.filename().string(), name);
    if (distance >= least) continue;
    best = name;
    least = distance;
  }
  return best.empty() ? "" : "; did you mean '" + printable(best) + "'?";
}

}  // namespace

std::string text_of_file(const std::string& path, std::size_t longest) {
  require_regular_file(path);  // before open: opening a device may have effects
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) {
    const int why = errno;
    refuse(fmt::format("cannot be read: {}{}", std::strerror(why),
                       why == ENOENT ? similar_file(path) : ""),
           path);
  }
  require_regular(status, path);
  // The size is unreliable: files of /proc report none, and a file may grow.
  constexpr std::size_t first = std::size_t{1} << 16U;
  std::string text(std::min(longest + 1, first), '\0');
  std::size_t size = 0;
  while (size <= longest) {
    if (size == text.size()) text.resize(std::min(longest + 1, 2 * size));
    const ssize_t more = read(file.number(), text.data() + size, text.size() - size);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)), path);
    if (more == 0) break;
    size += static_cast<std::size_t>(more);
  }
  if (size == 0) refuse("is empty", path);
  if (size > longest) refuse(fmt::format("has more than {} bytes, the limit", longest), path);
  text.resize(size);
  return text;
}

}  // namespace rigidlimit
