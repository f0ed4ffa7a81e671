// A system as a catalogue knows it: its texts, its parameters and how to make it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Made by entry_of<Sys>() (systems/entry_of.hpp), or from a text (systems/system_text.hpp). Its
/// contacts roll, or may slip, stick, open and strike: which of both a system can is which of
/// `make` and `make_frictional` it has. The contacts of `info` are the m sliding velocities; the
/// names of the contact points are in FrictionalSystem::contacts.
struct SystemEntry {
  SystemInfo info;
  std::vector<ParameterInfo> parameters;
  /// Of friction and restitution: what rolls does not know them.
  std::vector<ParameterInfo> contact_parameters = {};
  bool has_closed_form = false;     ///< of rolling
  bool has_closed_history = false;  ///< of a motion that may slip
  /// Of a text: the keys of [system] that define it, as TOML; empty: it was compiled.
  std::string definition = {};
  std::string file = {};  ///< of a text in a file of its own, the file

  /// The system whose contacts roll, with these parameter values, one for each of `parameters`.
  /// Empty: one of them may open.
  std::function<System(const std::vector<double>& values)> make = {};
  /// Where it starts by default, with these parameter values, or more.
  std::function<InitialState(const std::vector<double>& values)> start = {};

  /// The system whose contacts may slip, with one value for each of `parameters` and then of
  /// `contact_parameters`. Empty: it says nothing of what holds them and of friction.
  std::function<FrictionalSystem(const std::vector<double>& values)> make_frictional = {};
  /// Where it starts by default where contacts may slip; with `make_frictional`.
  std::function<InitialState(const std::vector<double>& values)> frictional_start = {};

  bool rolls() const { return static_cast<bool>(make); }
  bool slips() const { return static_cast<bool>(make_frictional); }
  std::vector<double> default_values() const;  ///< of `parameters`

  std::vector<ParameterInfo> frictional_parameters() const;  ///< both lists, one after the other
  std::vector<double> frictional_default_values() const;     ///< of both
};

/// What a study may name. Studies point into it: it must outlive them.
using SystemCatalogue = std::vector<SystemEntry>;

/// nullptr if there is none of this name.
const SystemEntry* find_system(const SystemCatalogue& systems, std::string_view name);

/// Of those that can do this, rolls() or slips(), or of all.
std::vector<std::string> names_of(const SystemCatalogue& systems,
                                  bool (SystemEntry::*can)() const = nullptr);

}  // namespace rigidlimit
