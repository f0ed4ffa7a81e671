#include "rigidlimit/toml/text.hpp"

#include <charconv>

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
    if (const auto u = static_cast<unsigned char>(c); u < 0x20 || u == 0x7f)
      quoted += fmt::format("\\u{:04x}", u);
    else
      quoted += c;
  }
  return quoted + "\"";
}

}  // namespace rigidlimit
