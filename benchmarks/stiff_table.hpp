// Speed at equal achieved error, measured in one run and written as Markdown.
#pragma once

#include <string>
#include <vector>

#include "equal_error.hpp"

namespace rigidlimit {

/// A method in one formulation.
struct Contestant {
  const OdeMethod* method;
  Formulation formulation;
};

/// radau_iia, radau_iia_7 and cvode_bdf in both formulations, the adapted one first.
std::vector<Contestant> contestants();

/// The ε of the comparison: 1e-2, 1e-3, …, 1e-8.
std::vector<double> compared_epsilons();

/// Solves `study` with every contestant at every ε, and returns three tables in Markdown: the
/// times, all measurements, and the distances between references. A time is the smallest processor
/// time of at least 20 solves. The contestants at the same ε take turns, so that other load of the
/// machine affects all equally.
std::string equal_error_report(const RollingStudy& study);

}  // namespace rigidlimit
