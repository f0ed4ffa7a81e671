// Machine code that is made while a program runs, by the system's C compiler.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "rigidlimit/core/tape_code.hpp"

namespace rigidlimit {

/// Who compiles, and where what was compiled is kept. Whatever is not as it should be, no compiler,
/// no directory, one that somebody else may write to, a file that is not what it was, has one
/// consequence: there is no code, and the interpreter serves.
struct TapeCompiler {
  std::string command;          ///< a program; empty: none
  std::filesystem::path cache;  ///< a directory; empty: none
  /// After which the compiler is stopped: some thirty times what the longest tape of the catalogue
  /// takes.
  std::chrono::seconds patience{60};

  /// RIGIDLIMIT_CC or `cc`, none where RIGIDLIMIT_CC is empty; $XDG_CACHE_HOME/rigidlimit/code, or
  /// ~/.cache/rigidlimit/code.
  static TapeCompiler from_environment();

  /// What was compiled before, by this program, compiler and flags, for a tape of this form.
  /// nullptr: nothing.
  CodeFunction kept(const TapeForm& form, int lanes) const;
  /// Compiles, keeps and loads it. Several processes and threads may do so at once. nullptr where
  /// that cannot be done.
  CodeFunction made(const TapeForm& form, int lanes) const;
};

}  // namespace rigidlimit
