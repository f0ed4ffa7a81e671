// What a store has, for those who must not change it.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// The archive of whoever wants a verdict and no files: it gives what the store at `path` has, and
/// forgets what it is given. A store that is not there, is damaged or is locked has nothing, and
/// complaint() says why: a verdict needs no store, only more time.
class ReadOnlyStore final : public SolveArchive {
 public:
  explicit ReadOnlyStore(const std::string& path);

  std::string complaint() const;  ///< why the store could not be read to the end; empty: it could

  void plan(const std::vector<SolveIdentity>& /*solves*/) override {}
  std::optional<SolveRecord> find(const SolveIdentity& solve) override;
  void begin(const SolveIdentity& /*solve*/) override {}
  void keep(const SolveIdentity& /*solve*/, const std::vector<double>& /*times*/,
            const SolveRecord& /*record*/) override {}

 private:
  std::unique_ptr<Store> store_;  ///< nullptr: there is none that can be read
  mutable std::mutex guard_;      ///< of complaint_
  std::string complaint_;
};

}  // namespace rigidlimit
