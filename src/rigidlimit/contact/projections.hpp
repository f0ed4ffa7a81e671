// One solution of a contact problem with many contacts.
#pragma once

#include <optional>

#include "rigidlimit/contact/contact_problem.hpp"

namespace rigidlimit {

/// Gauss-Seidel sweeps over the contacts, each reaction projected onto its law. Every tenth sweep
/// the modes suggested by r and u are solved exactly (continued_solution()). Empty: none found
/// within `max_sweeps`, although one may exist.
std::optional<ContactSolution> solution_by_projections(const ContactProblem& problem,
                                                       double tolerance, int max_sweeps = 20000);

}  // namespace rigidlimit
