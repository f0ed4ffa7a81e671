// What a file claims of a motion or a map, and whether it is so.
#pragma once

#include <string>

namespace rigidlimit {

struct Claim {
  std::string text;  ///< "outcome success", "thresholds within 1e-06 of their formulas"
  bool held = false;
  std::string found;
};

}  // namespace rigidlimit
