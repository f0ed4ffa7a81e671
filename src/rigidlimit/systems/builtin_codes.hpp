// Machine code for the catalogue's equations.
#pragma once

#include <span>

#include "rigidlimit/core/codegen/tape_code.hpp"

namespace rigidlimit {

/// Code compiled with the library, from C written by cmake/write_tape_codes.cpp. It covers the
/// tapes that solves use, in double and in packs for each set of vector instructions: built-in
/// systems with default parameters and with generic ones. In double it also covers the classical
/// problems and trains of sleighs. builtin_systems() registers it.
std::span<const BuiltinCode> builtin_codes();

}  // namespace rigidlimit
