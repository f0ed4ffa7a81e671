#include "rigidlimit/store/store_seal.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/word_hash.hpp"

namespace rigidlimit {

namespace {

constexpr std::string_view mark = "rigidlimit sealed ";
constexpr std::size_t digits = 16;
constexpr std::string_view blank = "----------------";

std::string stored_seal(SQLite::Database& database) {
  SQLite::Statement row(database, "SELECT content FROM seal");
  return row.executeStep() ? row.getColumn(0).getString() : std::string();
}

/// Sets bytes to zero where the range [from, from + size) of the file overlaps the chunk at
/// `start`.
void clear(std::string& chunk, std::size_t start, std::size_t from, std::size_t size) {
  for (std::size_t at = std::max(from, start); at < std::min(from + size, start + chunk.size());
       ++at)
    chunk[at - start] = '\0';
}

/// The checksum of the file, read through the connection: closing another descriptor of the file
/// would drop the locks of this process. Call it in a transaction, so that no writer interferes.
std::string checksum_of_file(SQLite::Database& database) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  sqlite3_int64 size = 0;
  if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK) return {};
  const auto whole = static_cast<std::size_t>(size);
  constexpr std::size_t step = std::size_t{1} << 20U, overlap = mark.size() + digits;
  std::size_t sealed = std::string::npos;  // where the digits are
  WordHash hash;
  hash.add(static_cast<std::int64_t>(whole));
  std::string chunk;
  for (std::size_t start = 0; start < whole; start += step) {
    chunk.resize(std::min(step + overlap, whole - start));  // the mark may cross two chunks
    if (file->pMethods->xRead(file, chunk.data(), static_cast<int>(chunk.size()),
                              static_cast<sqlite3_int64>(start)) != SQLITE_OK)
      return {};
    if (sealed == std::string::npos)
      if (const std::size_t at = chunk.find(mark); at != std::string::npos)
        sealed = start + at + mark.size();
    chunk.resize(std::min(step, whole - start));
    if (sealed != std::string::npos) clear(chunk, start, sealed, digits);
    clear(chunk, start, 24, 4);  // the change counter
    clear(chunk, start, 92, 8);  // the same again, and the version of SQLite
    hash.add(chunk.data(), chunk.size());
  }
  return fmt::format("{:016x}", hash.value());
}

void set_seal(SQLite::Database& database, std::string_view content) {
  SQLite::Statement set(database, "UPDATE seal SET content = ?1");
  set.bind(1, fmt::format("{}{}", mark, content));
  if (set.exec() > 0) return;
  SQLite::Statement insert(database, "INSERT INTO seal VALUES (?1)");
  insert.bind(1, fmt::format("{}{}", mark, content));
  insert.exec();
}

}  // namespace

void blank_seal(SQLite::Database& database) {
  if (const std::string seal = stored_seal(database); !seal.ends_with(blank))
    set_seal(database, blank);
}

void write_seal(SQLite::Database& database) {
  const auto checksum = [&] {
    SQLite::Transaction reading(database);
    stored_seal(database);  // takes the lock
    return checksum_of_file(database);
  };
  const auto set = [&](std::string_view content) {
    SQLite::Transaction writing(database, SQLite::TransactionBehavior::IMMEDIATE);
    set_seal(database, content);
    writing.commit();
  };
  const std::string content = checksum();
  if (content.empty()) return;
  set(content);
  if (checksum() != content) set(blank);  // other bytes have moved
}

bool seal_is_intact(SQLite::Database& database) {
  SQLite::Transaction reading(database);
  const std::string seal = stored_seal(database);
  if (seal.size() != mark.size() + digits || !seal.starts_with(mark)) return false;
  return seal.ends_with(blank) || seal.substr(mark.size()) == checksum_of_file(database);
}

}  // namespace rigidlimit
