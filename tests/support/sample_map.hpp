// Small maps that run in a second, and the errors of invalid maps.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/read_damping_map.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit::test {

/// The knife edge of docs/theory.md, section 9, on 14 lines, without a [map].
inline const std::string sample_map_setting = R"([study]
name = "sample"
[system]
name = "knife_edge"
[initial]
v = [0.7, 0.0, 1.3]
[time]
end = 2.0
[epsilon]
from = 4e-3
to = 5e-4
count = 4


)";

inline const std::string sample_map_text = sample_map_setting + R"([map]
damping_ratio = [4.0, 0.5, 1.0]
damping_exponent = [1.0, 2.0]
)";

inline const std::string sample_plane_text = R"([study]
name = "sample_plane"
[system]
name = "knife_edge"
[initial]
v = [0.7, 0.0, 1.3]
[time]
end = 2.0
[solvers]
rtol = 1e-10
atol = 1e-12
[map]
stiffness = {from = 1e4, to = 1e6, count = 3}
damping = [20.0, 200.0]
)";

inline DampingMap map_from(const std::string& text,
                           const std::vector<std::string>& overrides = {}) {
  return read_damping_map(TomlDocument::from_text(text, sample_name, overrides));
}

/// The message of the reader's InputError; empty if the text is valid.
inline std::string complaint_about_map(const std::string& text) {
  try {
    map_from(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline RunOptions two_jobs() {
  return {.jobs = 2, .stop_requested = {}, .on_progress = {}};
}

/// The result of the sample map.
inline const DampingMapResult& sample_map_result() {
  static const DampingMapResult result = run_damping_map(map_from(sample_map_text), two_jobs());
  return result;
}

}  // namespace rigidlimit::test
