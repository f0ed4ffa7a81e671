// Input for the readers of files as one text, from the fuzzer or its corpus.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/codegen/problem_source.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/units.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/problem_source/problem_source.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

namespace rigidlimit::test {

/// A text split at lines "#set" and "#base": the file, then texts of --set options, and texts of
/// files in the same folder: base1.toml, base2.toml, … The first line selects the reader:
/// "#benchmark", "#problem" (which is also written as source code), "#unit" (a unit in each line),
/// or else the reader of studies. It is a comment in TOML, so that every shipped file is such a
/// text.
struct Reading {
  std::string file;
  std::vector<std::string> overrides;
  std::vector<std::string> bases;
};

inline Reading reading_of(const std::string& text) {
  Reading reading;
  std::string* part = &reading.file;
  std::size_t begin = 0;
  while (true) {
    std::size_t end = std::string::npos, next = std::string::npos;
    std::vector<std::string>* of_next = nullptr;
    for (const auto& [mark, texts] :
         {std::pair<std::string, std::vector<std::string>*>("\n#set\n", &reading.overrides),
          {"\n#base\n", &reading.bases}})
      if (const std::size_t at = text.find(mark, begin); at < end) {
        end = at;
        next = at + mark.size();
        of_next = texts;
      }
    *part = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (!of_next) return reading;
    part = &of_next->emplace_back();
    begin = next;
  }
}

/// Writes [problem] as source code in every language. Throws std::logic_error if a text of the file
/// puts a control character into it.
inline void write_problem(const TomlDocument& document) {
  const std::shared_ptr<const ClassicalEntry> entry = problem_in(document.root());
  const WrittenProblem problem =
      classical_source(*entry, entry->default_values(), {.with_reference = false});
  for (const SourceLanguage language : source_languages)
    if (const std::string source = problem_source(problem, language, {});
        printable_lines(source) != source)
      throw std::logic_error(std::string("a control character in ") + name_of(language));
}

/// Reads a unit in each line, and relates it to the one before it. Throws InputError with `place`.
inline void read_units(const std::string& lines, const std::string& place) try {
  std::istringstream stream(lines);
  Unit before;
  for (std::string line; std::getline(stream, line);) {
    const Unit unit(line);
    const Unit product = unit * before / Unit("s");
    product.text();
    if (unit.is_convertible_to(before)) unit.in(before);
    before = unit;
  }
} catch (const InputError& error) {
  throw InputError(error.what(), place);
}

/// The message of the reader's InputError; empty if the file is valid. `name`: the path of the
/// file; a benchmark searches its folder for studies.
inline std::string refusal_of(const Reading& reading, const std::string& name) try {
  if (reading.file.starts_with("#unit\n")) {
    read_units(reading.file.substr(6), name);
    return "";
  }
  const bool benchmark = reading.file.starts_with("#benchmark\n");
  const std::string folder = name.substr(0, name.rfind('/') + 1);
  const TextOfPath text_of = [&](const std::string& path) {
    for (std::size_t k = 0; k < reading.bases.size(); ++k)
      if (path == folder + "base" + std::to_string(k + 1) + ".toml") return reading.bases[k];
    throw InputError("is none of the files", path);
  };
  const TomlDocument document =
      TomlDocument::from_texts(reading.file, name, text_of, reading.overrides,
                               benchmark ? Alternatives{} : alternative_keys());
  if (reading.file.starts_with("#problem\n")) {
    write_problem(document);
  } else if (benchmark) {
    read_benchmark(document);
  } else if (is_sweep(document)) {
    const SweepGrid grid = read_sweep_grid(document);
    read_rolling_study(document_at(document, grid, 0));
  } else {
    read_rolling_study(document);
  }
  return "";
} catch (const InputError& error) {
  return error.what();
}

/// The fault of an error message, or empty. A message must give its place, on one line, and quote
/// the file without control characters.
inline std::string fault_of(const std::string& refusal) {
  if (refusal.size() < 3 || refusal.find(": ") == std::string::npos) return "names no place";
  for (const unsigned char c : refusal)
    if (c < 0x20 || c == 0x7f) return "holds a control character";
  if (refusal.size() > 10'000) return "is longer than anyone reads";
  return "";
}

}  // namespace rigidlimit::test
