// Fuzz target: reading any archive and comparing its result ends quickly in a report or in a
// printable InputError. Other exceptions and findings of a sanitizer end the program.
//
// The first byte of an input selects the meaning of the others:
//   z  a zip file
//   c  ro-crate-metadata.json of an unpacked archive
//   d  two texts of result.json, split at the line "---", which are compared
//   r  (and every other byte) result.json of an unpacked archive
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "rigidlimit/archive/write_archive.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/reproduction_report.hpp"
#include "rigidlimit/report/result_difference.hpp"
#include "support/reading.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace rigidlimit;

const std::string good_result = R"({"name": "sample", "kind": "rolling", "claims":
[{"name": "q has order 2", "held": true}, {"name": "v has order 1", "held": false}],
"provenance": {"program": "rigidlimit", "version": "0.2.0", "resolved": "x", "compiler": "GNU 12.2.0"},
"held": true, "notes": ["none"],
"errors": [{"law": "viscous", "epsilon": 0.01, "quantity": "q", "model_error": 1e-3, "solver_error": 1e-9,
"reference_error": null, "order": null, "ratio": {"found": 1.1, "limit_error": 0.1}, "status": "ok"},
{"law": "viscous", "epsilon": 0.001, "quantity": "q", "model_error": 1e-5, "solver_error": 1e-9,
"reference_error": 1e-11, "order": 2.0, "standard_error": 0.01, "work": {"steps": 17}, "status": "ok"}],
"series": [{"q": [1, 2.5, true], "verdict": "confirmed", "swept": {"mass": 2}}]})";

[[noreturn]] void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

const test::TemporaryDirectory& place() {
  static const test::TemporaryDirectory folder;
  return folder;
}

/// Terminals obey control characters.
void require_printable(const std::string& text) {
  for (const unsigned char c : text)
    if ((c < 0x20 && c != '\n') || c == 0x7f)
      fail("a text for terminals has a control character", text);
}

/// The result whose result.json `text` is, as far as its tables have the columns of good_result.
Result result_in(const std::string& text) {
  require_result(text, "archive:result.json");
  Result result{.name = "sample", .kind = "rolling"};
  const auto json = nlohmann::ordered_json::parse(text);
  for (const auto& claim : json.value("claims", nlohmann::ordered_json::array()))
    result.claims.push_back({.name = claim.at("name"), .state = state_if(claim.at("held"))});
  for (const auto& [name, rows] : json.items()) {
    if (!rows.is_array() || rows.empty() || !rows.front().is_object()) continue;
    std::vector<Column> columns;
    const auto& first = rows.front();
    for (const auto& [column, value] : first.items())
      columns.push_back({.name = column,
                         .role = value.is_string() ? Role::key : Role::value,
                         .bars = {"solver_error", "reference_error"},
                         .value = [](std::size_t /*row*/) { return Value(); }});
    try {
      result.tables.push_back(table_in(rows.dump(), Table(name, std::move(columns), 0)));
    } catch (const std::logic_error&) {
      continue;  // a table without a name
    }
  }
  return result;
}

void compare(const std::string& then, const std::string& now) {
  const ResultDifference found = difference_of_results(then, result_in(now), "archive:result.json");
  const Result report = reproduction_report({.name = "sample", .kind = "rolling"}, found);
  require_printable(formatted({report}, Format::table));
  for (const Format format : {Format::csv, Format::json, Format::markdown, Format::latex})
    formatted({report}, format);
}

void read(const std::string& path) {
  const ArchivedResult archive = read_archive(path);
  compare(archive.result, good_result);
  constexpr std::size_t short_text = 2000;
  if (archive.result.size() > short_text) return;
  compare(good_result, archive.result);
  const ResultDifference itself =
      difference_of_results(archive.result, result_in(archive.result), "archive");
  for (const ColumnDifference& column : itself.columns)
    if (column.table != "result" && column.differing > 0)
      fail("a table differs from itself", archive.result);
}

void run(char selector, const std::string& text) {
  constexpr std::string_view split = "\n---\n";
  if (selector == 'z') return read(place().write("archive.zip", text));
  if (selector == 'd' && text.find(split) != std::string::npos) {
    const std::size_t at = text.find(split);
    return compare(text.substr(0, at), text.substr(at + split.size()));
  }
  const bool is_crate = selector == 'c';
  const std::string crate = place().path("unpacked/ro-crate-metadata.json");
  place().write("unpacked/result.json", is_crate ? good_result : text);
  if (is_crate)
    place().write("unpacked/ro-crate-metadata.json", text);
  else
    std::filesystem::remove(crate);
  read(place().path("unpacked"));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*unused*/, char*** /*unused*/) {
  std::filesystem::create_directory(place().path("unpacked"));
  place().write("unpacked/resolved.toml", "[study]\nname = \"sample\"\n");
  compare(good_result, good_result);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  try {
    run(input.front(), input.substr(1));
  } catch (const InputError& error) {
    const std::string refusal = error.what();
    if (const std::string fault = test::fault_of(refusal); !fault.empty())
      fail(fault.c_str(), refusal);
  }
  return 0;
}
