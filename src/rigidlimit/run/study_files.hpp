// The experiment file of a result as its author wrote it.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit {

/// Writes the file and its bases to DIRECTORY/study, in their places relative to each other, and
/// the command with its overrides to study/command.txt. Then removes the files of an earlier study
/// there, not those of others. Throws InputError if a file cannot be read or written.
void write_study_files(const std::string& file, const std::vector<std::string>& overrides,
                       bool quick, const std::string& directory);

}  // namespace rigidlimit
