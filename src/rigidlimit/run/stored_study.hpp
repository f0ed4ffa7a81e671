// An earlier experiment, read from its store.
#pragma once

#include <string>

#include "rigidlimit/report/kinds.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// The store that an argument names: results/NAME means results/NAME/results.db, and NAME means
/// results/NAME if that is a directory.
std::string store_named(const std::string& text);

/// The system of the store's last study if it is not one of `systems`, i.e. user-defined in another
/// program; empty otherwise (also for systems with friction, systems of formulas, or no study).
std::string unknown_system(const Store& store, const std::string& path,
                           const SystemCatalogue& systems);

/// The experiment of the store's last run. Throws InputError if there was none or it cannot be read
/// by this program.
Experiment experiment_in(const Store& store, const std::string& path,
                         const SystemCatalogue& systems);

}  // namespace rigidlimit
