// C source code for tapes, compiled at run time by the system's C compiler.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "rigidlimit/core/codegen/tape_code.hpp"
#include "rigidlimit/core/tape/tape_form.hpp"

namespace rigidlimit {

/// Compiler command and code cache. Any problem has the same consequence: no code, and the
/// interpreter runs. Examples are a missing compiler or directory, a directory writable by others,
/// or a modified file.
struct TapeCompiler {
  std::string command;          ///< a program; empty: none
  std::filesystem::path cache;  ///< a directory; empty: none
  /// Time limit of the compiler: about five times that of the longest tape of the catalogue. Beyond
  /// it the compiler and its children are killed, standard error says so, and this process starts
  /// no compiler again.
  std::chrono::seconds patience{10};

  /// RIGIDLIMIT_CC or `cc`, none where RIGIDLIMIT_CC is empty; $XDG_CACHE_HOME/rigidlimit/code, or
  /// ~/.cache/rigidlimit/code.
  static TapeCompiler from_environment();

  /// Code of a tape of this form, cached by the same program, compiler and flags. nullptr: none.
  CodeFunction kept(const TapeForm& form, int lanes) const;
  /// Compiles, caches and loads the code. Several processes and threads may do so at once. nullptr
  /// on failure.
  CodeFunction made(const TapeForm& form, int lanes) const;
};

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
