// TOML -> EnsembleSpec.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// [ensemble] and [[ensemble.vary]].
std::vector<KeyTableInfo> tables_of_ensembles();

/// Reads [ensemble] of a study that is read otherwise: RollingStudy::ensemble. Throws InputError
/// for options and claims that the ensemble does not cover, and for a member outside a range.
void read_ensemble(Section section, RollingStudy& study);

/// The tables as TOML.
std::string ensemble_text(const EnsembleSpec& ensemble);

}  // namespace rigidlimit
