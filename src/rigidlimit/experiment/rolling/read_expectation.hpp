// [[expect]].
#pragma once

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// One table [[expect]]; it may set the study's window "after", once for all (`cut_known`).
ExpectationSpec read_expectation(Section section, RollingStudy& study, bool& cut_known);

/// InputError, at what prevents it, if the study needs the asymptotic expansion (a ratio is
/// expected, or it is compared with the composite) and has none: β ≠ 1, or a sliding start.
void require_prediction(Section& root, const RollingStudy& study);

}  // namespace rigidlimit
