// TOML -> Sweep.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// The keys that a sweep adds to those of its studies.
std::vector<KeyTableInfo> tables_of_sweeps();

/// Whether the file is a sweep, of any kind of study.
bool is_sweep(const TomlDocument& document);

/// The keys of [sweep] are dotted keys of the same file, quoted or not:
///
///   contact.damping_ratio = [0.25, 0.5, 1.0]                     values of any kind but tables
///   contact.damping = {from = 1.0, to = 1e5, count = 25}         geometric
///   time.end = {from = 1.0, to = 2.0, count = 5, spacing = "linear"}
///   [[sweep.zip]]                                                keys that change together
///   keys = ["system.friction_left", "system.friction_right"]
///   values = [[0.1, 0.1], [0.2, 0.2]]                            a row for each value
///   name = "friction"                                            optional: one column in tables,
///   labels = ["low", "high"]                                     with these values
///
/// (to/from or to − from in count − 1 equal parts; both ends are exact). Throws InputError for an
/// empty [sweep], a key without values, a repeated value or key, a key also given by --set, the key
/// study.name, more than 10 000 points, and a key or value of `where` or [[least]] that is not
/// swept (a value may be missing if --set gave those of its key: then the table does not apply).
SweepGrid read_sweep_grid(const TomlDocument& document);

/// The file at the point `number`, without [sweep], [[least]] and the tables that do not apply
/// there. The place of each swept value is its place in [sweep].
TomlDocument document_at(const TomlDocument& document, const SweepGrid& grid, std::size_t number);

/// The resolved texts of all points as one file: their common values, the lists of tables with a
/// condition as the file has them, [[least]] and [sweep].
std::string resolved_sweep(const std::vector<std::string>& points, const SweepGrid& grid);

}  // namespace rigidlimit
