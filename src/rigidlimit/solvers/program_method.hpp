// A method that is another program.
#pragma once

#include <string>

#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

/// The method of a program that speaks the protocol of docs/protocol.md on its standard input and
/// output. It is started for every solve, in a process group of its own, and killed at the end of
/// the solve, behind `time_limit` [s] and after a stop request. Its failures are outcomes of
/// that solve. `content` is a hash of the file. Throws InputError if the file cannot be read or
/// executed.
OwnMethod program_method(const std::string& name, const std::string& path, double time_limit);

}  // namespace rigidlimit
