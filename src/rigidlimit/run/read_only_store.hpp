// Read-only access to a store.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// An archive for judging without writing: it returns the results in the store at `path` and
/// discards new ones. If the store is missing, damaged or locked, the archive is empty and
/// complaint() gives the reason.
class ReadOnlyStore final : public SolveArchive {
 public:
  explicit ReadOnlyStore(const std::string& path);

  std::string complaint() const;  ///< why the store could not be read; empty: it could

  std::string name() const override { return store_ ? store_->name() : std::string(); }
  void plan(const std::vector<SolveIdentity>& /*solves*/) override {}
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override;
  void begin(const SolveIdentity& /*solve*/) override {}
  void keep(const SolveIdentity& /*solve*/, const std::vector<double>& /*times*/,
            const SolveRecord& /*record*/, Samples /*kept*/) override {}

 private:
  std::unique_ptr<Store> store_;  ///< nullptr: no readable store
  mutable std::mutex guard_;      ///< guards complaint_
  std::string complaint_;
};

}  // namespace rigidlimit
