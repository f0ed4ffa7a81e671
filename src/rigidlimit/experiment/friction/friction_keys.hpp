// The keys of a friction study.
#pragma once

#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// Tables of a friction study, each with the members that it fills.
namespace friction_keys {
const KeyTable<FrictionStudy>& study();
const KeyTable<FrictionStudy>& initial();
const KeyTable<FrictionStudy>& contact();
const KeyTable<FrictionStudy>& time();
const KeyTable<FrictionStudy>& solvers();
const KeyTable<FrictionStudy>& inequality();
const KeyTable<FrictionStudy>& history();
const KeyTable<ExpectationSpec>& expectation();
const KeyTable<ModesClaim>& modes();  ///< [[expect]] with quantity = "modes"
}  // namespace friction_keys

/// The message about keys of normal springs.
inline constexpr const char* no_unilateral_contact =
    "is not used: no contact is unilateral; remove it";

/// Every table in the order of the resolved file, with [system].
std::vector<KeyTableInfo> tables_of_friction_studies();

/// The kinds of contact events, as in `kind` of an [[expect]].
const std::vector<std::string>& event_words();

}  // namespace rigidlimit
