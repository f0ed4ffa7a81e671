// Templates that `init` writes: commented files with every key. A line "#key = value" gives a
// default: without the '#' the experiment is the same.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// A TOML file built line by line, with comments in a column.
class TemplatePage {
 public:
  /// A table with every key: "key = value", or "#key = value" for a default; the comment is the
  /// meaning of the key.
  template <class Spec>
  void table(const KeyTable<Spec>& keys, const Spec& spec, const std::string& comment = "") {
    heading(keys.name, comment);
    for (const KeyRow<Spec>& row : keys.rows)
      key(row.info, row.toml ? row.toml(spec) : std::nullopt,
          row.usual ? row.usual(spec) : std::nullopt);
  }
  /// One key of a table: its value, or a hint if it has none; a comment sign if it is the default.
  void key(const KeyInfo& info, const std::optional<std::string>& value,
           const std::optional<std::string>& usual);
  /// [system], its parameters with units and ranges, and the equations if the study has them.
  void system(const SystemEntry& entry, const std::vector<ParameterInfo>& parameters);
  /// [initial] q and v with the units of the components.
  void start(const SystemEntry& entry, const InitialState& start);

  /// Comments with every key of these tables that the page does not have; of a list of tables
  /// [[...]] with all keys of a further one.
  void further(const std::vector<KeyTableInfo>& tables);

  void heading(const std::string& table, const std::string& comment = "");
  void line(const std::string& content, const std::string& comment = "");
  /// The first comment lines: a title, commands with their effects, and the keys of every file.
  void head(const std::string& title,
            const std::vector<std::pair<std::string, std::string>>& commands,
            const std::string& remark);
  /// Comment lines.
  void prose(const std::string& words);
  const std::string& text() const { return text_; }

 private:
  void write(const std::string& content, const std::string& comment = "");

  std::string text_, table_;
  std::set<std::pair<std::string, std::string>> has_;  ///< tables and keys
};

/// "x [m], phi [rad]".
std::string units_after_names(const std::vector<Component>& components);

}  // namespace rigidlimit
