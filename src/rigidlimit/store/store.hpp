// Results that last: an SQLite file a study, written solve by solve.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// results/NAME/results.db; of a part of the study results/NAME/shards/K-of-N.db.
std::string store_path(const std::string& results, const std::string& name, Shard shard = {});

/// What a run is about.
struct StoredRun {
  std::string name;      ///< of the study
  std::string resolved;  ///< its text with every default filled in
  std::string hash;      ///< of that text
  int jobs = 1;
  Shard shard = {};
};

/// Two results of one solve that should have been the same.
struct Finding {
  std::string solve;  ///< which
  std::string what;   ///< in what they differ
};

/// The archive of one study in a file (tables: store_schema.cpp), opened for one run.
///
/// What is kept reaches the file within a fraction of a second (StoreWriter), in transactions of
/// whole solves: a process may be killed at any moment, and the file holds a set of finished
/// solves. SQLite's rollback journal is used, which network file systems can do. One process at a
/// time works on a store; any number may read.
class Store final : public SolveArchive {
 public:
  enum class Access {
    write,  ///< makes the file where there is none; falls back to `read` on a read-only directory
    read    ///< only what is there
  };

  /// Throws InputError that says what to do: the directory cannot be made, the file is no store, a
  /// newer one or damaged, another process is at work on it, or (read) there is none.
  Store(const std::string& path, Access access);
  ~Store() override;

  /// Removes every solve; only with Access::write. Call it before begin_run.
  void clear();

  /// A run begins; the plan is empty from now on.
  void begin_run(const StoredRun& run);
  /// Writes what is left and that the run has ended. Throws InputError if that is impossible; what
  /// was written before stays.
  void end_run(const SolveCounts& counts);
  /// Writes the judged table and the curves. Nothing if read-only.
  void write_judgement(const RollingResult& result);
  /// The same without curves of a result of another kind; `complete`: every solve of the plan is
  /// there.
  void write_judgement(const Report& report, bool complete);

  /// The file may grow no more: SQLite then behaves as on a full disk. For tests.
  void limit_size();

  bool read_only() const;
  int finished() const;       ///< solves there
  std::string study() const;  ///< the resolved text of the study as last run; empty: none
  /// The tables as last judged, in one of formats() (report/output.hpp); empty: they were not, or
  /// by a program that did not keep them yet.
  std::string text(const std::string& format) const;
  std::string failure() const;            ///< why it cannot be written any more; empty: it can
  std::vector<Finding> findings() const;  ///< of this run

  void plan(const std::vector<SolveIdentity>& solves) override;
  std::optional<SolveRecord> find(const SolveIdentity& solve) override;
  /// Throws InputError if read-only: something is missing that cannot be kept.
  void begin(const SolveIdentity& solve) override;
  void keep(const SolveIdentity& solve, const std::vector<double>& times,
            const SolveRecord& record) override;

  /// Takes over what `other` has and this store has not. Returns how many solves; what both have
  /// with different results becomes a finding.
  int take_from(const std::string& other);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace rigidlimit
