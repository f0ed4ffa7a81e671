// What `rigidlimit describe SYSTEM` says.
#pragma once

#include "rigidlimit/cli/verbs.hpp"

namespace rigidlimit {

/// Texts, parameters, components and the state looked at: energies, contact forces, rank; with
/// verb.linearise the small motions about it. Throws InputError for a parameter that the system
/// does not have, a value outside its range, or a state of another size.
void describe_system(const SystemEntry& entry, const DescribeVerb& verb);

}  // namespace rigidlimit
