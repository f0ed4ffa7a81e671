// A study file with the files that it reads, as a copy for changes.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace rigidlimit {

/// The deepest folder that contains all files.
std::filesystem::path common_folder(const std::set<std::string>& files);

/// The texts of a copy by their paths, relative to the folder of the copy.
using CopiedTexts = std::map<std::string, std::string>;

/// A copy NAME.toml of the study in `path`, whose study.name is `name`. The files that it reads
/// (`base`, `file` of a system, `study` of a benchmark) are copied to NAME_files, as they are and
/// with their places relative to each other; the copy names them there. Comments stay. Throws
/// InputError if a file cannot be read, and for a file without study.name or benchmark.name of its
/// own.
CopiedTexts copy_of_study(const std::string& path, const std::string& name);

}  // namespace rigidlimit
