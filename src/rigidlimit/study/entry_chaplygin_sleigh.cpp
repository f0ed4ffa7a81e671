#include "rigidlimit/study/make_entry.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"

namespace rigidlimit {

template SystemEntry make_entry<ChaplyginSleigh>();

}  // namespace rigidlimit
