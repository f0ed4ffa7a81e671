// A reader of the program's CSV, for fields without commas and quotes.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace rigidlimit::test {

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  if (!text.empty() && text.back() == at && at != '\n') parts.emplace_back();
  return parts;
}

/// One list of fields for each line, beginning with the header.
inline std::vector<std::vector<std::string>> csv_fields(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& line : split(text, '\n')) lines.push_back(split(line, ','));
  return lines;
}

}  // namespace rigidlimit::test
