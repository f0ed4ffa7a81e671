// What may be handed to the readers of files, as one text: by the fuzzer, and from its corpus.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/study/read_map.hpp"
#include "rigidlimit/study/read_study.hpp"

namespace rigidlimit::test {

/// A text split at lines "#set": the file, then texts of --set options. Its first line says by
/// which reader it is read, "#map", "#benchmark", or else as a study: a comment to TOML, so that
/// every shipped file is such a text.
struct Reading {
  std::string file;
  std::vector<std::string> overrides;
};

inline Reading reading_of(const std::string& text) {
  static const std::string mark = "\n#set\n";
  Reading reading;
  std::size_t begin = 0, end = text.find(mark);
  reading.file = text.substr(0, end);
  while (end != std::string::npos) {
    begin = end + mark.size();
    end = text.find(mark, begin);
    reading.overrides.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return reading;
}

/// The message of the InputError with which `name` was refused, empty if it was read. Studies that
/// a benchmark names are looked for in `directory`.
inline std::string refusal_of(const Reading& reading, const std::string& name,
                              const std::string& directory) try {
  const bool benchmark = reading.file.starts_with("#benchmark\n");
  const TomlDocument document = TomlDocument::from_text(
      reading.file, name, reading.overrides, benchmark ? Alternatives{} : alternative_keys());
  if (benchmark)
    read_benchmark(document, directory);
  else if (reading.file.starts_with("#map\n"))
    read_map(document);
  else
    read_study(document);
  return "";
} catch (const InputError& error) {
  return error.what();
}

/// What every refusal keeps to; empty if this one does: it says where, on one line, and what it
/// quotes from the file cannot speak to a terminal.
inline std::string fault_of(const std::string& refusal) {
  if (refusal.size() < 3 || refusal.find(": ") == std::string::npos) return "names no place";
  for (const unsigned char c : refusal)
    if (c < 0x20 || c == 0x7f) return "holds a control character";
  if (refusal.size() > 10'000) return "is longer than anyone reads";
  return "";
}

}  // namespace rigidlimit::test
