// Makes a System from an author's expressions.
#pragma once

#include "rigidlimit/mechanics/authored_system.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Every function is called once, for recording. The system has no closed form.
System system_of(const AuthoredSystem& author);

/// The author's system with `contacts` (nc) that roll: they stay closed and never slip. The gap g
/// of a bilateral contact gives an exact row N v = 0 and an invariant g = 0, behind E v = 0 and e =
/// 0. A given normal force p acts as Nᵀ p in F. The rows G are unchanged, and S has n − ne − m rows
/// with the enlarged ne. Throws InputError if a contact may open or S has another number of rows.
System rolling_system_of(const AuthoredSystem& author, const std::vector<ContactPoint>& contacts);

/// Reason why contacts cannot be held closed and roll: one may open, or none has a sliding row.
/// Empty: they can.
std::string why_not_held(const std::vector<ContactPoint>& contacts);

/// The system `author` with contacts that slip, open and impact, without a closed form. Throws
/// InputError with the contact if its rows do not follow those of the previous one, or if its
/// friction or restitution is invalid.
FrictionalSystem frictional_system_of(const AuthoredSystem& author,
                                      std::vector<ContactPoint> contacts);

}  // namespace rigidlimit
