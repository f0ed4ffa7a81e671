#include "rigidlimit/study/make_quad_pair.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

extern template struct Derivatives<RollingDisk>;
template std::unique_ptr<QuadPair> make_quad_pair<RollingDisk>(const std::vector<double>& values);

}  // namespace rigidlimit
