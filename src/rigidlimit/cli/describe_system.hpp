// Output of `rigidlimit describe SYSTEM`.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// Options of the description.
struct SystemView {
  std::vector<std::string> parameters;  ///< --set texts NAME=VALUE
  std::vector<double> q;                ///< state to describe; empty: the default start
  std::vector<double> v;                ///< likewise; projected onto rolling
  bool linearise = false;               ///< also matrices and eigenvalues of small motions
};

/// Prints texts, parameters, components and the state with its energies, contact forces and rank;
/// with view.linearise the small motions about it; for contacts that may slip their modes, gaps and
/// sliding speeds. Throws InputError for an unknown parameter, a value outside its range, or a
/// state of another size.
void describe_system(const SystemEntry& entry, const SystemView& view);

}  // namespace rigidlimit
