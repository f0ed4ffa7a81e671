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

/// Keeps writers out of a store while its file is copied. Several processes may hold it at once.
class StoreReadLock {
 public:
  /// `path`: of the lock file.
  explicit StoreReadLock(const std::string& path);
  StoreReadLock(const StoreReadLock&) = delete;
  StoreReadLock& operator=(const StoreReadLock&) = delete;
  ~StoreReadLock();

  /// False: a process is writing the store. Also true if no lock file exists.
  bool held() const { return held_; }

 private:
  int file_ = -1;
  bool held_ = true;
};

}  // namespace rigidlimit
