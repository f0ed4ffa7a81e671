// The checksum of a whole store.
#pragma once

#include <SQLiteCpp/Database.h>

namespace rigidlimit {

/// The row of the table `seal` has a checksum (WordHash) of the bytes of the file, without the
/// checksum itself and the counters in the header that change with it. It is blank while a run
/// writes and after one that was killed. The row has the same length always, so that SQLite
/// overwrites it in place and all other bytes stay.

/// Blanks the seal, in a transaction.
void blank_seal(SQLite::Database& database);
/// Writes the seal, outside transactions.
void write_seal(SQLite::Database& database);
/// Whether the seal is blank or right.
bool seal_is_intact(SQLite::Database& database);

}  // namespace rigidlimit
