#include "rigidlimit/study/make_entry.hpp"
#include "rigidlimit/systems/knife_edge.hpp"

namespace rigidlimit {

template SystemEntry make_entry<KnifeEdge>();

}  // namespace rigidlimit
