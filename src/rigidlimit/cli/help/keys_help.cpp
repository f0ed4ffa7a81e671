#include "rigidlimit/cli/help/keys_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <vector>

#include "rigidlimit/cli/help/markdown.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/experiment/friction/friction_keys.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {

namespace {

/// The tables with those of one name joined, and their keys of one name beside each other.
std::vector<KeyTableInfo> joined(std::vector<KeyTableInfo> tables) {
  std::vector<KeyTableInfo> all{layer_keys()};
  for (KeyTableInfo& table : tables) {
    const auto at = std::ranges::find(all, table.name, &KeyTableInfo::name);
    if (at == all.end()) {
      all.push_back(std::move(table));
      continue;
    }
    for (KeyInfo& key : table.keys) {
      if (std::ranges::find(at->keys, key) != at->keys.end()) continue;
      const auto last =
          std::ranges::find(at->keys.rbegin(), at->keys.rend(), key.name, &KeyInfo::name);
      at->keys.insert(last == at->keys.rend() ? at->keys.end() : last.base(), std::move(key));
    }
  }
  return all;
}

/// "[time]", "[[expect]]"; "KEY = {...}" for a value that is a table.
std::string heading_of(std::string table) {
  if (table.empty()) return "top of the file";
  if (const std::size_t braces = table.find("{}"); braces != std::string::npos)
    return table.replace(braces, 2, "{...}");
  return fmt::format("[{}]", table);
}

constexpr const char* legend =
    "Unit 1: without a dimension; SI: the SI unit of each component; own: the unit of the key or "
    "parameter itself; blank: not a physical number. A needed key has no default; in a table that "
    "may be left out ([[expect]], [epsilon] of a friction study) it is needed only with the table.";

// --- terminal

constexpr std::size_t columns = 5, width = 100, gap = 2;
using KeyLine = std::array<std::string, columns>;

KeyLine headers() {
  return {"key", "unit", "values", "default", "meaning"};
}

KeyLine row_of(const KeyInfo& key) {
  return {key.name, key.unit, key.values, key.otherwise, key.text};
}

/// The longest names and units fit, the meaning has the rest.
std::array<std::size_t, columns> widths_of(const std::vector<KeyLine>& rows) {
  std::array<std::size_t, columns> widths{0, 0, 22, 16, 0};
  for (const KeyLine& row : rows)
    for (const std::size_t k : {0, 1}) widths[k] = std::max(widths[k], display_width(row[k]));
  widths.back() = width;
  for (std::size_t k = 0; k + 1 < columns; ++k) widths.back() -= widths[k] + gap;
  return widths;
}

/// Cells side by side, each wrapped in its column.
std::string row_text(const KeyLine& cells, const std::array<std::size_t, columns>& widths) {
  std::array<std::vector<std::string>, columns> lines;
  std::size_t height = 1;
  for (std::size_t k = 0; k < columns; ++k) {
    std::istringstream text(wrapped(cells[k], 0, widths[k]));
    for (std::string line; std::getline(text, line);) lines[k].push_back(line);
    height = std::max(height, lines[k].size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < columns; begin += widths[k++] + gap) {
      if (i >= lines[k].size()) continue;
      line.append(begin - std::min(begin, display_width(line)), ' ');
      line += lines[k][i];
    }
    text += line + '\n';
  }
  return text;
}

std::string table_text(const KeyTableInfo& table) {
  std::vector<KeyLine> rows{headers()};
  for (const KeyInfo& key : table.keys) rows.push_back(row_of(key));
  const auto widths = widths_of(rows);
  KeyLine line;
  for (std::size_t k = 0; k < columns; ++k) line[k].assign(widths[k], '-');
  rows.insert(rows.begin() + 1, line);
  std::string text = heading_of(table.name) + '\n';
  for (const KeyLine& row : rows) text += row_text(row, widths);
  return text;
}

/// "[[expect]]" -> "expect".
std::string without_brackets(std::string word) {
  std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
  return word;
}

}  // namespace

std::vector<FileKeys> keys_of_files() {
  return {{"rolling", "Rolling study", joined(tables_of_rolling_studies())},
          {"friction", "Friction study", joined(tables_of_friction_studies())},
          {"sweep", "Sweep of a rolling study or friction study", joined(tables_of_sweeps())},
          {"benchmark", "Benchmark", joined(tables_of_benchmarks())},
          {"system-text", "System as formulas", tables_of_written_systems()},
          {"problem-text", "Initial value problem as formulas", tables_of_written_problems()}};
}

std::vector<std::string> keys_to_set() {
  const auto is_plain = [](const std::string& name) {
    return !name.empty() && name.find_first_of("[]{} ,/\"") == std::string::npos &&
           name.find("NAME") == std::string::npos;
  };
  std::set<std::string> keys;
  for (const FileKeys& file : keys_of_files())
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys)
        if (is_plain(table.name) && is_plain(key.name))
          keys.insert(table.name + "." + key.name + "=");
  return {keys.begin(), keys.end()};
}

std::string keys_text(const std::string& subject) {
  std::string text;
  std::set<std::string> known;  // kinds and tables with a name of their own
  for (const FileKeys& file : keys_of_files()) {
    known.insert(file.name);
    const bool whole = subject.empty() || subject == file.name;
    std::string tables;
    for (const KeyTableInfo& table : file.tables) {
      const std::string name = without_brackets(table.name);
      if (!name.empty() && name.find(' ') == std::string::npos) known.insert(name);
      if (whole || name == without_brackets(subject)) tables += '\n' + table_text(table);
    }
    if (!tables.empty())
      text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", file.title, tables);
  }
  if (text.empty())
    throw InputError(fmt::format("'{}' is neither a kind of file nor a table{}", subject,
                                 suggestion(without_brackets(subject),
                                            std::vector<std::string>(known.begin(), known.end()))));
  return fmt::format("{}\n{}", wrapped(legend, 0, width), text);
}

std::string keys_page() {
  std::string text =
      "# Keys of experiment files\n\n"
      "<!-- Written by `rigidlimit help keys --markdown`: change the rows in *_keys.cpp, "
      "src/rigidlimit/experiment/. -->\n\n"
      "Every key with its unit, valid values and default. `rigidlimit help keys TABLE` prints one "
      "table, and\n`rigidlimit init NAME` writes a file with comments. [studies.md](studies.md) "
      "shows whole files,\n[extending.md](extending.md#a-system-as-a-text) a system as "
      "formulas.\n\n" +
      wrapped(legend, 0, 120);
  for (const FileKeys& file : keys_of_files()) {
    text += fmt::format("\n## {}\n", file.title);
    for (const KeyTableInfo& table : file.tables) {
      const KeyLine titles = headers();
      TextTable shown{.headers = {titles.begin(), titles.end()},
                      .left_aligned = std::vector<bool>(columns, true),
                      .rows = {}};
      for (const KeyInfo& key : table.keys)
        shown.rows.push_back({{key.name}, {key.unit}, {key.values}, {key.otherwise}, {key.text}});
      text += fmt::format(
          "\n### {}\n\n{}",
          table.name.empty() ? "Top of the file" : fmt::format("`{}`", heading_of(table.name)),
          markdown_text(shown));
    }
  }
  return text;
}

}  // namespace rigidlimit
