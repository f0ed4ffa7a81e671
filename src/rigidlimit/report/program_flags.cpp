#include "rigidlimit/report/program_flags.hpp"

namespace rigidlimit {

// Weak: the definition of a project that links the library comes before it.
__attribute__((weak)) const char* program_flags() {
  return "";
}

}  // namespace rigidlimit
