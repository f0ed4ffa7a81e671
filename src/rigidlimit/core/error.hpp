// Wrong input throws an exception with the place of the input. A numerical failure is not an
// exception but an Outcome (core/solution.hpp).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace rigidlimit {

/// Input that cannot be used. message() says what is wrong, with the offending value; where() is
/// its place ("file.toml:12:9", the text of a --set option), empty for a caller's value; what() is
/// both.
class InputError : public std::runtime_error {
 public:
  /// what() is "where: message", or the message alone.
  explicit InputError(const std::string& message, std::string where = {})
      : std::runtime_error(where.empty() ? message : where + ": " + message),
        message_(message),
        where_(std::move(where)) {}

  /// The message without its place. what() ends at a NUL within the place; this does not.
  const std::string& message() const noexcept { return message_; }

  /// The place of the input; empty: unknown.
  const std::string& where() const noexcept { return where_; }

 private:
  std::string message_;
  std::string where_;
};

}  // namespace rigidlimit
