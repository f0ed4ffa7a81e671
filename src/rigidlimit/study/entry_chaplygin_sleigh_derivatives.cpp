#include "rigidlimit/formulations/every_derivative.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"

namespace rigidlimit {

template struct Derivatives<ChaplyginSleigh>;

}  // namespace rigidlimit
