// JUnit XML from claims.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/result/claim.hpp"

namespace rigidlimit {

struct JunitSuite {
  std::string name;  ///< of the study
  std::vector<JudgedClaim> cases;
  std::string file = {};  ///< file of the study; empty: unknown
  double seconds = -1.0;  ///< duration; negative: unknown
};

/// Printable text for XML and HTML, also in attributes with double quotes.
std::string xml_escaped(const std::string& text);

/// The document; `errors`: experiments that could not run.
std::string junit_document(const std::vector<JunitSuite>& suites,
                           const std::vector<std::string>& errors);

}  // namespace rigidlimit
