// Solutions of problems.
#pragma once

#include <nanobind/nanobind.h>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit::python {

/// A solution and its motion. Those of a reference have error bars, of y and of the multiplier.
struct Solved {
  Solution solution;
  Motion motion;
  MatrixXd error = {};
  MatrixXd multiplier_error = {};
};

void bind_solved(nanobind::module_& module);

}  // namespace rigidlimit::python
