#include "rigidlimit/study/make_entry.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

template SystemEntry make_entry<RollingDisk>();

}  // namespace rigidlimit
