// Values as TOML.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace rigidlimit {

/// The shortest text that reads back as the same double, and as a TOML float.
std::string toml_text(double x);

/// A basic string, quoted, whatever it holds.
std::string toml_text(const std::string& text);

template <class Values>
std::string toml_list(const Values& values) {
  std::vector<std::string> texts;
  for (const auto& x : values) texts.push_back(toml_text(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
