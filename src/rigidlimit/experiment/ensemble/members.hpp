// The members of an ensemble: drawn numbers, starts and contacts.
#pragma once

#include <string>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/compliant/adapted_lanes.hpp"

namespace rigidlimit {

/// The varied numbers of all members in their units: a row for each number, a column for each
/// member. Column 0 is the study itself.
MatrixXd drawn_numbers(const RollingStudy& study);

/// Start and contact of a member with these varied numbers, of the system EnsembleSpec::model: q
/// and v are those of the study with the varied entries, and v is projected onto G v = 0 by the
/// least change in kinetic energy. D follows from the damping ratio at the start of the member.
LaneMember member_with(const RollingStudy& study, const VectorXd& numbers);

/// Why a study has no ensemble member with these numbers: outside a range, or off the invariants
/// and joints; empty: it has.
std::string fault_of_member(const RollingStudy& study, const VectorXd& numbers);

}  // namespace rigidlimit
