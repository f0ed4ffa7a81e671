// Errors of SQLite and damaged records as messages with the path of the store and advice.
#pragma once

#include <SQLiteCpp/Exception.h>

#include <string>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// A text for a message that quotes a store of unknown origin: one line, of at most 500 bytes.
std::string quotable(const std::string& text);

/// Throws InputError with `path`.
[[noreturn]] void fail(const std::string& path, const SQLite::Exception& e);
[[noreturn]] void fail(const std::string& path, const DamagedRecord& damage);

}  // namespace rigidlimit
