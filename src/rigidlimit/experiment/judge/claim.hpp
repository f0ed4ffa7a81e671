// A claim of a file about a motion or a map, with its result.
#pragma once

#include <string>

namespace rigidlimit {

struct Claim {
  std::string text;  ///< "outcome success", "thresholds within 1e-06 of their formulas"
  bool held = false;
  std::string found;
};

}  // namespace rigidlimit
