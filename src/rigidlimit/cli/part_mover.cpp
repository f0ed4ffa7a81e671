#include "rigidlimit/cli/part_mover.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/plan/host_name.hpp"

namespace rigidlimit {

namespace fs = std::filesystem;

namespace {

/// "77" in a job of Slurm, else "process-host".
std::string job_name() {
  const char* job = std::getenv("SLURM_JOB_ID");  // NOLINT(concurrency-mt-unsafe)
  return job ? std::string(job) : fmt::format("{}-{}", getpid(), host_name());
}

/// Waits until the file is on the disk: a rename must not precede the content.
std::error_code written_through(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {errno, std::generic_category()};
  const bool done = fsync(file) == 0;
  const std::error_code failure(done ? 0 : errno, std::generic_category());
  close(file);
  return failure;
}

/// Copies a file so that `to` is either its former or its new content.
std::error_code replaced(const fs::path& from, const fs::path& to) {
  std::error_code failure, ignored;
  fs::create_directories(to.parent_path(), failure);
  const fs::path hidden = to.parent_path() / fmt::format(".{}.{}", to.stem().string(), job_name());
  if (!failure) fs::copy_file(from, hidden, fs::copy_options::overwrite_existing, failure);
  if (!failure) failure = written_through(hidden);
  if (!failure) fs::rename(hidden, to, failure);
  if (failure) fs::remove(hidden, ignored);
  return failure;
}

}  // namespace

PartMover::PartMover(Store& store, std::string folder, std::string target,
                     std::chrono::milliseconds pause)
    : store_(store),
      folder_(std::move(folder)),
      target_(std::move(target)),
      thread_([this, pause](const std::stop_token& stop) { move_on(stop, pause); }) {}

void PartMover::finish() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  move();
}

void PartMover::move_on(const std::stop_token& stop, std::chrono::milliseconds pause) {
  std::unique_lock guard(guard_);
  while (!stop.stop_requested()) {
    never_.wait_for(guard, stop, pause, [] { return false; });
    if (stop.stop_requested()) return;
    try {
      move();
    } catch (const InputError& error) {
      fmt::print(stderr, "rigidlimit: {}; the next attempt follows\n", printable(error.what()));
    }
  }
}

void PartMover::move() {
  const fs::path snapshot = fs::path(folder_) / "snapshot.db";
  std::error_code ignored;
  fs::remove(snapshot, ignored);
  store_.copy_to(snapshot.string());
  if (const std::error_code failure = replaced(snapshot, target_))
    throw InputError("cannot be written: " + failure.message(), target_);
  fs::remove(snapshot, ignored);
}

}  // namespace rigidlimit
