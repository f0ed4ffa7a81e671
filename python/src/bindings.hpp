// The parts of the Python module.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/run/stored_run.hpp"

namespace rigidlimit::python {

/// The result of a run: its report, and what the store said.
struct RunResult {
  Report report;
  SolveCounts counts;
  RunEnd end;
  std::string store;  ///< path; empty: none
};

void bind_results(nanobind::module_& module);
void bind_experiments(nanobind::module_& module);

}  // namespace rigidlimit::python
