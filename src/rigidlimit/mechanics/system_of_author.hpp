// From what an author states, in expressions, to the system that everybody reads.
#pragma once

#include "rigidlimit/mechanics/authored_system.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Every function is called while it is recorded, and never again. Without a closed form.
System system_of(const AuthoredSystem& author);

}  // namespace rigidlimit
