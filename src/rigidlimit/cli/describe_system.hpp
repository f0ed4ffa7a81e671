// What `rigidlimit describe SYSTEM` says.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// How a system is looked at.
struct SystemView {
  std::vector<std::string> parameters;  ///< --set texts NAME=VALUE
  std::vector<double> q;                ///< where it is described; empty: its default start
  std::vector<double> v;                ///< likewise; is projected onto rolling
  bool linearise = false;               ///< matrices and eigenvalues of small motions about there
};

/// Texts, parameters, components and the state looked at: energies, contact forces, rank; with
/// view.linearise the small motions about it; where its contacts may slip what holds them, gaps and
/// sliding speeds. Throws InputError for a parameter that the system
/// does not have, a value outside its range, or a state of another size.
void describe_system(const SystemEntry& entry, const SystemView& view);

}  // namespace rigidlimit
