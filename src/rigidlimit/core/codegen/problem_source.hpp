// A problem as source code that depends on nothing of this library.
#pragma once

#include <string>

#include "rigidlimit/core/codegen/source_language.hpp"
#include "rigidlimit/core/codegen/written_problem.hpp"

namespace rigidlimit {

/// A file with the constants of the problem, rhs, jacobian, the mass matrix if there is one, the
/// check values, the reference, and a main part. The main part compares f and J·1 with the check
/// values and ends with status 1 if one differs by more than 1e-12 of its size: the sum of the
/// absolute values of its terms, |f_i| + sum_k |J_ik y_k| or sum_k |J_ik|, and a thousandth of the
/// largest such sum, because a value that is 0 by cancellation has no size of its own.
///
/// C99; Python with NumPy; Fortran (F2008); JavaScript (ES modules).
/// `origin`: lines of the head comment that say what wrote the file.
std::string problem_source(const WrittenProblem& problem, SourceLanguage language,
                           const std::vector<std::string>& origin);

}  // namespace rigidlimit
