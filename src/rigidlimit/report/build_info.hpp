// What the build system knows about this build; the file behind it is written by CMake.
#pragma once

namespace rigidlimit {

const char* build_version();   ///< "0.1.0"
const char* build_commit();    ///< git commit, "+" if the tree was changed; "unknown" outside git
const char* build_compiler();  ///< "GNU 12.2.0"
const char* build_flags();     ///< optimisation and other compile flags
const char* build_physics();   ///< hash of the sources that the result of a solve depends on

}  // namespace rigidlimit
