// What `rigidlimit describe SYSTEM` says.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/systems/frictional_entry.hpp"
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
/// view.linearise the small motions about it. Throws InputError for a parameter that the system
/// does not have, a value outside its range, or a state of another size.
void describe_system(const SystemEntry& entry, const SystemView& view);

/// The same of a system with friction: its contacts, gaps and sliding speeds at the state looked
/// at. It has no linearisation.
void describe_frictional(const FrictionalEntry& entry, const SystemView& view);

}  // namespace rigidlimit
