// Doubts about a system written as text that do not make it invalid.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/systems/text/system_formulas.hpp"

namespace rigidlimit {

/// Throws InputError, with the place, for a unit that UDUNITS-2 does not know.
void require_units(const SystemText& text);

/// Throws InputError, with the place, for a formula of a body or a joint in another unit than its
/// quantity: an anchor in rad. A text without any unit, and numbers without a name, fit.
void require_units_of_joints(const SystemFormulas& read);

/// "FILE:LINE:COLUMN: system.potential: adds 'k*x' in N and 'm*x' in kg.m": terms of one formula
/// whose units differ, a formula in another unit than its quantity, a term of K* without velocities
/// (a forgotten prime), and a row that is a multiple of another one.
std::vector<std::string> warnings_of(const SystemFormulas& read);

}  // namespace rigidlimit
