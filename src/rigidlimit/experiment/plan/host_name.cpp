#include "rigidlimit/experiment/plan/host_name.hpp"

#include <sys/utsname.h>

namespace rigidlimit {

std::string host_name() {
  utsname system{};
  return uname(&system) == 0 ? system.nodename : "unknown";
}

}  // namespace rigidlimit
