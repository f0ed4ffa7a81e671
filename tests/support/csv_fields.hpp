// A reader of the program's CSV, for fields without quotes and line ends inside.
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

/// One list of fields for each line, beginning with the header. A field in quotes may contain
/// commas.
inline std::vector<std::vector<std::string>> csv_fields(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& line : split(text, '\n')) {
    std::vector<std::string>& fields = lines.emplace_back(1);
    bool quoted = false;
    for (const char c : line)
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        fields.emplace_back();
      else
        fields.back() += c;
  }
  return lines;
}

}  // namespace rigidlimit::test
