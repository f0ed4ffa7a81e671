#include "rigidlimit/run/read_only_store.hpp"

#include <filesystem>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

ReadOnlyStore::ReadOnlyStore(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return;
  try {
    store_ = std::make_unique<Store>(path, Store::Access::read);
  } catch (const InputError& error) {
    complaint_ = error.what();
  }
}

std::string ReadOnlyStore::complaint() const {
  const std::scoped_lock lock(guard_);
  return complaint_;
}

std::optional<SolveRecord> ReadOnlyStore::find(const SolveIdentity& solve, Samples wanted) {
  // No further query after an error: each query to a locked file would wait.
  if (!store_ || !complaint().empty()) return std::nullopt;
  try {
    return store_->find(solve, wanted);
  } catch (const InputError& error) {
    const std::scoped_lock lock(guard_);
    complaint_ = error.what();
    return std::nullopt;
  }
}

}  // namespace rigidlimit
