// A method that is another program.
#pragma once

#include <optional>
#include <string>

#include "rigidlimit/core/codegen/source_language.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

struct ProgramOptions {
  double time_limit = 60.0;                ///< s of the clock for one solve
  std::optional<SourceLanguage> language;  ///< of the equations in the request; nullopt: without
};

/// The method of a program that speaks the protocol of docs/protocol.md on its standard input and
/// output. It is started for every solve, in a process group of its own, and killed at the end of
/// the solve, behind the time limit and after a stop request. Its failures are outcomes of
/// that solve; with a language, an equation that is not recorded is one. OwnMethod::content has
/// the bytes of the file and the options. Throws InputError if the file cannot be read or executed.
OwnMethod program_method(const std::string& name, const std::string& path,
                         const ProgramOptions& program = {});

}  // namespace rigidlimit
