// Values of a table as columns of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "rigidlimit/core/value.hpp"

namespace rigidlimit::python {

/// A str; bytes that are not UTF-8 become U+FFFD.
nanobind::str text_of(const std::string& text);

nanobind::list list_of(const std::vector<Value>& values);

/// float64 if it has numbers (None is NaN), int64 if it has counts alone, else a list. Without any
/// value: a list, or float64 if the column is declared as one of `numbers`.
nanobind::object column_of(const std::vector<Value>& values, bool numbers = false);

}  // namespace rigidlimit::python
