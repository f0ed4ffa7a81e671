// Solvers of an experiment file that are other programs: [solvers.NAME] program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

using ProgramSpecs = std::map<std::string, ProgramSpec>;

/// The tables [solvers.NAME] of `solvers` with the key `program`, by name. For names in `used` the
/// file is read; of others ProgramSpec::method is nullptr. Throws InputError at a file that cannot
/// be run and at a name of the library.
ProgramSpecs read_programs(Section& solvers, const std::vector<std::string>& used);

/// Declares the keys of one such table, and rejects those that need `program` without it.
void declare_program(Section& table);

/// The keys of one such table as TOML.
std::string toml_of(const ProgramSpec& program);

}  // namespace rigidlimit
