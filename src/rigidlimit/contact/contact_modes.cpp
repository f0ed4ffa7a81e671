#include "rigidlimit/contact/contact_problem.hpp"

namespace rigidlimit {

const char* name_of(ContactMode mode) {
  switch (mode) {
    case ContactMode::free: return "free";
    case ContactMode::stick: return "stick";
    case ContactMode::slip: return "slip";
  }
  return "unknown";
}

}  // namespace rigidlimit
