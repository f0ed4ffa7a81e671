// The formats of a result and the files it is written to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

enum class Format { table, csv, json, markdown, latex };

/// The formats by the names that the command line gives them: "table", "csv", ….
const std::map<std::string, Format>& formats();

std::vector<std::string> names_of_formats();

/// All results in one text. `colour` matters to Format::table only.
std::string formatted(const std::vector<StudyResult>& results, Format format, bool colour);

/// Texts of formatted() as one of that format, without a summary.
std::string joined(const std::vector<std::string>& texts, Format format);

/// Writes table.txt, table.csv, table.json, table.md, table.tex and study.toml (the resolved
/// study) to directory/NAME, creating it; returns that path. Each file is written beside its name
/// and renamed, so that a reader never sees half of one. Throws InputError where that fails.
std::string write_results(const StudyResult& result, const std::string& directory);

/// The same into the directory `place` itself.
void write_result_files(const StudyResult& result, const std::string& place);

/// Throws InputError where write_file() could not write there: no such directory, no permission, a
/// directory itself. To be asked before an hour of solving. An empty path, for standard output, is
/// writable.
void require_writable(const std::string& path);

/// Writes one file in the same way; what is there already and is no regular file (a device, a pipe,
/// a link) is written to as it stands.
void write_file(const std::string& path, const std::string& text);

}  // namespace rigidlimit
