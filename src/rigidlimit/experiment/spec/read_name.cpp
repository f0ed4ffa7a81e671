#include "rigidlimit/experiment/spec/read_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace rigidlimit {

namespace {

/// ASCII letters and digits, independent of the locale.
bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool consists_of(std::string_view text, std::string_view besides) {
  return std::ranges::all_of(text, [&](char c) {
    return is_alphanumeric(c) || besides.find(c) != std::string_view::npos;
  });
}

// File systems allow 255 bytes, and suffixes are added to the name of the directory.
constexpr std::size_t longest_directory = 200;
// A wider column would not fit into the tables.
constexpr std::size_t longest_label = 80;

}  // namespace

std::string fault_in_directory_name(const std::string& name) {
  if (name.empty() || name.front() == '.' || name.front() == '-' || !consists_of(name, "_-."))
    return "must consist of letters, digits, '_', '-' and '.', and not begin with '-' or '.'";
  if (name.size() <= longest_directory) return {};
  return fmt::format("must have at most {} characters, not {}", longest_directory, name.size());
}

std::string fault_in_label(const std::string& label) {
  const bool blank = label.empty() || label.front() == ' ' || label.back() == ' ';
  if (!blank && label.size() <= longest_label && consists_of(label, " _-+.:=()")) return {};
  return fmt::format(
      "must have 1 to {} letters, digits, inner blanks and characters of _ - + . : = ( )",
      longest_label);
}

}  // namespace rigidlimit
