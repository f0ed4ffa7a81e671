// The classical problems, to be written as source code.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/codegen/written_problem.hpp"

namespace rigidlimit {

struct ClassicalSourceOptions {
  bool with_reference = true;
  bool in_quad = true;                        ///< false: all solves of the reference in double
  std::function<bool()> stop_requested = {};  ///< ends the solves of the reference
};

/// The problem with these parameter values: y' = f(t, y), or M y' = f(t, y) of a DAE. The reference
/// is certified_reference() (experiment/benchmark/certified_reference.hpp), its error the largest
/// distance between its solves in 113 bits (or in double), and the rounding to double.
WrittenProblem classical_source(const ClassicalEntry& entry, const std::vector<double>& parameters,
                                const ClassicalSourceOptions& options);

}  // namespace rigidlimit
