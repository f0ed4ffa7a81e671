#include "rigidlimit/study/make_quad_pair.hpp"
#include "rigidlimit/systems/knife_edge.hpp"

namespace rigidlimit {

extern template struct Derivatives<KnifeEdge>;
template std::unique_ptr<QuadPair> make_quad_pair<KnifeEdge>(const std::vector<double>& values);

}  // namespace rigidlimit
