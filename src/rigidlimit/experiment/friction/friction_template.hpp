// The template of a friction study, for `init`.
#pragma once

#include <string>

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// A friction study of `entry` from its own start. Its claims follow from the rigid motion, which
/// is solved here: outcome, events and final modes. Its expectations on compliant motions follow
/// from docs/theory.md, section 10:
///
///   no impacts           q of order 2 if all contacts stick in the end, else 1; v of order 1
///                        (unilateral contacts settle more slowly: no expectation on v)
///   impacts              q and v in l1 of order 1, v in the sup norm none with restitution, up to
///                        the first impact on two surfaces at once; κ = 3/2 with restitution, 2
///                        without
///   forces without potential that do work, or a motion that fails: only the rigid motion
///
/// Throws what the solver of the rigid motion throws.
std::string friction_template(const SystemEntry& entry, const std::string& name);

}  // namespace rigidlimit
