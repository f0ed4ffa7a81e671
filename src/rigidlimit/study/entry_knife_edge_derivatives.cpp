#include "rigidlimit/formulations/every_derivative.hpp"
#include "rigidlimit/systems/knife_edge.hpp"

namespace rigidlimit {

template struct Derivatives<KnifeEdge>;

}  // namespace rigidlimit
