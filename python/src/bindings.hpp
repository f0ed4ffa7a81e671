// The parts of the Python module.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/store/stored_run.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit::python {

/// The result of a run, and what the store said.
struct RunResult {
  Result result;
  RunEnd end;
  std::string store;  ///< path; empty: none
};

/// An experiment and the document that it was read from, which with_() changes.
struct ReadExperiment {
  TomlDocument document;
  Experiment experiment;
};

void bind_results(nanobind::module_& module);
void bind_store(nanobind::module_& module);
void bind_own_methods(nanobind::module_& module);
void bind_experiments(nanobind::module_& module);
/// These need bind_experiments().
void bind_parts(nanobind::module_& module);
void bind_problems(nanobind::module_& module);
/// Needs bind_problems().
void bind_residual_problem(nanobind::module_& module);
void bind_predicted(nanobind::module_& module);
void bind_judge(nanobind::module_& module);
void bind_command_line(nanobind::module_& module);

}  // namespace rigidlimit::python
