// Solves by Python functions that are running, so that an endless one can be ended.
#pragma once

#include <nanobind/nanobind.h>

namespace rigidlimit::python {

/// Raises TimeoutError in every running solve by a Python function that is over its time limit, and
/// in all of them if `stopped`. Python sees it between two of its instructions. With the GIL.
void end_late_methods(bool stopped);

}  // namespace rigidlimit::python
