// JUnit XML from cases that hold or fail.
#pragma once

#include <string>
#include <vector>

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
struct JunitCase {
  std::string name;
  std::string group = {};  ///< group in the verdict's counts: "claims", "expectations", "bounds"
  ClaimState state = ClaimState::held;
  std::string type;     ///< of the failure
  std::string message;  ///< one line
  std::string reason;
  std::string advice = {};  ///< what to do next
  std::string point = {};   ///< "contact.damping_ratio = 0.5": of a sweep
  Fields swept = {};        ///< the same as fields

  bool held() const { return state == ClaimState::held; }
};

struct JunitSuite {
  std::string name;  ///< of the study
  std::vector<JunitCase> cases;
  std::string file = {};  ///< file of the study; empty: unknown
  double seconds = -1.0;  ///< duration; negative: unknown
};

/// Printable text for XML and HTML, also in attributes with double quotes.
std::string xml_escaped(const std::string& text);

/// The document; `errors`: experiments that could not run.
std::string junit_document(const std::vector<JunitSuite>& suites,
                           const std::vector<std::string>& errors);

}  // namespace rigidlimit
