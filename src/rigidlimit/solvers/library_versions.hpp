// Which solver libraries this program runs with, for provenance.
#pragma once

#include <string>

namespace rigidlimit {

/// The version of the SUNDIALS library that was loaded, "6.4.1".
std::string sundials_version();

}  // namespace rigidlimit
