#include "rigidlimit/study/make_entry.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"

namespace rigidlimit {

extern template struct Derivatives<ChaplyginSleigh>;
template SystemEntry make_entry<ChaplyginSleigh>();

}  // namespace rigidlimit
