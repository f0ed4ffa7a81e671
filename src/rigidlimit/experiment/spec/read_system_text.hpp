// Systems defined by formulas, in [system] of a study or in their own file.
#pragma once

#include <memory>

#include "rigidlimit/experiment/spec/key_table.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// The keys of a system written as formulas.
std::vector<KeyTableInfo> tables_of_written_systems();

/// Whether [system] names a file or contains formulas.
bool is_written(Section system);

/// The system that [system] or its file defines. Reads all keys of `system` except the parameters.
/// Throws InputError for any mistake (systems/text/system_text.hpp) and for a name in `systems`.
std::shared_ptr<const SystemEntry> written_system(Section& system, const SystemCatalogue& systems);

/// The system defined in a file, which may also be a study.
std::shared_ptr<const SystemEntry> system_in_file(const std::string& path,
                                                  const SystemCatalogue& systems);

/// Origin of a system defined by formulas: its file, or "the study"; empty for a compiled system.
std::string written_in(const SystemEntry& entry);

/// Whether a command-line argument is such a file: it ends in ".toml".
bool is_system_file(const std::string& word);

}  // namespace rigidlimit
