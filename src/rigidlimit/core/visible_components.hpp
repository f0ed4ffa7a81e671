// The components of a state that users see: all but the clock of a system with surfaces that move
// (docs/surfaces.md).
#pragma once

#include <vector>

#include "rigidlimit/core/valid_values.hpp"

namespace rigidlimit {

/// The positions, increasing, of the components without Component::is_clock. Every text, table and
/// file for users takes them from here; only the state of an exported problem has the clock, since
/// its right-hand side needs it.
std::vector<Index> visible_rows(const std::vector<Component>& all);

/// These components.
std::vector<Component> visible(const std::vector<Component>& all);

/// Their elements of `values`, which has one for each of `all`; empty if `values` is empty.
VectorXd visible(const std::vector<Component>& all, const VectorXd& values);

/// `values` (one for each of `all`) with those of the visible components replaced by `given`. Files
/// resolved by version 0.2 and before give all components, which are taken as they are. Any other
/// number of them: empty.
VectorXd completed(const std::vector<Component>& all, const VectorXd& given, VectorXd values);

}  // namespace rigidlimit
