#include "rigidlimit/core/standard_streams.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// The codes of fmt for the tones of a table: end, faint, red, green, yellow.
constexpr std::array<std::string_view, 5> codes_of_tones{"\x1b[0m", "\x1b[2m", "\x1b[31m",
                                                         "\x1b[32m", "\x1b[33m"};

std::FILE* file_of(Stream stream) {
  return stream == Stream::output ? stdout : stderr;
}

void write(Stream stream, std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), file_of(stream));
  if (written < text.size() && stream == Stream::output)
    throw InputError("cannot be written: disk full?", "standard output");
}

}  // namespace

void print_text(std::string_view text, Stream stream) {
  write(stream, printable_lines(text));
}

void print_toned(std::string_view text, bool colour) {
  while (!text.empty()) {
    const std::string_view* const code = std::ranges::find_if(
        codes_of_tones, [&](std::string_view c) { return text.starts_with(c); });
    const bool passes = colour && code != codes_of_tones.end();
    // From a code that does not pass, the text goes on behind its first byte.
    const std::size_t size = passes ? code->size() : std::min(text.find('\x1b', 1), text.size());
    if (passes)
      write(Stream::output, *code);
    else
      print_text(text.substr(0, size));
    text.remove_prefix(size);
  }
}

void rewrite_line(std::string_view line) {
  write(Stream::error, "\r\033[K" + printable(line));
  std::fflush(stderr);
}

bool flush_output() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace rigidlimit
