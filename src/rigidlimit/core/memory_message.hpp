// Messages about errors, of which one is the lack of memory.
#pragma once

#include <exception>
#include <new>
#include <string>

namespace rigidlimit {

/// The message of an error; of std::bad_alloc, whose message is its name, "not enough memory for
/// WHAT".
inline std::string message_of(const std::exception& error, const std::string& what) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "not enough memory for " + what;
  return error.what();
}

}  // namespace rigidlimit
