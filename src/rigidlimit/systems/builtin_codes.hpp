// Machine code for the catalogue's equations.
#pragma once

#include <span>

#include "rigidlimit/core/tape_code.hpp"

namespace rigidlimit {

/// Compiled when the library is built, from C that cmake/write_tape_codes.cpp writes: in double and
/// in packs for each set of vector instructions what solves ask of the built-in systems, with their
/// default parameters and with parameters of no special value, and in double what they ask of the
/// classical problems and of trains of sleighs. builtin_systems() offers it.
std::span<const BuiltinCode> builtin_codes();

}  // namespace rigidlimit
