// A persistent cache of solves and results: one SQLite file per study, written solve by solve.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// results/NAME/results.db; for a shard of the study results/NAME/shards/K-of-N.db.
std::string store_path(const std::string& results, const std::string& name, Shard shard = {});

/// The study of a run.
struct StoredRun {
  std::string name;      ///< of the study
  std::string resolved;  ///< its text with every default filled in
  std::string hash;      ///< of that text
  int jobs = 1;
  Shard shard = {};
};

/// A run as stored.
struct StoredRunRow {
  std::string started, ended;  ///< ISO 8601, UTC; ended is empty while it runs, or if it was killed
  std::string provenance;      ///< JSON
};

/// Two different results of one solve.
struct Finding {
  std::string solve;  ///< its description
  std::string what;   ///< the difference
};

/// The archive of one study in a file (tables: store_schema.cpp), opened for one run.
///
/// Results reach the file within a fraction of a second (StoreWriter), in transactions of whole
/// solves. The process may be killed at any moment: the file always contains complete solves. It
/// uses SQLite's rollback journal, which works on network file systems. One process at a time may
/// write a store; any number may read it.
class Store final : public SolveArchive {
 public:
  enum class Access {
    write,  ///< creates the file if needed; in a read-only directory falls back to `read`
    read    ///< an existing file only
  };

  /// Throws InputError with advice if the directory cannot be created, if the file is not a store,
  /// belongs to a newer version or is damaged, if another process is writing it, or (read) if there
  /// is none.
  Store(const std::string& path, Access access);
  ~Store() override;

  /// Removes every solve. Requires Access::write; to be called before begin_run.
  void clear();

  /// Begins a run with an empty plan.
  void begin_run(const StoredRun& run);
  /// Writes all remaining solves and the end of the run. Throws InputError on failure; earlier
  /// results stay.
  void end_run(const SolveCounts& counts);
  /// Writes the tables of the report and the curves; does nothing if read-only. `texts`: also the
  /// report in every format.
  void write_judgement(const Result& judged, bool texts);

  /// Writes all results so far and copies the store into the new file `path`. Throws InputError.
  void copy_to(const std::string& path);

  /// Limits the file to its present size, so that SQLite acts as on a full disk. For tests.
  void limit_size();

  std::string name() const override;  ///< its path
  bool read_only() const;
  int finished() const;       ///< number of stored solves
  std::string study() const;  ///< resolved text of the study as last run; empty: none
  /// The runs that solved something, or the last run if none did.
  std::vector<StoredRunRow> runs_that_solved() const;
  /// The report as last judged, in one of names_of_formats(); empty: not judged, or every program
  /// can judge it (Experiment::portable).
  std::string text(const std::string& format) const;
  std::string failure() const;            ///< why it can no longer be written; empty: it can
  std::vector<Finding> findings() const;  ///< of this run

  void plan(const std::vector<SolveIdentity>& solves) override;
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override;
  /// Throws InputError if read-only: a missing solve could not be stored.
  void begin(const SolveIdentity& solve) override;
  void keep(const SolveIdentity& solve, const std::vector<double>& times, const SolveRecord& record,
            Samples kept) override;

  /// Copies the solves of `other` that this store lacks, and returns their number. Different
  /// results of the same solve become findings.
  int take_from(const std::string& other);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace rigidlimit
