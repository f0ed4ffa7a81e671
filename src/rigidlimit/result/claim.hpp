// A claim about a study, as its result judges it.
#pragma once

#include <string>

#include "rigidlimit/core/value.hpp"

namespace rigidlimit {

enum class ClaimState {
  held,
  failed,
  unjudged  ///< no number exists to judge it: "error" in JUnit
};

constexpr ClaimState state_if(bool held) {
  return held ? ClaimState::held : ClaimState::failed;
}

/// One claim of a study.
struct JudgedClaim {
  std::string name;
  std::string group = {};  ///< group in the verdict's counts: "claims", "expectations", "bounds"
  ClaimState state = ClaimState::held;
  std::string type;     ///< of the failure
  std::string message;  ///< one line
  std::string reason;
  std::string advice = {};  ///< what to do next
  bool proved = false;      ///< it holds by a proof, not within estimated errors
  std::string point = {};   ///< "contact.damping_ratio = 0.5": of a sweep
  Fields swept = {};        ///< the same as fields

  bool held() const { return state == ClaimState::held; }
};

}  // namespace rigidlimit
