// References as data for other programs: JSON records of problems with their end values.
#pragma once

#include <string>

#include "rigidlimit/core/codegen/written_problem.hpp"

namespace rigidlimit {

/// One record of the problem, a JSON object:
///
///   problem, title, facts (source, parameters, law: a line each), t0, t1,
///   names, units, y0,
///   reference, reference_error (N numbers each), how
///
/// Numbers have the digits that give back the same double. Without a reference the two lists are
/// null, and `how` has the reason.
std::string reference_record(const WrittenProblem& problem);

/// Takes the reference of `problem` from `file`, a JSON array of records: of the first one whose
/// entries up to y0 are equal. Throws InputError for another file, if no record is of this problem,
/// and for one without its reference or `how`.
void read_reference(WrittenProblem& problem, const std::string& file);

}  // namespace rigidlimit
