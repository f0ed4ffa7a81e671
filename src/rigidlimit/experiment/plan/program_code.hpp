// Which program is running: what its own systems are known by.
#pragma once

#include <string>

namespace rigidlimit {

/// The name of the running program's file, without its directory; "unknown" where nobody tells.
std::string program_name();

/// A hash of the code that runs: of the build ids that the linker wrote into the program and into
/// every shared library it has loaded but those of the system (below /lib and /usr/lib); of a file
/// without one, of all its bytes. The same for every copy of one build, another one as soon as
/// anything that was compiled into it is another.
const std::string& program_code();

}  // namespace rigidlimit
