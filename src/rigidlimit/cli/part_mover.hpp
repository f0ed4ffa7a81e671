// Moves the store of a shard from a local disk to the shared folder.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// Copies a store to a hidden file beside its target and renames that, so that the target is always
/// a whole store. Does so in its own thread every `pause`, and in finish().
class PartMover {
 public:
  /// `folder`: local, for a snapshot of the store. `store` must outlive this object.
  PartMover(Store& store, std::string folder, std::string target,
            std::chrono::milliseconds pause = std::chrono::minutes(10));
  PartMover(const PartMover&) = delete;
  PartMover& operator=(const PartMover&) = delete;

  /// Ends the thread and moves the store, which stays open. Throws InputError.
  void finish();

 private:
  void move_on(const std::stop_token& stop, std::chrono::milliseconds pause);
  void move();

  Store& store_;
  std::string folder_;
  std::string target_;
  std::mutex guard_;
  std::condition_variable_any never_;
  std::jthread thread_;  ///< last: it uses the other members
};

}  // namespace rigidlimit
