// Files that are written completely or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

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

}  // namespace rigidlimit
