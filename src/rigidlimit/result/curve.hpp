#pragma once

#include <string>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// One quantity as a function of time.
///
///   subject     name                        of
///   rigid       "sliding"       m × K       G v, m/s: violation of the constraint
///               "energy_error"  1 × K, J    E(t) − E(0) − work
///   compliant   "sliding"       m × K       G v
///               "energy_defect" 1 × K, J    EnergyBalance::defect
///   predicted   "q", "v", "lambda"          leading terms of compliant − rigid; also "gap"
///               "composite.q", …            all known terms
struct Curve {
  std::string subject;
  std::string law;     ///< empty for the rigid side
  std::string solver;  ///< empty for a prediction
  double epsilon;      ///< NaN for the rigid side
  std::string name;
  std::string grid;  ///< hash of its times (grid_hash)
  MatrixXd values;   ///< one column per time
};

}  // namespace rigidlimit
