// A problem from its name or its study file, to be written as source code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/codegen/written_problem.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// Texts of a command line; empty or nullopt: the default.
struct ProblemChoice {
  std::string name;                    ///< a classical problem, or a study file
  std::vector<std::string> overrides;  ///< "KEY=VALUE" of a file, "PARAMETER=NUMBER" of a problem
  std::string side = {};               ///< "compliant", "rigid"
  std::string variables = {};          ///< "natural", "adapted"
  std::string law = {};                ///< of the study; its first one
  std::optional<double> epsilon = {};  ///< 1e-3
  bool free_law = false;               ///< epsilon, beta, C and D are arguments
  std::string reference = {};          ///< "quad", "double" (classical problems), "none"
  std::function<bool()> stop_requested = {};  ///< ends the solves of the reference
};

/// Throws InputError for an unknown name, for choices that the problem does not have, and for
/// equations that are not recorded as one right-hand side.
WrittenProblem problem_to_write(const ProblemChoice& choice, const SystemCatalogue& systems);

}  // namespace rigidlimit
