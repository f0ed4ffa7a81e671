// The result of a study of friction and impacts for programs. Columns q1, q2, … are the coordinates
// of the system in its order (slip.json names them), v1, … its velocities, lambda1, … the m
// components of friction and p1, … the normal forces of its contacts.
#pragma once

#include <vector>

#include "rigidlimit/record/document.hpp"
#include "rigidlimit/slip/slip_result.hpp"

namespace rigidlimit {

/// Errors; events of the rigid motion, of Moreau and Jean's motions where there are some, and their
/// times in the compliant ones; rigid (epsilon 0) and compliant motions.
std::vector<DataTable> slip_tables(const SlipResult& result);

/// Everything but the motions, with where it comes from.
Document document_of(const SlipResult& result);

}  // namespace rigidlimit
