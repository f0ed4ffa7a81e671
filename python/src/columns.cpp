#include "columns.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "arrays.hpp"

namespace rigidlimit::python {

namespace nb = nanobind;

nb::str text_of(const std::string& text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (!made) nb::raise_python_error();
  return nb::steal<nb::str>(made);
}

namespace {

struct ToPython {
  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(bool fact) const { return nb::bool_(fact); }
  nb::object operator()(long count) const { return nb::int_(count); }
  nb::object operator()(double x) const { return nb::float_(x); }
  nb::object operator()(const std::string& text) const { return text_of(text); }
  nb::object operator()(const Value::Numbers& all) const { return nb::cast(array_of(all)); }
  nb::object operator()(const Value::Texts& all) const { return nb::cast(all); }
};

}  // namespace

nb::list list_of(const std::vector<Value>& values) {
  nb::list list;
  for (const Value& value : values) list.append(std::visit(ToPython{}, value.any()));
  return list;
}

nb::object column_of(const std::vector<Value>& values, bool numbers) {
  const auto all = [&](const auto& is) { return std::ranges::all_of(values, is, &Value::any); };
  using Any = Value::Any;
  static constexpr auto is_count = [](const Any& x) { return std::holds_alternative<long>(x); };
  static constexpr auto is_missing = [](const Any& x) {
    return std::holds_alternative<std::monostate>(x);
  };
  static constexpr auto is_numeric = [](const Any& x) {
    return std::holds_alternative<double>(x) || is_count(x) || is_missing(x);
  };
  if (!all(is_numeric) || (!numbers && all(is_missing))) return list_of(values);
  if (all(is_count) && !values.empty()) {
    std::vector<std::int64_t> counts;
    for (const Value& value : values) counts.push_back(std::get<long>(value.any()));
    return nb::cast(array_of(std::move(counts)));
  }
  std::vector<double> found;
  for (const Value& value : values) {
    const auto* x = std::get_if<double>(&value.any());
    const auto* count = std::get_if<long>(&value.any());
    found.push_back(x ? *x : count ? static_cast<double>(*count) : std::nan(""));
  }
  return nb::cast(array_of(std::move(found)));
}

}  // namespace rigidlimit::python
