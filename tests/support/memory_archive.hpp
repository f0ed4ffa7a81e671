// A solve archive in memory.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit::test {

class MemoryArchive final : public SolveArchive {
 public:
  void plan(const std::vector<SolveIdentity>& solves) override {
    const std::scoped_lock lock(guard_);
    planned = static_cast<int>(solves.size());
  }
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override {
    const std::scoped_lock lock(guard_);
    const auto at = kept.find(solve.determinants);
    if (at == kept.end()) return std::nullopt;
    if (wanted == Samples::without) return without_samples(at->second);
    return at->second.samples_hash.empty() ? std::optional(at->second) : std::nullopt;
  }
  void begin(const SolveIdentity&) override {
    const std::scoped_lock lock(guard_);
    ++begun;
  }
  void keep(const SolveIdentity& solve, const std::vector<double>&, const SolveRecord& record,
            Samples samples) override {
    const std::scoped_lock lock(guard_);
    const auto at = kept.find(solve.determinants);
    if (at != kept.end() && at->second.samples_hash.empty()) return;
    kept.insert_or_assign(solve.determinants,
                          samples == Samples::with ? record : without_samples(record));
  }

  std::map<std::string, SolveRecord> kept;  ///< key: determinants
  int planned = 0;                          ///< number of solves in the last plan
  int begun = 0;

 private:
  std::mutex guard_;
};

}  // namespace rigidlimit::test
