// What CMake knows of the program that links the library.
#pragma once

namespace rigidlimit {

/// The compile flags of the project whose program this is, where it found the library by
/// find_package(rigidlimit): cmake/rigidlimitConfig.cmake.in defines it there. Empty: of the
/// shipped program, whose flags are build_flags(), or not known.
const char* program_flags();

}  // namespace rigidlimit
