#include "rigidlimit/study/make_entry.hpp"
#include "rigidlimit/systems/knife_edge.hpp"

namespace rigidlimit {

extern template struct Derivatives<KnifeEdge>;
template SystemEntry make_entry<KnifeEdge>();

}  // namespace rigidlimit
