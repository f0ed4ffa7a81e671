// Values written as TOML.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <vector>

namespace rigidlimit {

/// The shortest TOML float that reads back as the same double.
std::string toml_text(double x);

/// A quoted basic string with escapes.
std::string toml_text(const std::string& text);

/// The number that a TOML text is; empty: it is another value.
std::optional<double> number_in(const std::string& toml);

template <class Values>
std::string toml_list(const Values& values) {
  std::vector<std::string> texts;
  for (const auto& x : values) texts.push_back(toml_text(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
