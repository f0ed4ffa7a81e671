// Systems defined by formulas, in [system] of a study or in their own file.
#pragma once

#include <memory>

#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// [system] file and name; the parameters of the system follow.
KeyTableInfo system_keys();

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

/// The system that the text of such a file defines; `name` is that of the file, for messages.
SystemText system_text_in(const std::string& toml, const std::string& name);

/// Origin of a system defined by formulas: its file, or "the study"; empty for a compiled system.
std::string written_in(const SystemEntry& entry);

/// Whether a command-line argument is such a file: it ends in ".toml".
bool is_system_file(const std::string& word);

}  // namespace rigidlimit
