// Reports as columns, documents and texts.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "columns.hpp"
#include "rigidlimit/experiment/judge/evidence.hpp"
#include "rigidlimit/report/html.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

nb::dict columns_of(const Table& table) {
  nb::dict found;
  const std::vector<std::string> names = flat_names(table);
  const std::size_t common = table.common().size();
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<Value> values;
    for (std::size_t row = 0; row < table.size(); ++row)
      values.push_back(k < common ? table.common()[k].value
                                  : table.columns()[k - common].value(row));
    found[names[k].c_str()] = column_of(values);
  }
  return found;
}

nb::dict table_named(const RunResult& result, const std::string& name) {
  const Table* const table = result.result.find(name);
  if (table == nullptr) throw nb::key_error(name.c_str());
  return columns_of(*table);
}

std::vector<std::string> table_names(const RunResult& result) {
  std::vector<std::string> names;
  for (const Table& table : result.result.tables) names.push_back(table.name());
  return names;
}

nb::list claims_of(const RunResult& result) {
  nb::list claims;
  for (const JudgedClaim& claim : result.result.claims) {
    nb::dict one;
    one["name"] = claim.name;
    one["group"] = claim.group;
    one["held"] = claim.held();
    one["message"] = claim.message;
    claims.append(one);
  }
  return claims;
}

}  // namespace

void bind_results(nb::module_& module) {
  // The words of the column "status" of a number that is evidence.
  module.attr("EVIDENT") =
      nb::make_tuple(name_of(Evidence{.state = Evidence::State::ok}),
                     name_of(Evidence{.state = Evidence::State::proved}));
  nb::class_<RunResult>(module, "RunResult", "A judged experiment: tables, claims, texts.")
      .def_prop_ro("name", [](const RunResult& r) { return r.result.name; })
      .def_prop_ro("held", [](const RunResult& r) { return r.result.held(); })
      .def_prop_ro("interrupted", [](const RunResult& r) { return r.result.interrupted; })
      .def_prop_ro("verdict", [](const RunResult& r) { return r.result.verdict; })
      .def_prop_ro("resolved", [](const RunResult& r) { return r.result.resolved; })
      .def_prop_ro("claims", claims_of)
      .def_prop_ro("tables", table_names, "Names of the tables; the first has the errors.")
      .def_prop_ro("store", [](const RunResult& r) { return r.store; })
      .def_prop_ro(
          "failure", [](const RunResult& r) { return r.end.failure; },
          "Why finished solves could not be stored; empty: all are.")
      .def_prop_ro("computed", [](const RunResult& r) { return r.result.counts.computed; })
      .def_prop_ro("reused", [](const RunResult& r) { return r.result.counts.reused; })
      .def_prop_ro("missing", [](const RunResult& r) { return r.result.counts.missing; })
      .def("table", table_named, nb::arg("name"),
           nb::sig("def table(self, name: str) -> dict[str, object]"),
           "Columns by name: float64 or int64 arrays, or lists.")
      .def(
          "text",
          [](const RunResult& r, const std::string& format) {
            return formatted({r.result}, format_named(format));
          },
          nb::arg("format"), "The report in one of the formats of the command line.")
      .def(
          "html_fragment", [](const RunResult& r) { return html_fragment(r.result); },
          "The report as a part of an HTML document.")
      .def(
          "document", [](const RunResult& r) { return json_text(r.result); },
          "The JSON of the result.")
      .def(
          "write",
          [](const RunResult& r, const std::string& directory) {
            write_report(r.result, directory);
          },
          nb::arg("directory"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace rigidlimit::python
