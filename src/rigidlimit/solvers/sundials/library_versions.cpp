#include "rigidlimit/solvers/sundials/library_versions.hpp"

#include <sundials/sundials_version.h>

#include <array>

namespace rigidlimit {

std::string sundials_version() {
  std::array<char, 64> text{};
  return SUNDIALSGetVersion(text.data(), static_cast<int>(text.size())) == 0 ? text.data()
                                                                             : "unknown";
}

}  // namespace rigidlimit
