// What figures show beside the motions themselves.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

struct RollingStudy;
struct Solves;

/// One quantity over time.
///
///   subject     name                        of
///   rigid       "sliding"       m × K       G v, m/s: how far the constraint is kept
///               "energy_error"  1 × K, J    E(t) − E(0) − work
///   compliant   "sliding"       m × K       G v
///               "energy_defect" 1 × K, J    EnergyBalance::defect
///   predicted   "q", "v", "lambda"          leading terms of compliant − rigid
///               "composite.q", …            all known terms
struct Curve {
  std::string subject;
  std::string law;     ///< empty for the rigid side
  std::string solver;  ///< empty for what is predicted
  double epsilon;      ///< NaN for the rigid side
  std::string name;
  std::string grid;  ///< hash of its times (grid_hash)
  MatrixXd values;   ///< a column a time
};

/// Of every rigid solver that is judged; of the first compliant solver of each law, and of the
/// prediction, at eight values of ε at most, the largest and the smallest among them.
std::vector<Curve> curves_of(const RollingStudy& study, const Solves& solves);

}  // namespace rigidlimit
