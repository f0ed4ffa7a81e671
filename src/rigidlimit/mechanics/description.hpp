// Description of a system: the text of `rigidlimit describe`, the keys that a study file may set,
// and their bounds.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/valid_values.hpp"

namespace rigidlimit {

/// A physical parameter of the system type Sys: a public double member with its documentation.
/// The default is the member's value in a default-constructed Sys.
template <class Sys>
struct Parameter {
  const char* name;     ///< key in a study's [system]
  double Sys::*member;  ///< member that holds the value, in SI units
  const char* unit;     ///< "kg m^2"; "1" for a pure number
  const char* text;     ///< one sentence
  Range range = any_finite;
};

/// Name, equations and provenance of a system: all that a study needs. entry_of() fills in omitted
/// fields: "q1", "q2", …, and zeros.
struct SystemInfo {
  std::string name;                         ///< key: lower case with underscores
  std::string title = "";                   ///< one line
  std::string equations = "";               ///< M, F, G or K*, P, and signs, as plain text
  std::string source = "";                  ///< source of the equations and of the closed form
  std::string closed_form = "none";         ///< exactly known results; "none" with the invariants
  std::vector<Component> coordinates = {};  ///< nq entries
  std::vector<Component> velocities = {};   ///< n entries
  std::vector<Component> contacts = {};     ///< m entries: sliding velocities; Λ is dual to them
  std::vector<Component> positions = {};    ///< np entries, "gap_pin": of the last np contacts
  std::vector<double> initial_q = {};       ///< default initial coordinates
  std::vector<double> initial_v = {};       ///< default initial velocity, consistent: G v = 0
};

}  // namespace rigidlimit
