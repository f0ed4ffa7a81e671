// The part of a study file that says what its numbers must satisfy.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Which of a study's series: the first keys of [[expect]] and [[bound]].
struct SeriesKeys {
  std::string law;
  Measure measure;
};

/// Reads law (which may be missing where the study has one), quantity, norm and window or after. A
/// study has one cut: the first `after` sets study.after and cut_known, and a second one that
/// differs is refused.
SeriesKeys read_series_keys(Section& section, RollingStudy& study, bool& cut_known);

/// Reads one [[bound]]: `constant` and `power` (K ε^p, for the model error), `solver_error` (a
/// ceiling), or both; `epsilon = [lo, hi]`, in either order, for all of it.
std::vector<BoundSpec> read_bounds(Section section, RollingStudy& study, bool& cut_known);

}  // namespace rigidlimit
