// Tests that a store of unknown origin is refused unless it is one of ours, whole and unchanged.
#include <SQLiteCpp/Database.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/store/store.hpp"
#include "rigidlimit/store/stored_tables.hpp"
#include "support/report_texts.hpp"
#include "support/sample_study.hpp"
#include "support/stored_rows.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

RollingResult judged_from(Store& store) {
  return run_rolling_study(test::sample_study(), {.archive = &store, .solve = false});
}

class AStore : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place = new test::TemporaryDirectory;
    const RollingStudy study = test::sample_study();
    Store store(place->path("whole.db"), Store::Access::write);
    store.begin_run({study.name, resolved_toml(study), content_hash(resolved_toml(study)), 1, {}});
    const RollingResult result = run_rolling_study(study, {.archive = &store});
    store.end_run(result.counts);
    store.write_judgement(in_tables(result), true);
    rows = test::csv_rows(result);
  }
  static void TearDownTestSuite() { delete place; }

  std::string copy() const {
    fs::copy_file(place->path("whole.db"), place->path("copy.db"),
                  fs::copy_options::overwrite_existing);
    fs::remove(place->path("copy.db-journal"));
    return place->path("copy.db");
  }
  /// The store after a change by SQL, without a seal, as of a run that was killed.
  std::string changed(const std::string& sql) const {
    const std::string path = copy();
    test::change_store(path, sql);
    return path;
  }
  /// All that a reader in Python can take from a store, as text.
  static std::string contents(const std::string& path) {
    const StoredTables store(path);
    const auto study = store.study();
    std::string text = study ? study->resolved + study->result.value_or("") : "";
    const auto add = [&text](const StoredTable& table) {
      for (const StoredColumn& column : table)
        for (const Value& value : column.values) text += shown(value, "{}") + "\n";
    };
    for (const std::string& name : store.names()) add(store.table(name));
    const StoredTable solves = store.table("solves");
    const auto keys = std::ranges::find(solves, "key", &StoredColumn::name);
    for (const Value& value : keys->values) {
      const auto& key = std::get<std::string>(value.any());
      for (const NamedSamples& samples : store.samples(key))
        text += samples.name + exact_text(samples.values);
      text += fmt::format("{}", fmt::join(store.times_of(key), " "));
    }
    add(store.curves());
    for (std::size_t k = 0; k < store.curves().at(0).values.size(); ++k)
      text += exact_text(store.curve(k).values);
    return text;
  }
  /// The answer of its reader: a message, or "" for the same table. Another table is a failure.
  static std::string answer(const std::string& path) {
    try {
      EXPECT_EQ(contents(path), contents(place->path("whole.db"))) << "other contents";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
    }
    try {
      Store store(path, Store::Access::read);
      store.study();
      const RollingResult result = judged_from(store);
      EXPECT_EQ(test::csv_rows(result), rows) << "another table";
      return result.counts.missing > 0 ? "missing" : "";
    } catch (const InputError& error) {
      return error.what();
    }
  }
  static test::TemporaryDirectory* place;
  static std::string rows;
};
test::TemporaryDirectory* AStore::place = nullptr;
std::string AStore::rows;

class DamagedStore : public AStore {};
class StrangersStore : public AStore {};

TEST_F(DamagedStore, GivesItsTableWhenItIsWhole) {
  EXPECT_EQ(answer(copy()), "");
  EXPECT_GT(contents(copy()).size(), 10'000U);
  EXPECT_EQ(answer(changed("SELECT 1")), "") << "without a seal";
}

// Every byte but those that change with each transaction is in the checksum: 12 of them.
TEST_F(DamagedStore, IsNamedSoAfterAnyWrongByte) {
  const std::string whole = test::text_of(copy());
  std::mt19937 random(7);
  for (int k = 0; k < 60; ++k) {
    std::string bytes = whole;
    for (int n = std::array{1, 5, 50, 1000}[k % 4]; n > 0; --n) {
      const std::size_t at = 100 + random() % (bytes.size() - 100);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 + random() % 255));
    }
    place->write("copy.db", bytes);
    EXPECT_THAT(answer(place->path("copy.db")), HasSubstr("damaged")) << k;
  }
}

TEST_F(DamagedStore, IsNamedSoWithoutASeal) {
  for (const char* sql :
       {"UPDATE samples SET data = zeroblob(length(data))",
        "UPDATE samples SET \"rows\" = 1, columns = 1, data = zeroblob(8)",
        "UPDATE samples SET \"rows\" = 0, columns = 0, data = zeroblob(0)",
        "UPDATE samples SET \"rows\" = columns, columns = \"rows\"",
        "UPDATE samples SET \"rows\" = -1", "UPDATE samples SET \"rows\" = 1 << 61, columns = 8",
        "DELETE FROM samples", "UPDATE samples SET name = name || 'x'",
        "UPDATE solves SET outcome = 'max_steps' WHERE kind = 'compliant'",
        "UPDATE solves SET message = char(27) || 'x'", "UPDATE solves SET steps = steps + 1",
        "UPDATE solves SET checksum = NULL", "UPDATE solves SET samples_hash = '0'",
        "UPDATE study SET resolved = resolved || ' '"})
    EXPECT_THAT(answer(changed(sql)), HasSubstr("damaged")) << sql;
}

TEST_F(StrangersStore, RefusesAnotherSchema) {
  for (const char* sql :
       {"CREATE VIEW other AS SELECT 1", "CREATE TABLE other (x)",
        "CREATE INDEX i ON solves (kind)",
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "DROP TABLE findings",
        "DROP VIEW current_solves", "ALTER TABLE runs ADD COLUMN x",
        "DROP TABLE errors; CREATE TABLE errors (study TEXT, x REAL AS (1.0))",
        "DROP TABLE errors; CREATE VIEW errors AS SELECT 1 AS study"}) {
    const std::string path = changed(sql);
    for (const Store::Access access : {Store::Access::read, Store::Access::write}) {
      try {
        Store(path, access);
        ADD_FAILURE() << sql;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("copy.db")) << sql;
      }
    }
  }
}

// SQLite's message quotes the schema.
TEST_F(DamagedStore, IsNamedSoWithoutItsControlCharacters) {
  const std::string path = copy();
  std::string bytes = test::text_of(path);
  bytes[bytes.find("CREATE TABLE study") + 13] = '\x1b';
  place->write("copy.db", bytes);
  const std::string message = answer(path);
  EXPECT_THAT(message, HasSubstr("damaged"));
  EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
}

// A journal as SQLite writes it for several files at once; its rollback would delete the victim.
TEST_F(StrangersStore, DeletesNoFile) {
  const std::string victim = place->write("victim", "mine");
  const auto number = [](std::uint32_t x) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(x >> shift);
    return bytes;
  };
  const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  for (const Store::Access access : {Store::Access::read, Store::Access::write}) {
    const std::string path = copy();
    std::string journal = magic + number(0) + number(0) +
                          number(static_cast<std::uint32_t>(fs::file_size(path) / 4096)) +
                          number(512) + number(4096);
    journal.resize(512);
    std::uint32_t sum = 0;
    for (const char c : victim) sum += static_cast<std::uint32_t>(c);
    journal += number(0x40000000 / 4096 + 1) + victim +
               number(static_cast<std::uint32_t>(victim.size())) + number(sum) + magic;
    place->write("copy.db-journal", journal);
    EXPECT_THROW(Store(path, access), InputError);
    EXPECT_TRUE(fs::exists(victim));
  }
}

// A process was killed in a transaction: its journal is rolled back on a copy.
TEST_F(StrangersStore, IsNotChangedByReading) {
  const std::string path = copy(), before = test::text_of(path);
  {
    SQLite::Database db(path, SQLite::OPEN_READWRITE);
    db.exec("PRAGMA cache_size = 1; BEGIN; UPDATE samples SET data = zeroblob(length(data))");
    fs::copy_file(path, place->path("torn.db"), fs::copy_options::overwrite_existing);
    fs::copy_file(path + "-journal", place->path("torn.db-journal"),
                  fs::copy_options::overwrite_existing);
  }
  const std::string torn = place->path("torn.db");
  const std::string file = test::text_of(torn), journal = test::text_of(torn + "-journal");
  ASSERT_NE(file, before) << "some pages were written";
  EXPECT_EQ(answer(torn), "");
  EXPECT_EQ(test::text_of(torn), file);
  EXPECT_EQ(test::text_of(torn + "-journal"), journal);
}

}  // namespace
}  // namespace rigidlimit
