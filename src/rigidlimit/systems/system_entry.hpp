// A system as a catalogue knows it: its texts, its parameters and how to make it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Made by entry_of<Sys>() (systems/entry_of.hpp), or from a text (systems/system_text.hpp).
struct SystemEntry {
  SystemInfo info;
  std::vector<ParameterInfo> parameters;
  bool has_closed_form = false;
  /// Of a text: the keys of [system] that define it, as TOML; empty: it was compiled.
  std::string definition = {};
  std::string file = {};  ///< of a text in a file of its own, the file

  /// The system with these parameter values, one for each of `parameters`.
  std::function<System(const std::vector<double>& values)> make;
  /// Where it starts by default, with these parameter values.
  std::function<InitialState(const std::vector<double>& values)> start;

  std::vector<double> default_values() const;
};

/// What a study may name. Studies point into it: it must outlive them.
using SystemCatalogue = std::vector<SystemEntry>;

/// nullptr if there is none of this name.
const SystemEntry* find_system(const SystemCatalogue& systems, std::string_view name);

/// For messages.
std::vector<std::string> names_of(const SystemCatalogue& systems);

}  // namespace rigidlimit
