// A study file to start from.
#pragma once

#include <string>

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// What the file is for: a study, or a map over dampings.
enum class TemplateKind { study, map };

/// A commented study of `entry` in the regime that docs/theory.md, section 4, predicts: its
/// parameters and its start, every key with unit and meaning, orders 2, 1, 0 expected. A line "#key
/// = value" states a default: without the '#' the study is the same. `name` as
/// read_directory_name() takes it.
///
/// The stiffness is the power of ten, at least 1, with which the contact at the largest ε is three
/// times as fast as what rolling swings with; redundant contacts get D proportional to C, or the
/// sharing of their load would lag.
std::string rolling_template(const SystemEntry& entry, const std::string& name, TemplateKind kind);

}  // namespace rigidlimit
