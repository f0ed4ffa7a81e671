// Files that are read: regular ones, whatever a path may name.
#pragma once

#include <cstddef>
#include <string>

namespace rigidlimit {

/// Throws InputError at `path` if it names a directory, a named pipe, a socket or a device: opening
/// or reading one may wait for ever, or never come to an end. A path that names nothing passes:
/// whoever opens it says so.
void require_regular_file(const std::string& path);

/// The text of the regular file at `path`, the descriptors of this process among them
/// (/dev/stdin, where a file stands behind it). Never waits. Throws InputError at `path` for
/// anything else, for a file that cannot be read or is empty, and for one of more than `longest`
/// bytes.
std::string text_of_file(const std::string& path, std::size_t longest);

}  // namespace rigidlimit
