// Versions of the solver libraries at run time, for provenance.
#pragma once

#include <string>

namespace rigidlimit {

/// The version of the loaded SUNDIALS library, "6.4.1".
std::string sundials_version();

}  // namespace rigidlimit
