#include "rigidlimit/toml/text.hpp"

#include <charconv>

#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

std::string toml_text(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::optional<double> number_in(const std::string& toml) {
  double x = 0.0;
  const char* const end = toml.data() + toml.size();
  const auto [at, bad] = std::from_chars(toml.data(), end, x);
  return bad == std::errc() && at == end ? std::optional(x) : std::nullopt;
}

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\u000a") : std::string(1, c);
  }
  return with_escapes(quoted + "\"");
}

}  // namespace rigidlimit
