// Identity of the running program, for the solve keys of user-defined systems, and of its machine.
#pragma once

#include <string>

namespace rigidlimit {

/// The file name of the running program, without its directory; "unknown" if unavailable.
std::string program_name();

/// A hash of the running code: of the build ids in the program and in every loaded shared library
/// outside /lib and /usr/lib. A file without a build id contributes all its bytes. The hash is the
/// same for every copy of one build, and changes with any change of the compiled code.
const std::string& program_code();

/// The name of this machine by uname; "unknown" if that fails.
std::string host_name();

}  // namespace rigidlimit
