#include "rigidlimit/store/store_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/program_code.hpp"
#include "rigidlimit/report/results_folder.hpp"

namespace rigidlimit {

namespace {

/// The text that the owner wrote into the lock file.
std::string owner(int file) {
  std::array<char, 256> text{};
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size))
                  : std::string("another process");
}

}  // namespace

StoreLock::StoreLock(const std::string& path)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (file_ < 0 && errno == ELOOP) refuse_link(path);
  if (file_ < 0) return;
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int failure = errno;
    const std::string who = owner(file_);
    close(file_);
    if (failure != EWOULDBLOCK)
      throw InputError(fmt::format("cannot be locked: {}", std::strerror(failure)), path);
    throw InputError(fmt::format("{} is running this study: wait until it ends, or give each "
                                 "process a shard with --shard k/n",
                                 who),
                     path);
  }
  const std::string text = fmt::format("process {} on {}", getpid(), host_name());
  // This text is only for messages: a full disk does not matter.
  if (ftruncate(file_, 0) == 0) [[maybe_unused]]
    const ssize_t written = pwrite(file_, text.data(), text.size(), 0);
}

StoreLock::~StoreLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace rigidlimit
