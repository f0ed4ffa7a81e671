// Reading of input files; only regular files are accepted.
#pragma once

#include <cstddef>
#include <string>

namespace rigidlimit {

/// Throws InputError at `path` if it names a directory, a named pipe, a socket or a device: opening
/// or reading one may block or never end. A path that does not exist passes; opening it reports the
/// error.
void require_regular_file(const std::string& path);

/// The text of the regular file at `path`. Descriptors of this process are allowed (/dev/stdin
/// redirected from a file). Never blocks. Throws InputError at `path` for anything else, for an
/// unreadable or empty file, and for one of more than `longest` bytes.
std::string text_of_file(const std::string& path, std::size_t longest);

}  // namespace rigidlimit
