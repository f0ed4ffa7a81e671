// A problem as an ES module of JavaScript.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/codegen/written_problem.hpp"

namespace rigidlimit {

/// problem_source() in JavaScript. Matrices are flat, row by row.
std::string javascript_source(const WrittenProblem& problem,
                              const std::vector<std::string>& origin);

}  // namespace rigidlimit
