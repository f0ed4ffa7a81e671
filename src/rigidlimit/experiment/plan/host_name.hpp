// Name of this machine.
#pragma once

#include <string>

namespace rigidlimit {

/// The name that uname gives; "unknown" if it fails.
std::string host_name();

}  // namespace rigidlimit
