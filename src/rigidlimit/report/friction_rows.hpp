// The result of a friction study in machine-readable form. Columns q1, q2, … are the coordinates of
// the system in its order (result.json names them), v1, … its velocities, lambda1, … the m
// components of friction and p1, … the normal forces of its contacts.
#pragma once

#include <vector>

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// Errors; events of the rigid motion and of Moreau and Jean's motions (if any); their times in the
/// compliant motions; rigid (epsilon 0) and compliant motions; their modes (if the study asks).
std::vector<DataTable> friction_tables(const FrictionResult& result);

/// The modes of all motions.
DataTable mode_rows(const FrictionResult& result);

/// The parts of the document that only friction studies have; without motions.
Document document_of(const FrictionResult& result, DataTable errors);

}  // namespace rigidlimit
