// A catalogue entry of a system: its texts, its parameters and its factory functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Made by entry_of<Sys>() (systems/entry_of.hpp), or from a text (systems/text/system_text.hpp).
/// Its contacts roll, or may slip, stick, open and impact: `make` and `make_frictional` show which
/// of both a system supports. The contacts of `info` are the m sliding velocities; the names of the
/// contact points are in FrictionalSystem::contacts.
struct SystemEntry {
  SystemInfo info;                        ///< names, units, texts
  std::vector<ParameterInfo> parameters;  ///< of rolling and friction
  /// Parameters of friction and restitution, not used in rolling.
  std::vector<ParameterInfo> contact_parameters = {};
  bool has_closed_form = false;     ///< of rolling
  bool has_closed_history = false;  ///< of a motion that may slip
  /// For a system from text: the keys of [system] that define it, as TOML; empty: compiled.
  std::string definition = {};
  std::string file = {};  ///< file of a system from a separate text file

  /// Of a system from text: doubts about its formulas (systems/text/text_warnings.hpp).
  std::function<std::vector<std::string>()> warnings = [] { return std::vector<std::string>(); };

  /// The system whose contacts roll, with these parameter values, one for each of `parameters`.
  /// Empty: a contact may open.
  std::function<System(const std::vector<double>& values)> make = {};
  /// Default start with these parameter values; further values are allowed.
  std::function<InitialState(const std::vector<double>& values)> start = {};

  /// The system whose contacts may slip, with one value for each of `parameters` and then of
  /// `contact_parameters`. Empty: normal constraints and friction are not stated.
  std::function<FrictionalSystem(const std::vector<double>& values)> make_frictional = {};
  /// Default start if contacts may slip; set together with `make_frictional`.
  std::function<InitialState(const std::vector<double>& values)> frictional_start = {};

  /// Whether rolling studies accept it.
  bool rolls() const { return static_cast<bool>(make); }
  /// Whether friction studies accept it.
  bool slips() const { return static_cast<bool>(make_frictional); }
  std::vector<double> default_values() const;  ///< of `parameters`

  std::vector<ParameterInfo> frictional_parameters() const;  ///< both lists, one after the other
  std::vector<double> frictional_default_values() const;     ///< of both
};

/// The systems available to studies. Studies hold pointers into it: it must outlive them.
using SystemCatalogue = std::vector<SystemEntry>;

/// nullptr if there is no system of this name.
const SystemEntry* find_system(const SystemCatalogue& systems, std::string_view name);

/// Names of the systems that can do this, rolls() or slips(), or of all.
std::vector<std::string> names_of(const SystemCatalogue& systems,
                                  bool (SystemEntry::*can)() const = nullptr);

}  // namespace rigidlimit
