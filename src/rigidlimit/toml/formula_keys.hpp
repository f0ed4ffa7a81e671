// Keys that systems and problems written as formulas share: ranges, parameters, named formulas.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// Keys of a range: min <= x, or above < x; likewise max and below. They stand before keys whose
/// values are in the range.
template <class One>
std::vector<KeyRow<One>> range_rows(Range& (*range)(One&)) {
  const auto row = [range](KeyName key, const char* closed, double Range::*end, bool Range::*open,
                           bool is_last) {
    const bool is_open = closed != nullptr;
    return Keys<One>::read_by(
        key, any_finite.text(), "none",
        [=](Section& section, const std::string& name, One& one) {
          Range& r = range(one);
          if (is_open && section.has(name) && section.has(closed))
            section.fail(name, fmt::format("give only one of {} and {}", closed, name));
          if (section.has(name)) {
            r.*end = section.number(name, any_finite, std::nullopt);
            r.*open = is_open;
          }
          if (is_last && !(r.low < r.high)) section.fail("", "its range is empty");
        },
        [=](const One& one) -> std::optional<std::string> {
          const Range& r = range(const_cast<One&>(one));
          if (!std::isfinite(r.*end) || r.*open != is_open) return std::nullopt;
          return toml_text(r.*end);
        });
  };
  return {
      row({"min", "own", "least valid value"}, nullptr, &Range::low, &Range::low_open, false),
      row({"above", "own", "valid values exceed it"}, "min", &Range::low, &Range::low_open, false),
      row({"max", "own", "largest valid value"}, nullptr, &Range::high, &Range::high_open, false),
      row({"below", "own", "valid values are below it"}, "max", &Range::high, &Range::high_open,
          true)};
}

/// [OWNER.let] of a system or a problem: for readers, from the table OWNER, and back to TOML.
KeyTableInfo let_keys(const std::string& owner);
std::vector<NamedFormula> read_lets(Section& owner);
std::string lets_text(const std::string& owner, const std::vector<NamedFormula>& lets);

/// A list of inline tables as TOML, one a line; empty: there are none.
template <class One>
std::optional<std::string> list_text(const std::vector<One>& all, const KeyTable<One>& keys) {
  if (all.empty()) return std::nullopt;
  std::string list = "[\n";
  for (const One& one : all) list += fmt::format("  {{{}}},\n", keys.inline_text(one));
  return list + "]";
}

/// [OWNER.parameters] as TOML.
template <class Parameter>
std::string parameters_text(const std::string& owner, const std::vector<Parameter>& parameters,
                            const KeyTable<Parameter>& keys) {
  if (parameters.empty()) return "";
  std::string toml = fmt::format("\n[{}.parameters]\n", owner);
  for (const Parameter& parameter : parameters)
    toml += fmt::format("{} = {{{}}}\n", parameter.name.text, keys.inline_text(parameter));
  return toml;
}

}  // namespace rigidlimit
