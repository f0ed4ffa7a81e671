// Fuzz target: a changed copy of a small store is refused with a printable InputError, or gives the
// table of the store or fewer solves. Other exceptions and findings of a sanitizer end the program.
//
// The first line of an input selects what is done, by letters:
//   f  the checksums of solves, samples, grids and study are recomputed after the changes
//   t  a transaction of a killed process is left, with its journal
//   s  the store of a friction study;  c  a store of comparisons in place of motions
//   a  judges the store also if it lacks a solve; otherwise only if a result has changed: judging
//      takes most of the time
//   m  merges the copy into an empty store;  w  into the store itself
// Each of the other lines is one change:
//   s SQL           any statement
//   u TCRK VALUE    UPDATE of column C of row R ('*': all) of table T, counted from 'a'. K is the
//                   kind of the value: integer, double, text, blob, null (n), zeros (z SIZE),
//                   repeated text (r SIZE TEXT), one of many doubles (e PLACE DOUBLE)
//   q R ROWS COLUMNS  the samples of row R get this size, with data
//   x PLACE BYTES   bytes of the file;  y PLACE BYTES  of the journal
//   j BYTES         the journal is the rest of the input
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/archive/crate.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/word_hash.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/store/store.hpp"
#include "rigidlimit/store/stored_tables.hpp"
#include "support/reading.hpp"
#include "support/report_texts.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace rigidlimit;

[[noreturn]] void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

const test::TemporaryDirectory& place() {
  static const test::TemporaryDirectory folder;
  return folder;
}

/// The stores that the inputs change: motions, comparisons of motions, and motions with friction.
enum StoreKind : std::size_t { motions, comparisons, slip };
constexpr std::size_t kinds = 3;

const RollingStudy& rolling(StoreKind kind) {
  static const std::string text = R"([study]
name = "sample"
[system]
name = "knife_edge"
[initial]
v = [0.7, 0.0, 1.3]
[contact]
stiffness = 1.0
[epsilon]
values = [0.1]
[time]
end = 0.01
samples = 3
layer_samples = 3
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
rtol = 1e-4
atol = 1e-6
)";
  static const RollingStudy whole = test::study_from(text),
                            compared = test::study_from(text, {"output.samples = \"none\""});
  return kind == comparisons ? compared : whole;
}

const FrictionStudy& friction() {
  static const FrictionStudy study =
      read_friction_study(TomlDocument::from_text(R"([study]
name = "sample"
[system]
name = "wheel"
radius = 0.1
drag = 0.0
[contact]
tangential_stiffness = 1.0
[epsilon]
values = [0.1]
[time]
end = 0.1
samples = 3
layer_per_decade = 1
[solvers]
moreau_jean = [1e-2, 5e-3]
)",
                                                  "sample.toml", {}));
  return study;
}

/// The table that a store gives, and the number of missing solves.
struct Answer {
  std::string table;
  int missing;
};

Answer judged(SolveArchive& store, StoreKind kind) {
  const RunOptions options{.archive = &store, .solve = false};
  if (kind == slip) {
    const FrictionResult result = run_friction_study(friction(), options);
    return {test::csv_rows(result), result.counts.missing};
  }
  const RollingResult result = run_rolling_study(rolling(kind), options);
  return {test::csv_rows(result), result.counts.missing};
}

/// A solve that judging reads, and its result.
struct KnownSolve {
  SolveIdentity identity;
  Samples wanted;
  SolveRecord record;
};

/// Files that an input begins with, and their results.
struct Template {
  std::string store, torn, journal, table;
  std::vector<KnownSolve> solves;
};

/// Notes the solves that are read from a store.
class NotedStore final : public SolveArchive {
 public:
  NotedStore(Store& store, std::vector<KnownSolve>& read) : store_(store), read_(read) {}
  void plan(const std::vector<SolveIdentity>& /*solves*/) override {}
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override {
    auto found = store_.find(solve, wanted);
    if (found) read_.push_back({solve, wanted, *found});
    return found;
  }
  void begin(const SolveIdentity& /*solve*/) override {}
  void keep(const SolveIdentity& /*solve*/, const std::vector<double>& /*times*/,
            const SolveRecord& /*record*/, Samples /*kept*/) override {}

 private:
  Store& store_;
  std::vector<KnownSolve>& read_;
};

void solve(StoreKind kind, const std::string& path) {
  Store store(path, Store::Access::write);
  const auto finish = [&](const auto& result) {
    store.end_run(result.counts);
    store.write_judgement(in_tables(result), true);
  };
  const std::string resolved =
      kind == slip ? resolved_toml(friction()) : resolved_toml(rolling(kind));
  store.begin_run({"sample", resolved, content_hash(resolved), 1, {}});
  if (kind == slip)
    finish(run_friction_study(friction(), {.archive = &store}));
  else
    finish(run_rolling_study(rolling(kind), {.archive = &store}));
}

Template made_template(StoreKind kind) {
  Template made;
  const std::string path = place().path(fmt::format("template{}.db", static_cast<int>(kind)));
  solve(kind, path);
  {
    // Small pages: a small file, and values on several pages.
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec("UPDATE texts SET text = substr(text, 1, 100); PRAGMA page_size = 512; VACUUM");
    database.exec("UPDATE seal SET content = 'rigidlimit sealed ----------------'");
  }
  made.store = test::text_of(path);
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec("PRAGMA cache_size = 1; BEGIN; UPDATE samples SET data = zeroblob(length(data))");
    made.torn = test::text_of(path);
    made.journal = test::text_of(path + "-journal");
  }
  Store store(path, Store::Access::read);
  NotedStore noted(store, made.solves);
  Answer answer = judged(noted, kind);
  if (answer.missing > 0 || made.solves.empty())
    fail("solves are missing in the template", answer.table);
  made.table = std::move(answer.table);
  return made;
}

const Template& template_of(StoreKind kind) {
  static const std::array<Template, kinds> all{made_template(motions), made_template(comparisons),
                                               made_template(slip)};
  return all[kind];
}

/// A store in which no run has begun.
const std::string& empty_store() {
  static const std::string bytes = [] {
    { Store(place().path("empty.db"), Store::Access::write); }
    return test::text_of(place().path("empty.db"));
  }();
  return bytes;
}

/// The words of a line.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  long number() { return std::strtol(std::string(word()).c_str(), nullptr, 10); }
  double real() { return std::strtod(std::string(word()).c_str(), nullptr); }
  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return found;
  }
  std::string rest() const { return std::string(rest_); }

 private:
  std::string_view rest_;
};

constexpr std::size_t largest_value = 1'000'000;

std::size_t bounded(long size) {
  return static_cast<std::size_t>(std::clamp(size, 0L, static_cast<long>(largest_value)));
}

struct Table {
  const char* name;
  const char* key;
};
constexpr Table tables[] = {{"study", "rowid"},  {"runs", "rowid"},     {"solves", "key"},
                            {"grids", "id"},     {"samples", "rowid"},  {"plan", "rowid"},
                            {"texts", "format"}, {"findings", "rowid"}, {"curves", "rowid"},
                            {"seal", "rowid"}};

std::string where_row(const Table& table, char row) {
  if (row == '*') return "";
  return fmt::format(" WHERE {0} = (SELECT {0} FROM {1} LIMIT 1 OFFSET {2})", table.key, table.name,
                     static_cast<unsigned char>(row) % 32);
}

int count_of(char letter, std::size_t size) {
  return static_cast<int>((static_cast<unsigned char>(letter) - 'a' + 256U) % size);
}

/// Binds the value of a line.
void bind_value(SQLite::Statement& set, char kind, Words words, const std::string& old) {
  std::string text;
  switch (kind) {
    case 'i':
      return set.bind(1,
                      static_cast<std::int64_t>(std::strtoll(words.rest().c_str(), nullptr, 10)));
    case 'd': return set.bind(1, words.real());
    case 'b': text = words.rest(); return set.bind(1, text.data(), static_cast<int>(text.size()));
    case 'n': return set.bind(1);
    case 'z':
      text.resize(bounded(words.number()));
      return set.bind(1, text.data(), static_cast<int>(text.size()));
    case 'r': {
      const std::size_t size = bounded(words.number());
      const std::string part = words.rest();
      while (!part.empty() && text.size() < size) text += part;
      return set.bind(1, text);
    }
    case 'e': {
      text = old;
      const auto at = static_cast<std::size_t>(words.number());
      const double entry = words.real();
      if (text.size() >= sizeof entry)
        std::memcpy(text.data() + sizeof entry * (at % (text.size() / sizeof entry)), &entry,
                    sizeof entry);
      return set.bind(1, text.data(), static_cast<int>(text.size()));
    }
    default: return set.bind(1, words.rest());
  }
}

void update(SQLite::Database& database, std::string_view line) {
  if (line.size() < 4) return;
  const Table& table = tables[count_of(line[0], std::size(tables))];
  const std::string where = where_row(table, line[2]);
  SQLite::Statement names(database, fmt::format("SELECT * FROM {}{}", table.name, where));
  const int column = count_of(line[1], static_cast<std::size_t>(names.getColumnCount()));
  const std::string name = names.getColumnName(column);
  std::string old;
  if (names.executeStep()) old = names.getColumn(column).getString();
  names.reset();
  SQLite::Statement set(database,
                        fmt::format("UPDATE {} SET \"{}\" = ?1{}", table.name, name, where));
  bind_value(set, line[3], Words(line.substr(std::min<std::size_t>(5, line.size()))), old);
  set.exec();
}

void resize(SQLite::Database& database, Words words) {
  const std::string row(words.word());
  const long rows = words.number(), columns = words.number();
  if (rows < 0 || columns < 0 || rows > 10'000 || columns > 10'000 || rows * columns > 10'000)
    return;
  SQLite::Statement set(database,
                        "UPDATE samples SET \"rows\" = ?1, columns = ?2, data = substr(data || "
                        "zeroblob(?3), 1, ?3)" +
                            where_row(tables[4], row.empty() ? '*' : row[0]));
  set.bind(1, static_cast<std::int64_t>(rows));
  set.bind(2, static_cast<std::int64_t>(columns));
  set.bind(3, static_cast<std::int64_t>(rows * columns) * 8);
  set.exec();
}

/// The checksum of a row of `solves` as in store_rows.cpp.
std::string checksum_of(SQLite::Statement& row) {
  WordHash hash;
  for (int k = 0; k < row.getColumnCount(); ++k) {
    const SQLite::Column value = row.getColumn(k);
    hash.add(static_cast<std::int64_t>(value.getType()));
    if (value.isInteger())
      hash.add(value.getInt64());
    else if (value.isFloat())
      hash.add(value.getDouble());
    else if (!value.isNull())
      hash.add(value.getBlob(), static_cast<std::size_t>(value.getBytes()));
  }
  return fmt::format("{:016x}", hash.value());
}

std::string hash_of_samples(SQLite::Database& database, const std::string& key) {
  SQLite::Statement samples(
      database, "SELECT name, \"rows\", columns, data FROM samples WHERE key = ?1 ORDER BY rowid");
  samples.bind(1, key);
  WordHash hash;
  while (samples.executeStep()) {
    const std::string name = samples.getColumn(0).getString();
    hash.add(name.data(), name.size());
    hash.add(samples.getColumn(1).getInt64());
    hash.add(samples.getColumn(2).getInt64());
    const SQLite::Column data = samples.getColumn(3);
    hash.add(data.getBlob(), static_cast<std::size_t>(data.getBytes()));
  }
  return fmt::format("{:016x}", hash.value());
}

void set_text(SQLite::Database& database, const char* sql, const std::string& value,
              const std::string& key) {
  SQLite::Statement set(database, sql);
  set.bind(1, value);
  set.bind(2, key);
  set.exec();
}

std::vector<std::string> column_of(SQLite::Database& database, const char* sql) {
  std::vector<std::string> values;
  SQLite::Statement row(database, sql);
  while (row.executeStep()) values.push_back(row.getColumn(0).getString());
  return values;
}

void forge_checksums(SQLite::Database& database) {
  for (const std::string& resolved : column_of(database, "SELECT resolved FROM study"))
    set_text(database, "UPDATE study SET hash = ?1 WHERE resolved = ?2", content_hash(resolved),
             resolved);
  for (const std::string& id : column_of(database, "SELECT id FROM grids")) {
    SQLite::Statement row(database, "SELECT times FROM grids WHERE id = ?1");
    row.bind(1, id);
    if (!row.executeStep()) continue;
    const std::string bytes = row.getColumn(0).getString();
    std::vector<double> times(bytes.size() / sizeof(double));
    if (!times.empty()) std::memcpy(times.data(), bytes.data(), sizeof(double) * times.size());
    row.reset();
    set_text(database, "UPDATE solves SET grid = ?1 WHERE grid = ?2", grid_hash(times), id);
    set_text(database, "UPDATE OR IGNORE grids SET id = ?1 WHERE id = ?2", grid_hash(times), id);
  }
  for (const std::string& key :
       column_of(database, "SELECT key FROM solves WHERE checksum IS NOT NULL")) {
    SQLite::Statement sampled(database, "SELECT sampled FROM solves WHERE key = ?1");
    sampled.bind(1, key);
    if (sampled.executeStep() && sampled.getColumn(0).getInt() != 0) {
      sampled.reset();
      set_text(database, "UPDATE solves SET samples_hash = ?1 WHERE key = ?2",
               hash_of_samples(database, key), key);
    }
    sampled.reset();
    SQLite::Statement row(
        database,
        "SELECT outcome, message, t_reached, last_step, seconds, steps, rejected_steps, "
        "rhs_evaluations, jacobian_evaluations, factorisations, newton_iterations, linear_solves, "
        "factor_nonzeros, samples_hash, sampled, kind, law, solver, epsilon, tighter, rtol, atol, "
        "formulation, precision, grid, determinants, key FROM solves WHERE key = ?1");
    row.bind(1, key);
    if (!row.executeStep()) continue;
    const std::string checksum = checksum_of(row);
    row.reset();
    set_text(database, "UPDATE solves SET checksum = ?1 WHERE key = ?2", checksum, key);
  }
}

/// Statements of an input touch no other file and end soon.
int allowed(void* /*unused*/, int action, const char* first, const char* /*unused*/,
            const char* /*unused*/, const char* /*unused*/) {
  if (action == SQLITE_ATTACH || action == SQLITE_DETACH) return SQLITE_DENY;
  if (action != SQLITE_PRAGMA || first == nullptr) return SQLITE_OK;
  for (const char* harmless : {"user_version", "application_id", "writable_schema", "foreign_keys",
                               "schema_version", "encoding", "auto_vacuum", "incremental_vacuum"})
    if (std::string_view(first) == harmless) return SQLITE_OK;
  return SQLITE_DENY;
}

struct Input {
  std::string options;
  std::vector<std::string> lines;
  std::optional<std::string> journal;

  StoreKind kind() const { return has('s') ? slip : has('c') ? comparisons : motions; }
  bool has(char letter) const { return options.find(letter) != std::string::npos; }
  bool changes_rows() const {
    if (has('f')) return true;
    for (const std::string& line : lines)
      if (line.starts_with("s ") || line.starts_with("u ") || line.starts_with("q ")) return true;
    return false;
  }
};

Input input_of(const std::string& text) {
  Input input;
  std::size_t at = text.find('\n');
  input.options = text.substr(0, at);
  while (at != std::string::npos) {
    const std::size_t begin = at + 1;
    if (text.compare(begin, 2, "j ") == 0) {
      input.journal = text.substr(begin + 2);
      break;
    }
    at = text.find('\n', begin);
    input.lines.push_back(text.substr(begin, at == std::string::npos ? at : at - begin));
  }
  return input;
}

void change_rows(const std::string& path, const Input& input) {
  SQLite::Database database(path, SQLite::OPEN_READWRITE);
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  sqlite3* handle = database.getHandle();
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 2 * static_cast<int>(largest_value));
  sqlite3_set_authorizer(handle, allowed, nullptr);
  sqlite3_progress_handler(
      handle, 100'000, [](void*) { return 1; }, nullptr);
  for (const std::string& line : input.lines) try {
      if (line.starts_with("s "))
        database.tryExec(line.substr(2));
      else if (line.starts_with("u "))
        update(database, line.substr(2));
      else if (line.starts_with("q "))
        resize(database, Words(std::string_view(line).substr(2)));
    } catch (const SQLite::Exception&) {
    }
  if (!input.has('f')) return;
  try {
    forge_checksums(database);
  } catch (const SQLite::Exception&) {
  }
}

void change_bytes(std::string& bytes, char which, const Input& input) {
  for (const std::string& line : input.lines) {
    if (line.size() < 3 || line[0] != which || bytes.empty()) continue;
    Words words(std::string_view(line).substr(2));
    const std::size_t at = static_cast<std::size_t>(words.number()) % bytes.size();
    const std::string change = words.rest().substr(0, bytes.size() - at);
    bytes.replace(at, change.size(), change);
  }
}

/// A copy of the template with the changes of an input.
std::string changed_store(const Input& input) {
  const bool torn = input.has('t') && !input.changes_rows();
  const Template& whole = template_of(input.kind());
  std::string store = torn ? whole.torn : whole.store;
  const std::string path = place().path("copy.db");
  std::filesystem::remove(path + "-journal");
  if (input.changes_rows()) {
    place().write("copy.db", store);
    change_rows(path, input);
    store = test::text_of(path);
  }
  change_bytes(store, 'x', input);
  place().write("copy.db", store);
  std::string journal = input.journal.value_or(torn ? whole.journal : "");
  change_bytes(journal, 'y', input);
  if (!journal.empty()) place().write("copy.db-journal", journal);
  return path;
}

/// All that a reader in Python takes.
void read_tables(const std::string& path) {
  const StoredTables store(path);
  store.study();
  for (const std::string& name : store.names()) store.table(name);
  const StoredTable curves = store.curves();
  for (std::size_t k = 0; k < curves.front().values.size(); ++k) store.curve(k);
  const StoredTable solves = store.table("solves");
  const auto keys = std::ranges::find(solves, "key", &StoredColumn::name);
  for (const Value& key : keys->values) {
    store.samples(std::get<std::string>(key.any()));
    store.times_of(std::get<std::string>(key.any()));
  }
}

void read(const std::string& path, const Input& input) {
  Store store(path, Store::Access::read);
  store.study();
  for (const char* format : {"table", "json"}) store.text(format);
  Crate crate{.name = "sample"};
  for (StoredRunRow& run : store.runs_that_solved())
    crate.runs.push_back({run.started, run.ended, run.provenance, path + ": runs"});
  const Template& whole = template_of(input.kind());
  bool changed = false, missing = false;
  for (const KnownSolve& solve : whole.solves) {
    const auto found = store.find(solve.identity, solve.wanted);
    changed |= found && !same_result(*found, solve.record);
    missing |= !found;
  }
  if (changed && !input.has('f')) fail("another result", path);
  if (changed || (missing && input.has('a'))) {
    const Answer answer = judged(store, input.kind());
    if (!input.has('f') && answer.missing == 0 && answer.table != whole.table)
      fail("another table", answer.table);
  }
  crate_metadata(crate);
}

void merge(const std::string& path, const Input& input) {
  const std::string into =
      place().write("into.db", input.has('w') ? template_of(input.kind()).store : empty_store());
  std::filesystem::remove(into + "-journal");
  Store store(into, Store::Access::write);
  store.take_from(path);
}

/// Calls it; a refusal must be printable, with its place.
template <class Look>
void refused_well(const Look& look) try {
  look();
} catch (const InputError& error) {
  const std::string refusal = error.what();
  if (const std::string fault = test::fault_of(refusal); !fault.empty())
    fail(fault.c_str(), refusal);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*unused*/, char*** /*unused*/) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // no mutex for each allocation
  // The checksums of the templates are right, so that forging changes nothing.
  for (const StoreKind kind : {motions, comparisons, slip}) {
    const std::string path = place().write("copy.db", template_of(kind).store);
    const char* all = "SELECT group_concat(samples_hash || checksum || grid) FROM solves";
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    const std::string before = column_of(database, all).at(0);
    forge_checksums(database);
    const std::string after = column_of(database, all).at(0);
    if (before != after || before.empty()) fail("store_rows.cpp has other checksums", after);
    std::fprintf(stderr, "template of %zu bytes, journal of %zu\n", template_of(kind).store.size(),
                 template_of(kind).journal.size());
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input = input_of(std::string(reinterpret_cast<const char*>(data), size));
  const std::string path = changed_store(input);
  refused_well([&] { read_tables(path); });
  refused_well([&] {
    if (input.has('m') || input.has('w'))
      merge(path, input);
    else
      read(path, input);
  });
  return 0;
}
