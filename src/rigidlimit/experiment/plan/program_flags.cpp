#include "rigidlimit/experiment/plan/program_flags.hpp"

namespace rigidlimit {

// Weak: the definition in a project that links the library takes precedence.
__attribute__((weak)) const char* program_flags() {
  return "";
}

}  // namespace rigidlimit
