// A small study that runs in milliseconds, and the errors of invalid studies.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

namespace rigidlimit::test {

/// The file name of the texts below in messages.
inline const std::string sample_name = "sample.toml";

/// The knife edge of docs/theory.md, section 9, with ε from 1e-2 to 1e-3. Tests depend on the line
/// numbers: every table is on separate lines, and tests append after the last line.
inline const std::string sample_text = R"([study]
name = "sample"
[system]
name = "knife_edge"
[initial]
v = [0.7, 0.0, 1.3]
[contact]
stiffness = 1.0
[epsilon]
from = 1e-2
to = 1e-3
count = 5
[time]
end = 2.0
[solvers]
rtol = 1e-10
atol = 1e-12
)";

/// The three sup-norm orders of the sample over all t: 2, 1, 0.
inline const std::string sample_expectations = R"([[expect]]
quantity = "q"
order = 2.0
[[expect]]
quantity = "v"
order = 1.0
[[expect]]
quantity = "lambda"
order = 0.0
)";

inline RollingStudy study_from(const std::string& text,
                               const std::vector<std::string>& overrides = {}) {
  return read_rolling_study(TomlDocument::from_text(text, sample_name, overrides));
}

/// The sample with another name, for runs of two studies.
inline std::string renamed(std::string text, const std::string& name) {
  return text.replace(text.find("\"sample\""), 8, "\"" + name + "\"");
}

inline RollingStudy sample_study(const std::vector<std::string>& overrides = {}) {
  return study_from(sample_text + sample_expectations, overrides);
}

/// The sample without a stiffness, which laws without a spring reject.
inline RollingStudy springless_study(const std::vector<std::string>& overrides) {
  std::string text = sample_text + sample_expectations;
  const std::string key = "stiffness = 1.0";
  return study_from(text.erase(text.find(key), key.size()), overrides);
}

/// The message of the reader's InputError; empty if the text is valid.
inline std::string complaint_about(const std::string& text,
                                   const std::vector<std::string>& overrides = {}) {
  try {
    study_from(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace rigidlimit::test
