// The Python module rigidlimit._core: experiments, their results, judgements of series, and the
// command line.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "bindings.hpp"
#include "rigidlimit/core/error.hpp"

namespace nb = nanobind;

namespace {

/// Raises rigidlimit.errors.InputError(message, place).
void raise_input_error(const std::exception_ptr& caught, void* /*unused*/) {
  try {
    std::rethrow_exception(caught);
  } catch (const rigidlimit::InputError& error) {
    const nb::object type = nb::module_::import_("rigidlimit.errors").attr("InputError");
    const nb::object raised = type(error.message(), error.where());
    PyErr_SetObject(type.ptr(), raised.ptr());
  } catch (const std::invalid_argument& error) {  // of convergence/
    const nb::object type = nb::module_::import_("rigidlimit.errors").attr("InputError");
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() =
      "Experiments of rigidlimit, their results, judgements of series, and the command line, in "
      "C++.";
  nb::set_leak_warnings(false);  // methods outlive the interpreter
  nb::register_exception_translator(raise_input_error);
  rigidlimit::python::bind_results(module);
  rigidlimit::python::bind_store(module);
  rigidlimit::python::bind_own_methods(module);
  rigidlimit::python::bind_experiments(module);
  rigidlimit::python::bind_parts(module);
  rigidlimit::python::bind_problems(module);
  rigidlimit::python::bind_residual_problem(module);
  rigidlimit::python::bind_predicted(module);
  rigidlimit::python::bind_judge(module);
  rigidlimit::python::bind_command_line(module);
}
