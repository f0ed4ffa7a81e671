// One answer of a contact problem with many contacts.
#pragma once

#include <optional>

#include "rigidlimit/complementarity/contact_problem.hpp"

namespace rigidlimit {

/// Gauss and Seidel's sweeps over the contacts, each reaction projected onto its law; every tenth
/// sweep the modes that r and u suggest are tried exactly (continued_solution()). Empty: no such
/// answer within `max_sweeps`, which says nothing of whether there is one.
std::optional<ContactSolution> solution_by_projections(const ContactProblem& problem,
                                                       double tolerance, int max_sweeps = 20000);

}  // namespace rigidlimit
