// Mutual exclusion of runs on a store.
#pragma once

#include <string>

namespace rigidlimit {

/// An advisory lock on `path`, a file next to the store. The kernel releases it when the process
/// ends, for whatever reason.
class StoreLock {
 public:
  /// Throws InputError with the process that holds the lock, and advice.
  explicit StoreLock(const std::string& path);
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;
  ~StoreLock();

  /// False: the file cannot be written here, so no other process can write the store either.
  bool held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

}  // namespace rigidlimit
