// One run at a time on a store.
#pragma once

#include <string>

namespace rigidlimit {

/// An advisory lock on `path`, a file made for it beside the store. The kernel drops it when the
/// process ends, however it ends.
class StoreLock {
 public:
  /// Throws InputError that names the process that has it, and what to do.
  explicit StoreLock(const std::string& path);
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;
  ~StoreLock();

  /// False: the file cannot be written here, so nobody else can write beside it either.
  bool held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

/// "node7", as the kernel knows this machine.
std::string host_name();

}  // namespace rigidlimit
