// The command line of the program, in the process of Python.
#include "rigidlimit/cli/command_line.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings.hpp"

namespace nb = nanobind;

namespace rigidlimit::python {

namespace {

int run_arguments(const std::vector<std::string>& arguments) {
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  return run_command_line(static_cast<int>(arguments.size()), words.data());
}

}  // namespace

void bind_command_line(nb::module_& module) {
  module.def("run_command_line", &run_arguments, nb::arg("arguments"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Run the program with these arguments, the first of which is its name. Return the "
             "exit status.");
}

}  // namespace rigidlimit::python
