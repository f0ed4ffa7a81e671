// JUnit XML of whatever has cases that hold or fail.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit {

/// One claim of a study.
struct JunitCase {
  std::string name;
  std::string group = {};  ///< what a verdict counts it as: "claims", "expectations", "bounds"
  bool failed = false;
  bool unjudged = false;  ///< failed because there is not one number to judge: JUnit's "error"
  std::string type;       ///< of the failure
  std::string message;    ///< one line
  std::string reason;
  std::string advice = {};  ///< what to do about it
};

struct JunitSuite {
  std::string name;  ///< the study's
  std::vector<JunitCase> cases;
  std::string file = {};  ///< that the study was read from; empty: not known
  double seconds = -1.0;  ///< that it took; negative: not known
};

/// The document; `errors`: what could not be run.
std::string junit_document(const std::vector<JunitSuite>& suites,
                           const std::vector<std::string>& errors);

}  // namespace rigidlimit
