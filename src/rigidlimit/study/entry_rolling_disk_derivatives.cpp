#include "rigidlimit/formulations/every_derivative.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

template struct Derivatives<RollingDisk>;

}  // namespace rigidlimit
