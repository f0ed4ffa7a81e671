#include "rigidlimit/experiment/spec/variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/toml/content.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

using Values = std::map<std::string, std::string>;

/// All values by dotted key; in an array of tables, the values of each table.
void collect_values(const toml::node& node, const std::string& key, Values& values) {
  if (const toml::table* table = node.as_table()) {
    for (const auto& [name, child] : *table)
      collect_values(child,
                     key.empty() ? std::string(name.str()) : fmt::format("{}.{}", key, name.str()),
                     values);
  } else if (const toml::array* array = node.as_array(); array && array->is_array_of_tables()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      collect_values(*array->get(i), fmt::format("{}[{}]", key, i), values);
  } else {
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    values[key] = text.str();
  }
}

Values values_of(const std::string& text) {
  Values values;
  try {
    collect_values(toml::parse(text), "", values);
  } catch (const toml::parse_error&) {
    values.clear();
  }
  return values;
}

/// "0.1", "9 values, 0.1 to 1e-05": numbers to six digits.
std::string shown(const std::string& value) {
  constexpr std::size_t longest = 60;
  const auto number = [](const std::string& text) {
    const std::optional<double> x = number_in(text);
    return x ? fmt::format("{:.6g}", *x) : text;
  };
  if (!value.starts_with("[ ") || value.find_first_of("[{", 1) != std::string::npos)
    return shortened(printable(number(value)), longest);
  std::vector<std::string> entries;
  std::istringstream list(value.substr(2, value.size() - 4));
  for (std::string entry; std::getline(list, entry, ',');)
    entries.push_back(number(entry.substr(std::min(entry.find_first_not_of(' '), entry.size()))));
  if (entries.size() > 3)
    return fmt::format("{} values, {} to {}", entries.size(), entries.front(), entries.back());
  return shortened(printable(fmt::format("[{}]", fmt::join(entries, ", "))), longest);
}

}  // namespace

std::string changed_values(const std::string& before, const std::string& now) {
  Values old = values_of(before);
  std::vector<std::string> changes;
  for (const auto& [key, value] : values_of(now)) {
    const auto had = old.extract(key);
    if (had.empty())
      changes.push_back(fmt::format("{} = {} (was not set)", key, shown(value)));
    else if (had.mapped() != value)
      changes.push_back(fmt::format("{} = {} (was {})", key, shown(value), shown(had.mapped())));
  }
  for (const auto& [key, value] : old)
    changes.push_back(fmt::format("no {} (was {})", key, shown(value)));
  constexpr std::size_t most = 3;
  const std::size_t more = changes.size() > most ? changes.size() - most : 0;
  changes.resize(changes.size() - more);
  return fmt::format("{}{}", fmt::join(changes, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string common_text(const std::vector<std::string>& texts,
                        const std::vector<std::string>& left_out) {
  const Values first = values_of(texts.front());
  std::set<std::string> varying;
  for (const std::string& text : texts) {
    const Values other = values_of(text);
    for (const auto& [key, value] : first)
      if (const auto at = other.find(key); at == other.end() || at->second != value)
        varying.insert(key);
  }
  std::istringstream lines(texts.front());
  std::map<std::string, int> tables;  // number of [[name]] so far
  std::string common, section;
  bool skipped = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[[")) {
      const std::string name = line.substr(2, line.find(']') - 2);
      skipped = std::ranges::find(left_out, name) != left_out.end();
      section = fmt::format("{0}[{1}]", name, tables[line]++);
    } else if (line.starts_with("[")) {
      skipped = false;
      section = line.substr(1, line.find(']') - 1);
    }
    if (!skipped &&
        !varying.contains(fmt::format("{}.{}", section, line.substr(0, line.find(" = ")))))
      common += line + "\n";
  }
  return common;
}

}  // namespace rigidlimit
