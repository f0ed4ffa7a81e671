// From what an author states, in expressions, to the system that everybody reads.
#pragma once

#include "rigidlimit/mechanics/authored_system.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Every function is called while it is recorded, and never again. Without a closed form.
System system_of(const AuthoredSystem& author);

/// The author's system with `contacts` (nc) that roll: held closed, they never slip. A gap g of a
/// bilateral contact gives an exact row and an invariant, N v = 0 and g = 0 behind E v = 0 and
/// e = 0; a given normal force p acts as Nᵀ p in F; the rows G stay what they are, and S has
/// n − ne − m rows with these in ne. Throws InputError where a contact may open, or of S with other
/// rows.
System rolling_system_of(const AuthoredSystem& author, const std::vector<ContactPoint>& contacts);

/// Why contacts cannot be held closed, in words: one may open. Empty: they can.
std::string why_not_held(const std::vector<ContactPoint>& contacts);

/// The system `author` with contacts that slip, open and strike, without a closed history. Throws
/// InputError naming a contact whose rows do not follow those of the one before, or whose friction
/// or restitution cannot be.
FrictionalSystem frictional_system_of(const AuthoredSystem& author,
                                      std::vector<ContactPoint> contacts);

}  // namespace rigidlimit
