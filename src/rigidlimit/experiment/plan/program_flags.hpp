// Compile flags of the program that links the library, from CMake.
#pragma once

namespace rigidlimit {

/// Compile flags of a project that uses the library by find_package(rigidlimit):
/// cmake/rigidlimitConfig.cmake.in defines them there. Empty: unknown, or the shipped program,
/// which has build_flags().
const char* program_flags();

}  // namespace rigidlimit
