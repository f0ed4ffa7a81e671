// The JSON document of a result: the parts that every kind of experiment has.
#pragma once

#include <vector>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// The head (name, kind, sweep, question, source, held, interrupted, claims), `own`, notes and
/// provenance.
Document result_document(const Report& report, Document own);

/// The object `system`: name, title, origin, parameters, coordinates and velocities with their
/// initial values, and contacts.
Document system_document(const SystemEntry& system, const std::vector<ParameterInfo>& parameters,
                         const std::vector<double>& values, const InitialState& initial,
                         DataTable contacts);

/// Names and units, and elements of `start`.
DataTable components_of(const std::vector<Component>& components, const VectorXd* start = nullptr);

/// Appends `more`.
void append(Document& document, Document more);

}  // namespace rigidlimit
