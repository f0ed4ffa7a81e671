// Reports as columns, documents and texts.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "bindings.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

namespace {

/// A NumPy array that owns the numbers.
template <class Number>
nb::object array_of(std::vector<Number> numbers) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  const nb::capsule owner(kept,
                          [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

struct ToPython {
  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(bool fact) const { return nb::bool_(fact); }
  nb::object operator()(long count) const { return nb::int_(count); }
  nb::object operator()(double x) const { return nb::float_(x); }
  nb::object operator()(const std::string& text) const {
    return nb::str(text.c_str(), text.size());
  }
  nb::object operator()(const Value::Numbers& all) const { return array_of(all); }
  nb::object operator()(const Value::Texts& all) const { return nb::cast(all); }
};

/// One column: float64 if it has numbers (None is NaN), int64 if it has counts alone, else a list.
class Column {
 public:
  void add(const Value& value) {
    const auto& any = value.any();
    if (const auto* x = std::get_if<double>(&any)) {
      numbers_.push_back(*x);
      has_number_ = true;
    } else if (const auto* count = std::get_if<long>(&any)) {
      numbers_.push_back(static_cast<double>(*count));
      counts_.push_back(*count);
    } else if (std::holds_alternative<std::monostate>(any)) {
      numbers_.push_back(std::nan(""));
    } else {
      numeric_ = false;
    }
    values_.append(std::visit(ToPython{}, any));
  }
  nb::object python() {
    if (!numeric_ || numbers_.empty()) return values_;
    if (counts_.size() == numbers_.size()) return array_of(std::move(counts_));
    return has_number_ || !counts_.empty() ? array_of(std::move(numbers_)) : nb::object(values_);
  }

 private:
  nb::list values_;
  std::vector<double> numbers_;
  std::vector<std::int64_t> counts_;
  bool numeric_ = true, has_number_ = false;
};

nb::dict columns_of(const DataTable& table) {
  std::vector<Column> columns(table.of_all.size() + table.columns.size());
  for (std::size_t k = 0; k < table.records.size(); ++k) {
    const Record record = table.records[k];
    std::size_t at = 0;
    for (const Record* fields : {&table.of_all, &record})
      for (const Field& field : *fields) columns.at(at++).add(field.value);
  }
  nb::dict found;
  std::size_t at = 0;
  for (const Record* fields : {&table.of_all, &table.columns})
    for (const Field& field : *fields) found[column_name(field).c_str()] = columns[at++].python();
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
    one["held"] = !claim.failed;
    one["message"] = claim.message;
    claims.append(one);
  }
  return claims;
}

}  // namespace

void bind_results(nb::module_& module) {
  nb::class_<RunResult>(module, "RunResult", "A judged experiment: tables, claims, texts.")
      .def_prop_ro("name", [](const RunResult& r) { return r.report.name; })
      .def_prop_ro("held", [](const RunResult& r) { return r.report.held; })
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
