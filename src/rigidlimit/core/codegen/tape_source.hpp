// C source code for tapes.
#pragma once

#include <string>

#include "rigidlimit/core/tape/tape_form.hpp"

namespace rigidlimit {

/// Preamble of a C file: types and the few operations missing in C. Numbers are `lanes` doubles
/// side by side: 1, or 2, 4, 8 of a pack, matching the width of the vector registers.
std::string code_preamble(int lanes);

/// A function
///
///   void NAME(const double* k, const double* x, double* y, const struct functions* f)
///
/// of constants k, in the order of `form.constants`, which writes the results to y. For one lane, x
/// and y are consecutive numbers; for more, they are packs of eight. Functions beyond arithmetic
/// are called through f (core/codegen/tape_code.hpp): the interpreter's functions, so that the
/// results are bit-identical. Compile without fused multiply-adds (-ffp-contract=off).
std::string code_function(const TapeForm& form, const std::string& name);

/// The unique name of the code of a tape.
std::string code_name(ContentKey key, int lanes);

}  // namespace rigidlimit
