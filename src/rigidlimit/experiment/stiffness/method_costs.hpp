// The cost of methods for the compliant motion of a study.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/stiffness/wanted_error.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The loosest tolerance at which a method's own error is at most a tenth of every wanted error.
struct MethodCost {
  const OdeMethod* method = nullptr;
  std::string formulation;
  double rtol = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no tolerance is tight enough
  Work work = {};
  double seconds = std::numeric_limits<double>::quiet_NaN();  ///< processor time of one solve
  std::string reason = {};  ///< why there is none: of the tightest tolerance
};

/// The cost of every method, in natural and, with a spring, in adapted variables, at the study's
/// ε: the loosest of the tolerances 1e-2, 1e-3, …, 1e-11 at which its error at 100 times is at most
/// a tenth of every wanted size, whatever its norm.
std::vector<MethodCost> method_costs(const RollingStudy& study,
                                     const std::vector<WantedError>& wanted,
                                     const std::vector<const OdeMethod*>& methods,
                                     const RunOptions& options);

/// The methods of these names of the catalogue; "all": every one. Throws InputError.
std::vector<const OdeMethod*> methods_named(const std::vector<std::string>& names);

/// A method of each family: the default of the command line.
std::vector<std::string> methods_of_each_family();

}  // namespace rigidlimit
