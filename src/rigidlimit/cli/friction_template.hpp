// A study file of friction and impacts to start from.
#pragma once

#include <string>

#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// A commented study of `entry` from its own start, every key with unit and meaning; a line
/// "#key = value" states a default. What it claims follows from the rigid motion, which is solved
/// here: its outcome, its events and its modes at the end; and of the compliant motions, as
/// docs/theory.md, section 10, has them,
///
///   no impacts           q of order 2 if all contacts stick in the end, else 1; v of order 1
///                        (unilateral contacts settle more slowly: of v nothing is claimed)
///   impacts              q and v in l1 of order 1, and with restitution v in the sup norm none, up
///                        to the first impact on two surfaces at once; κ = 3/2 with restitution, 2
///                        without
///   forces without potential that do work, or a motion that fails: only the rigid motion
///
/// `name` as read_directory_name() takes it. Throws what the solver of the rigid motion throws.
std::string friction_template(const SystemEntry& entry, const std::string& name);

/// A commented map of modes, of a ball in a groove.
std::string mode_map_template(const std::string& name);

}  // namespace rigidlimit
