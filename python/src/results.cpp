// Reports as columns, documents and texts.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

struct ToPython {
  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(bool fact) const { return nb::bool_(fact); }
  nb::object operator()(long count) const { return nb::int_(count); }
  nb::object operator()(double x) const { return nb::float_(x); }
  nb::object operator()(const std::string& text) const {
    return nb::str(text.c_str(), text.size());
  }
  nb::object operator()(const Value::Numbers& all) const { return nb::cast(array_of(all)); }
  nb::object operator()(const Value::Texts& all) const { return nb::cast(all); }
};

/// One column: float64 if it has numbers (None is NaN), int64 if it has counts alone, else a list.
nb::object column_of(const std::vector<Value>& values) {
  const auto all = [&](const auto& is) { return std::ranges::all_of(values, is, &Value::any); };
  using Any = Value::Any;
  static constexpr auto is_count = [](const Any& x) { return std::holds_alternative<long>(x); };
  static constexpr auto is_missing = [](const Any& x) {
    return std::holds_alternative<std::monostate>(x);
  };
  static constexpr auto is_numeric = [](const Any& x) {
    return std::holds_alternative<double>(x) || is_count(x) || is_missing(x);
  };
  if (!all(is_numeric) || all(is_missing)) {
    nb::list list;
    for (const Value& value : values) list.append(std::visit(ToPython{}, value.any()));
    return list;
  }
  if (all(is_count)) {
    std::vector<std::int64_t> counts;
    for (const Value& value : values) counts.push_back(std::get<long>(value.any()));
    return nb::cast(array_of(std::move(counts)));
  }
  std::vector<double> numbers;
  for (const Value& value : values) {
    const auto* x = std::get_if<double>(&value.any());
    const auto* count = std::get_if<long>(&value.any());
    numbers.push_back(x ? *x : count ? static_cast<double>(*count) : std::nan(""));
  }
  return nb::cast(array_of(std::move(numbers)));
}

nb::dict columns_of(const DataTable& table) {
  std::vector<std::vector<Value>> columns(table.of_all.size() + table.columns.size());
  for (std::size_t k = 0; k < table.records.size(); ++k) {
    const Record record = table.records[k];
    std::size_t at = 0;
    for (const Record* fields : {&table.of_all, &record})
      for (const Field& field : *fields) columns.at(at++).push_back(field.value);
  }
  nb::dict found;
  std::size_t at = 0;
  for (const Record* fields : {&table.of_all, &table.columns})
    for (const Field& field : *fields) found[column_name(field).c_str()] = column_of(columns[at++]);
  return found;
}

nb::dict table_named(const RunResult& result, const std::string& name) {
  for (const DataTable& table : result.report.tables)
    if (table.name == name) return columns_of(table);
  throw nb::key_error(name.c_str());
}

std::vector<std::string> table_names(const RunResult& result) {
  std::vector<std::string> names;
  for (const DataTable& table : result.report.tables) names.push_back(table.name);
  return names;
}

nb::list claims_of(const RunResult& result) {
  nb::list claims;
  for (const JunitCase& claim : result.report.claims) {
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
  nb::class_<RunResult>(module, "RunResult", "A judged experiment: tables, claims, texts.")
      .def_prop_ro("name", [](const RunResult& r) { return r.report.name; })
      .def_prop_ro("held", [](const RunResult& r) { return r.report.held(); })
      .def_prop_ro("interrupted", [](const RunResult& r) { return r.report.interrupted; })
      .def_prop_ro("verdict", [](const RunResult& r) { return r.report.verdict; })
      .def_prop_ro("resolved", [](const RunResult& r) { return r.report.resolved; })
      .def_prop_ro("claims", claims_of)
      .def_prop_ro("tables", table_names, "Names of the tables; the first has the errors.")
      .def_prop_ro("store", [](const RunResult& r) { return r.store; })
      .def_prop_ro(
          "failure", [](const RunResult& r) { return r.end.failure; },
          "Why finished solves could not be stored; empty: all are.")
      .def_prop_ro("computed", [](const RunResult& r) { return r.counts.computed; })
      .def_prop_ro("reused", [](const RunResult& r) { return r.counts.reused; })
      .def_prop_ro("missing", [](const RunResult& r) { return r.counts.missing; })
      .def("table", table_named, nb::arg("name"),
           nb::sig("def table(self, name: str) -> dict[str, object]"),
           "Columns by name: float64 or int64 arrays, or lists.")
      .def(
          "text",
          [](const RunResult& r, const std::string& format) {
            return formatted({r.report}, format_named(format));
          },
          nb::arg("format"), "The report in one of the formats of the command line.")
      .def(
          "document", [](const RunResult& r) { return json_text(r.report.document); },
          "The JSON of the result.")
      .def(
          "write",
          [](const RunResult& r, const std::string& directory) {
            write_report(r.report, directory);
          },
          nb::arg("directory"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace rigidlimit::python
