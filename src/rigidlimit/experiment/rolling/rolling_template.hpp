// The template of a rolling study, for `init`.
#pragma once

#include <string>

#include "rigidlimit/systems/system_entry.hpp"

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

}  // namespace rigidlimit
