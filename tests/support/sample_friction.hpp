// A small study of friction that runs in a second.
#pragma once

#include <string>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"

namespace rigidlimit::test {

/// The wheel of docs/theory.md, section 10; it slips until t* = 0.2421 s.
inline const std::string sample_friction_text = R"([study]
name = "sample"
question = "When does it roll?"
[system]
name = "wheel"
radius = 0.1
drag = 0.0
[contact]
tangential_stiffness = 1.0
[epsilon]
from = 1e-2
to = 1.25e-3
count = 4
[time]
end = 0.6
samples = 61
[solvers]
moreau_jean = [1e-3, 5e-4]
[history]
events = "stick ground"
[[expect]]
quantity = "q"
order = 2.0
within = 0.1
[[expect]]
quantity = "v"
order = 1.0
within = 0.1
)";

inline FrictionStudy sample_friction(const std::vector<std::string>& overrides = {}) {
  return read_friction_study(
      TomlDocument::from_text(sample_friction_text, "sample.toml", overrides));
}

}  // namespace rigidlimit::test
