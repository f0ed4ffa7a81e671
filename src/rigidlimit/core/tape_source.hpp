// C for tapes.
#pragma once

#include <string>

#include "rigidlimit/core/tape_form.hpp"

namespace rigidlimit {

/// What the functions of one file need: types and the few operations that C does not have. For
/// numbers of `lanes` doubles side by side: 1, or 2, 4, 8 of a pack, for the vector instructions
/// that have registers of so many.
std::string code_preamble(int lanes);

/// A function
///
///   void NAME(const double* k, const double* x, double* y, const struct functions* f)
///
/// of constants k, in the order of `form.constants`, which writes the results to y. Of one lane
/// x and y are numbers one after the other, of more they are packs of eight. What is no arithmetic
/// it calls in f (core/tape_code.hpp): the functions of the interpreter, so that the bits are its
/// own. To be compiled without fused multiply-adds (-ffp-contract=off).
std::string code_function(const TapeForm& form, const std::string& name);

/// The name that the code of a tape has everywhere.
std::string code_name(ContentKey key, int lanes);

}  // namespace rigidlimit
