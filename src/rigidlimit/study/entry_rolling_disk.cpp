#include "rigidlimit/study/make_entry.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

extern template struct Derivatives<RollingDisk>;
template SystemEntry make_entry<RollingDisk>();

}  // namespace rigidlimit
