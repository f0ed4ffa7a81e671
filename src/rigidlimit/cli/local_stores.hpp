// The stores of a shard on a local disk.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/run/read_only_store.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// A folder on a local disk with copies of the stores of an experiment, because SQLite on a shared
/// folder is slow and depends on the locks of that folder. As an archive it writes to the store of
/// the shard and finds solves in all copies. The destructor removes the folder.
class LocalStores final : public SolveArchive {
 public:
  /// Makes a folder in `directory` and copies into it the store of the shard, `part`
  /// (results/NAME/shards/K-of-N.db), if it exists, and unless `fresh` the other stores of
  /// results/NAME. Prints the reason for a store that cannot be used. Throws InputError if the
  /// folder cannot be made or `part` cannot be copied.
  LocalStores(const std::string& directory, const std::string& part, bool fresh);
  ~LocalStores() override;

  std::string folder() const { return folder_; }
  std::string own() const;       ///< path of the store of the shard
  void keep() { kept_ = true; }  ///< the folder stays

  /// Before use as an archive. `store` must outlive that use.
  void write_to(Store& store) { store_ = &store; }

  void plan(const std::vector<SolveIdentity>& solves) override { store_->plan(solves); }
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override;
  void begin(const SolveIdentity& solve) override { store_->begin(solve); }
  void keep(const SolveIdentity& solve, const std::vector<double>& times, const SolveRecord& record,
            Samples kept) override {
    store_->keep(solve, times, record, kept);
  }

 private:
  std::string folder_;
  bool kept_ = false;
  Store* store_ = nullptr;
  std::vector<std::unique_ptr<ReadOnlyStore>> others_;
};

}  // namespace rigidlimit
