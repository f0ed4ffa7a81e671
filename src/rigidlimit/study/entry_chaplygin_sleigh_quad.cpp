#include "rigidlimit/study/make_quad_pair.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"

namespace rigidlimit {

extern template struct Derivatives<ChaplyginSleigh>;
template std::unique_ptr<QuadPair> make_quad_pair<ChaplyginSleigh>(
    const std::vector<double>& values);

}  // namespace rigidlimit
