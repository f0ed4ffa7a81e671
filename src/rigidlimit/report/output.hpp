// Files that are written completely or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace rigidlimit {

/// Throws InputError if write_file() could not write there: missing directory, no permission, or a
/// directory itself. Call it before a long run. An empty path, standard output, is writable.
void require_writable(const std::string& path);

/// Writes a new file next to the target, with a random name, and renames it, so that no reader sees
/// a partial file. An existing target that is not a regular file (device, pipe, link) is written
/// directly.
/// Throws InputError on failure.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);
void write_file(const std::string& path, const std::string& text);

/// The name of the file for which write_file() would make an unfinished file of this name; empty
/// for other names.
std::string name_of_unfinished(std::string_view name);
/// Removes an unfinished file, a plain one, that no process is writing: that of a killed one.
void remove_unless_written(const std::string& unfinished);

}  // namespace rigidlimit
