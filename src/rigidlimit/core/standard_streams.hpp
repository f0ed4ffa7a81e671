// All that the program writes to standard output and standard error.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

// The streams make all that passes them printable, so no author of a message has to think of it.
// StandardStreams.NoOtherFileWritesToThem finds a file of src that writes past them.

enum class Stream { output, error };

/// Writes printable_lines(text). Throws InputError if standard output takes no more.
void print_text(std::string_view text, Stream stream = Stream::output);

/// A text on one line, printable; a number as it is.
template <class Value>
decltype(auto) on_one_line(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>)
    return printable(value);
  else
    return (value);
}

/// As fmt::print. Only the form ends lines: each text among the values stays on one.
template <class... Values>
void print_on(Stream stream, fmt::format_string<Values...> form, const Values&... values) {
  const auto formatted = [&](const auto&... shown) {
    return fmt::vformat(fmt::string_view(form), fmt::make_format_args(shown...));
  };
  print_text(formatted(on_one_line(values)...), stream);
}
template <class... Values>
void print_output(fmt::format_string<Values...> form, const Values&... values) {
  print_on(Stream::output, form, values...);
}
/// For standard error.
template <class... Values>
void print_message(fmt::format_string<Values...> form, const Values&... values) {
  print_on(Stream::error, form, values...);
}

/// Tables and verdicts for standard output. If `colour`, the five codes of toned() pass; else none.
void print_toned(std::string_view text, bool colour);

/// Erases the last line of standard error, a terminal, and writes `line` without an end of line.
void rewrite_line(std::string_view line);

/// Sends what is buffered; false if anything was not written to standard output.
bool flush_output();

}  // namespace rigidlimit
