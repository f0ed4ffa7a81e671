#include "rigidlimit/store/store_runs.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <unistd.h>

#include "rigidlimit/experiment/plan/host_name.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/store/store_lock.hpp"
#include "rigidlimit/store/store_rows.hpp"

namespace rigidlimit {

std::int64_t insert_run(SQLite::Database& database, const StoredRun& run) {
  SQLite::Statement insert(database,
                           "INSERT INTO runs (started, host, process, jobs, shard, provenance) "
                           "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  insert.bind(1, utc_now());
  insert.bind(2, host_name());
  insert.bind(3, static_cast<std::int64_t>(getpid()));
  insert.bind(4, run.jobs);
  if (!run.shard.is_whole()) insert.bind(5, fmt::format("{}/{}", run.shard.index, run.shard.count));
  insert.bind(6, provenance_json());
  insert.exec();
  const std::int64_t row = database.getLastInsertRowid();

  SQLite::Statement forget(database, "DELETE FROM study WHERE hash <> ?1");
  forget.bind(1, run.hash);
  if (forget.exec() > 0) database.exec("DELETE FROM errors; DELETE FROM curves; DELETE FROM texts");
  SQLite::Statement study(database,
                          "INSERT INTO study SELECT ?1, ?2, ?3, NULL, 0 "
                          "WHERE NOT EXISTS (SELECT * FROM study)");
  study.bind(1, run.name);
  study.bind(2, run.resolved);
  study.bind(3, run.hash);
  study.exec();
  database.exec("UPDATE study SET complete = 0; DELETE FROM plan");
  return row;
}

void finish_run(SQLite::Database& database, std::int64_t run, const SolveCounts& counts) {
  SQLite::Statement end(database,
                        "UPDATE runs SET ended = ?1, computed = ?2, reused = ?3 WHERE id = ?4");
  end.bind(1, utc_now());
  end.bind(2, counts.computed);
  end.bind(3, counts.reused);
  end.bind(4, run);
  end.exec();
}

std::map<std::int64_t, std::int64_t> copy_runs(SQLite::Database& from, SQLite::Database& to) {
  std::map<std::int64_t, std::int64_t> rows;
  SQLite::Statement all(from,
                        "SELECT id, started, ended, host, process, jobs, shard, computed, reused, "
                        "provenance FROM runs");
  SQLite::Statement insert(
      to,
      "INSERT INTO runs (started, ended, host, process, jobs, shard, computed, "
      "reused, provenance) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  while (all.executeStep()) {
    insert.reset();
    insert.clearBindings();
    for (int k = 1; k <= 9; ++k) {
      const SQLite::Column value = all.getColumn(k);
      if (value.isInteger())
        insert.bind(k, value.getInt64());
      else if (!value.isNull())
        insert.bind(k, value.getString());
    }
    insert.exec();
    rows[all.getColumn(0).getInt64()] = to.getLastInsertRowid();
  }
  return rows;
}

std::int64_t run_of(SQLite::Database& database, const std::string& key) {
  SQLite::Statement row(database, "SELECT run FROM solves WHERE key = ?1");
  row.bind(1, key);
  row.executeStep();
  return row.getColumn(0).getInt64();
}

}  // namespace rigidlimit
