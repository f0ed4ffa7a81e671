// Files that are written whole or not at all.
#pragma once

#include <string>

namespace rigidlimit {

/// Throws InputError where write_file() could not write there: no such directory, no permission, a
/// directory itself. To be asked before an hour of solving. An empty path, for standard output, is
/// writable.
void require_writable(const std::string& path);

/// Writes one file beside its name and renames it, so that a reader never sees half of one; what is
/// there already and is no regular file (a device, a pipe, a link) is written to as it stands.
/// Throws InputError where that fails.
void write_file(const std::string& path, const std::string& text);

}  // namespace rigidlimit
