// Readers of [[bound]], and of the keys that [[bound]] and [[expect]] share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The series that a table [[expect]] or [[bound]] concerns: its first keys.
struct SeriesKeys {
  std::string law;
  Measure measure;
};

/// Reads `law`, optional for a study with one law.
std::string read_law(Section& section, const RollingStudy& study);

/// Reads `epsilon = [lo, hi]`, in either order; the smaller end is first.
std::pair<double, double> read_epsilon_interval(Section& section);

/// Reads law (optional for a study with one law), quantity, norm, and window or after. A study has
/// one cut: the first `after` sets study.after and cut_known; a second, different one is an error.
SeriesKeys read_series_keys(Section& section, const Key& quantity, RollingStudy& study,
                            bool& cut_known);

/// Reads one [[bound]]: `constant` and `power` (K ε^p, for the model error), `solver_error` (a
/// maximum), or both; `epsilon = [lo, hi]`, in either order, applies to both.
std::vector<BoundSpec> read_bounds(Section section, RollingStudy& study, bool& cut_known);

}  // namespace rigidlimit
