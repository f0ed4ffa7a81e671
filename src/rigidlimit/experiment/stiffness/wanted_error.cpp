#include "rigidlimit/experiment/stiffness/wanted_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/units.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/stiffness/pair_study.hpp"

namespace rigidlimit {

namespace {

/// Sets `found` to the value of that name; the names of values that do not fit join `known`.
template <class Values, class Enum>
bool is_named(const std::string& word, const Values& values, Enum& found,
              std::vector<std::string>& known) {
  for (const auto value : values) {
    known.emplace_back(name_of(value));
    if (word != name_of(value)) continue;
    found = value;
    return true;
  }
  return false;
}

/// The SI units of a measure in one of this unit; 1 without a unit.
double factor_of(const std::string& unit, const Measure& measure, const SystemInfo& system) {
  if (unit.find_first_not_of(' ') == std::string::npos) return 1.0;
  const Unit given(unit);
  double factor = 0.0;
  const std::vector<Component>& all = components_of(system, measure.quantity);
  for (const Index k : visible_rows(all)) {
    if (measure.row >= 0 && k != measure.row) continue;
    const Component& one = all[static_cast<std::size_t>(k)];
    // The power of a force and its sliding velocity is in W.
    const Unit own =
        measure.quantity == Quantity::lambda ? Unit("W") / Unit(one.unit) : Unit(one.unit);
    if (!given.is_convertible_to(own) && measure.row < 0)
      throw InputError(fmt::format("{} has components in {}: name one of them, as {}=…",
                                   name_of(measure.quantity),
                                   fmt::join(units_of(system, measure.quantity), ", "), one.name));
    factor = given.in(own);
  }
  return factor;
}

}  // namespace

WantedError wanted_error_of(const std::string& text, const PairStudy& study) {
  const SystemInfo& system = system_of(study).info;
  const bool rolls = rolling_study(study) != nullptr;
  const auto fail = [&](const std::string& message) {
    throw InputError(message, "wanted " + text);
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    fail("must be QUANTITY[.NORM][.WINDOW]=SIZE, as q=1e-4, x=0.1mm or lambda.sup.after=0.1");
  std::istringstream words(text.substr(0, text.find_last_not_of(' ', equals - 1) + 1));
  std::string word;
  std::getline(words, word, '.');
  const std::optional<Measure> named = measure_named(word, system);
  if (!named)
    fail(fmt::format("'{}' is neither a quantity nor a component of {}{}", word, system.name,
                     suggestion(word, names_of_measures(system))));
  WantedError wanted{.measure = *named};
  std::vector<std::string> known;
  while (std::getline(words, word, '.')) {
    known.clear();
    if (!(rolls ? is_named(word, rolling_norms, wanted.measure.norm, known)
                : is_named(word, friction_norms, wanted.measure.norm, known)) &&
        !(rolls ? is_named(word, rolling_windows, wanted.measure.window, known)
                : is_named(word, friction_windows, wanted.measure.window, known)))
      fail(fmt::format("'{}' is not a norm or window{}", word, suggestion(word, known)));
  }
  const char* const begin =
      text.data() + std::min(text.find_first_not_of(' ', equals + 1), text.size());
  const char* const end = text.data() + text.size();
  const auto [rest, bad] = std::from_chars(begin, end, wanted.size);
  if (bad != std::errc() || !(wanted.size > 0.0) || !std::isfinite(wanted.size))
    fail("the size must be a number > 0, with or without a unit");
  try {
    wanted.size *= factor_of(std::string(rest, end), wanted.measure, system);
  } catch (const InputError& e) {
    fail(e.what());
  }
  return wanted;
}

}  // namespace rigidlimit
