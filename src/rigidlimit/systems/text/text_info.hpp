// The description of a system written as text: names, units, and its equations in the author's
// words.
#pragma once

#include "rigidlimit/systems/text/system_formulas.hpp"

namespace rigidlimit {

/// Without the start, which depends on the parameters.
SystemInfo info_of(const SystemFormulas& read);

}  // namespace rigidlimit
