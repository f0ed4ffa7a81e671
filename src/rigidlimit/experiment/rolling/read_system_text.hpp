// Systems that are written as text, in a study's [system] or in a file of their own.
#pragma once

#include <memory>

#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// Whether [system] names a file, or has formulas itself.
bool is_written(Section system);

/// What [system] says, or its file: `system` is asked for all keys but those of parameters. Throws
/// InputError at whatever is wrong (systems/text/system_text.hpp), and where one of `systems` has
/// the name.
std::shared_ptr<const SystemEntry> written_system(Section& system, const SystemCatalogue& systems);

/// The system of a file, which may be a study as well.
std::shared_ptr<const SystemEntry> system_in_file(const std::string& path,
                                                  const SystemCatalogue& systems);

/// Where a system is written as text: its file, or "the study"; empty of one that was compiled.
std::string written_in(const SystemEntry& entry);

/// Whether a word of the command line is such a file: it ends in ".toml".
bool is_system_file(const std::string& word);

}  // namespace rigidlimit
