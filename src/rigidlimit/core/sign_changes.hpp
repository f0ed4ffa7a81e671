// Sign changes of functions of one argument.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// A place at which functions change their sign.
struct SignChange {
  double t;
  std::vector<Index> which;  ///< of the functions, increasing
};

/// The sign changes of count functions in (from, to), increasing, to the last bit: each function of
/// `which` is negative (or NaN) on one side of t and ≥ 0 on the other. `values(t)` has one entry
/// per function. The signs are compared on 100 000 intervals of equal length: a function that
/// changes its sign twice within one is not found.
std::vector<SignChange> sign_changes(Index count, const std::function<VectorXd(double)>& values,
                                     double from, double to);

}  // namespace rigidlimit
