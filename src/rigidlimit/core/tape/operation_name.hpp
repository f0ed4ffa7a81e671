// Names of the operations of a tape.
#pragma once

#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// "add", "sin", "select": the enumerator.
const char* name_of(Operation operation);

}  // namespace rigidlimit
