#include "rigidlimit/report/bounded_json.hpp"

#include <fmt/format.h>

#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

constexpr std::size_t deepest = 32;             // results nest five deep
constexpr std::size_t most_values = 4'000'000;  // a result of 10 000 values of ε has three million
constexpr std::size_t most_keys = 500;          // of one object

/// One pass over the characters: strings are skipped, brackets, commas and colons counted.
void require_bounds(const std::string& text, const std::string& where) {
  if (text.size() > longest_json)
    throw InputError(fmt::format("has more than {} bytes, the limit", longest_json), where);
  std::vector<std::size_t> keys;  // of each open object or list
  std::size_t values = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        in_string = false;
      continue;
    }
    switch (c) {
      case '"': in_string = true; break;
      case '[':
      case '{':
        keys.push_back(0);
        ++values;
        if (keys.size() > deepest)
          throw InputError(fmt::format("nests more than {} deep, the limit", deepest), where);
        break;
      case ']':
      case '}':
        if (!keys.empty()) keys.pop_back();
        break;
      case ',': ++values; break;
      case ':':
        if (!keys.empty() && ++keys.back() > most_keys)
          throw InputError(
              fmt::format("has an object with more than {} keys, the limit", most_keys), where);
        break;
      default: break;
    }
    if (values > most_values)
      throw InputError(fmt::format("has more than {} values, the limit", most_values), where);
  }
}

}  // namespace

nlohmann::ordered_json bounded_json(const std::string& text, const std::string& where) {
  require_bounds(text, where);
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    const std::string said = error.what();
    const std::size_t begin = said.starts_with('[') ? said.find("] ") : std::string::npos;
    const std::string reason = begin == std::string::npos ? said : said.substr(begin + 2);
    throw InputError(fmt::format("is not JSON: {}", shortened(printable(reason), 200)), where);
  }
}

}  // namespace rigidlimit
