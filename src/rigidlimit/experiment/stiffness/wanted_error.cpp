#include "rigidlimit/experiment/stiffness/wanted_error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

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

}  // namespace

WantedError wanted_error_of(const std::string& text) {
  const auto fail = [&](const std::string& message) {
    throw InputError(message, "--error " + text);
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    fail("must be QUANTITY[.NORM][.WINDOW]=SIZE, as q=1e-4 or lambda.sup.after=0.1");
  WantedError wanted;
  const char* const begin = text.data() + equals + 1;
  const char* const end = text.data() + text.size();
  const auto [rest, bad] = std::from_chars(begin, end, wanted.size);
  if (bad != std::errc() || rest != end || !(wanted.size > 0.0) || !std::isfinite(wanted.size))
    fail("the size must be a number > 0");
  std::istringstream words(text.substr(0, equals));
  std::string word;
  std::getline(words, word, '.');
  std::vector<std::string> known;
  if (!is_named(word, all_quantities, wanted.measure.quantity, known))
    fail(fmt::format("'{}' is not a quantity{}", word, suggestion(word, known)));
  while (std::getline(words, word, '.')) {
    known.clear();
    if (!is_named(word, rolling_norms, wanted.measure.norm, known) &&
        !is_named(word, rolling_windows, wanted.measure.window, known))
      fail(fmt::format("'{}' is not a norm or window{}", word, suggestion(word, known)));
  }
  return wanted;
}

}  // namespace rigidlimit
