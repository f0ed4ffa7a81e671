// Properties of this build, in a source file written by CMake.
#pragma once

namespace rigidlimit {

const char* build_version();     ///< "0.2.0"
const char* build_commit();      ///< git commit, "+" for a modified tree; "unknown" outside git
const char* build_compiler();    ///< "GNU 12.2.0"
const char* build_flags();       ///< optimisation and other compile flags
const char* build_physics();     ///< hash of the sources that the result of a solve depends on
const char* build_comparison();  ///< the same for the comparison of two motions

}  // namespace rigidlimit
