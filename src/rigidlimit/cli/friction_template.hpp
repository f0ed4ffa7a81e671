// The template of a friction study.
#pragma once

#include <string>

#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// A commented study of `entry` from its own start, every key with unit and meaning; a line
/// "#key = value" gives a default. Its claims follow from the rigid motion, which is solved here:
/// outcome, events and final modes. Its expectations on compliant motions follow from
/// docs/theory.md, section 10:
///
///   no impacts           q of order 2 if all contacts stick in the end, else 1; v of order 1
///                        (unilateral contacts settle more slowly: no expectation on v)
///   impacts              q and v in l1 of order 1, v in the sup norm none with restitution, up to
///                        the first impact on two surfaces at once; κ = 3/2 with restitution, 2
///                        without
///   forces without potential that do work, or a motion that fails: only the rigid motion
///
/// `name`: see read_directory_name(). Throws what the solver of the rigid motion throws.
std::string friction_template(const SystemEntry& entry, const std::string& name);

}  // namespace rigidlimit
