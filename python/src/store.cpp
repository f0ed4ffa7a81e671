// The contents of a store as columns and arrays.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "columns.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/store/stored_tables.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

nb::dict columns_of(const StoredTable& table) {
  nb::dict found;
  for (const StoredColumn& column : table)
    found[text_of(column.name)] =
        column.text ? nb::object(list_of(column.values)) : column_of(column.values, true);
  return found;
}

nb::object study_of(const StoredTables& store) {
  const std::optional<StoredStudy> study = store.study();
  if (!study) return nb::none();
  nb::dict found;
  found["name"] = text_of(study->name);
  found["resolved"] = text_of(study->resolved);
  found["hash"] = text_of(study->hash);
  found["result"] = study->result ? nb::object(text_of(*study->result)) : nb::none();
  found["complete"] = study->complete;
  return found;
}

nb::dict samples_of(const StoredTables& store, const std::string& key) {
  nb::dict found;
  for (NamedSamples& samples : store.samples(key))
    found[text_of(samples.name)] = array_of(std::move(samples.values));
  return found;
}

nb::tuple curve_of(const StoredTables& store, std::size_t index) {
  StoredCurve curve = store.curve(index);
  return nb::make_tuple(array_of(std::move(curve.times)), array_of(std::move(curve.values)));
}

}  // namespace

void bind_store(nb::module_& module) {
  nb::class_<StoredTables>(
      module, "StoredTables",
      "A store (results.db), opened for reading after a check of its schema and checksums.\n\n"
      "InputError, with the path, if it is missing, is not a store, or is damaged.")
      .def(nb::init<const std::string&>(), nb::arg("path"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("study", study_of, nb::sig("def study(self) -> dict[str, object] | None"),
           "name, resolved, hash, result (JSON or None) and complete of the study of the last run; "
           "None: no run has begun.")
      .def("names", &StoredTables::names, "The names of the tables.")
      .def(
          "table",
          [](const StoredTables& store, const std::string& name) {
            return columns_of(store.table(name));
          },
          nb::arg("name"), nb::sig("def table(self, name: str) -> dict[str, object]"),
          "Columns by name: float64 (NaN: missing) or int64 arrays, or lists (None: missing).")
      .def("samples", samples_of, nb::arg("key"),
           nb::sig("def samples(self, key: str) -> dict[str, numpy.ndarray]"),
           "The samples of a solve by name: rows x K; empty if none are stored.")
      .def(
          "times",
          [](const StoredTables& store, const std::string& key) {
            return array_of(store.times_of(key));
          },
          nb::arg("key"), "The times of the samples of a solve [s].")
      .def(
          "curves", [](const StoredTables& store) { return columns_of(store.curves()); },
          nb::sig("def curves(self) -> dict[str, object]"),
          "The columns subject, law, solver, epsilon and name of the derived curves.")
      .def("curve", curve_of, nb::arg("index"),
           nb::sig("def curve(self, index: int) -> tuple[numpy.ndarray, numpy.ndarray]"),
           "Times (K) [s] and values (rows x K) of one of curves().");
  module.def(
      "printable", [](const std::string& text) { return printable(text); }, nb::arg("text"),
      "The text on one line, without control characters and marks of direction.");
}

}  // namespace rigidlimit::python
