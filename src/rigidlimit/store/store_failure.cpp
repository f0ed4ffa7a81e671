#include "rigidlimit/store/store_failure.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/store/store_schema.hpp"

namespace rigidlimit {

std::string quotable(const std::string& text) {
  return shortened(printable(text), 500);
}

void fail(const std::string& path, const SQLite::Exception& e) {
  const int code = e.getExtendedErrorCode();
  switch (code & 0xff) {
    case SQLITE_FULL:
      throw InputError(
          fmt::format(
              "{}: free disk space and repeat the command; it continues from the stored solves",
              e.what()),
          path);
    case SQLITE_IOERR:
      if (code != SQLITE_IOERR_SHORT_READ && code != SQLITE_IOERR_DATA) {
        throw InputError(fmt::format("{}: the stored solves stay", reason_of(e)), path);
      }
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_NOMEM: throw InputError(e.what(), path);
    default: break;
  }
  throw InputError(fmt::format("is damaged, or not a store ({}): move it and run again, or try "
                               "'sqlite3 FILE .recover'",
                               quotable(e.what())),
                   path);
}

void fail(const std::string& path, const DamagedRecord& damage) {
  throw DamagedRecord(fmt::format("is damaged: {}: move it and run again", quotable(damage.what())),
                      path);
}

}  // namespace rigidlimit
