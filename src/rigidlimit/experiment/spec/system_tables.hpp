// The parts of a result that describe its system.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// "system.name", "system.title", where the system comes from, "system.equations" as text,
/// "system.source" and "system.closed_form".
Fields system_facts(const SystemEntry& system);

/// "system.parameters", and "system.coordinates" and "system.velocities" with their initial values.
std::vector<Table> system_tables(const SystemEntry& system,
                                 const std::vector<ParameterInfo>& parameters,
                                 const std::vector<double>& values, const InitialState& initial);

/// Names and units.
Table components_of(std::string name, const std::vector<Component>& components);

template <class All>
void append(All& all, All more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// "mass = 1 kg, slope = 0.3 rad": every parameter of the system.
std::string parameters_text(const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values);

}  // namespace rigidlimit
