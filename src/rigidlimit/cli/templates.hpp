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

/// Kind of the template of a rolling study: a study, or a sweep of it over the damping.
enum class TemplateKind { study, sweep };

/// A rolling study of `entry` in the regime of docs/theory.md, section 4: its parameters and its
/// start, expected orders 2, 1, 0. `name`: see fault_in_directory_name().
///
/// The stiffness is the smallest power of ten, at least 1, with which the contact at the largest ε
/// is three times as fast as the fastest small motion of rolling. Redundant contacts get D
/// proportional to C; otherwise their load sharing would lag.
std::string rolling_template(const SystemEntry& entry, const std::string& name, TemplateKind kind);

/// A friction study of `entry` from its own start. Its claims follow from the rigid motion, which
/// is solved here: outcome, events and final modes. Its expectations on compliant motions follow
/// from docs/theory.md, section 10:
///
///   no impacts           q of order 2 if all contacts stick in the end, else 1; v of order 1
///                        (unilateral contacts settle more slowly: no expectation on v)
///   impacts              q and v in l1 of order 1, v in the sup norm none with restitution, up to
///                        the first impact on two surfaces at once; κ = 3/2 with restitution, 2
///                        without
///   forces without potential that do work, or a motion that fails: only the rigid motion
///
/// Throws what the solver of the rigid motion throws.
std::string friction_template(const SystemEntry& entry, const std::string& name);

/// The study whose compliant contact a benchmark solves.
struct BenchmarkedStudy {
  std::string file;    ///< relative to the folder of the benchmark
  std::string name;    ///< of the problem in tables
  std::string system;  ///< its name
  double end = 0.0;    ///< of the motion, s
};

/// A work-precision benchmark of van der Pol's oscillator.
std::string benchmark_template(const std::string& name);

/// The same of the compliant contact of a study, with a few methods of each library.
std::string benchmark_template(const std::string& name, const BenchmarkedStudy& study);

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
