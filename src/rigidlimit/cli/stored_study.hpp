// An experiment that was run before, out of its store.
#pragma once

#include <string>

#include "rigidlimit/cli/experiment.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// The store that a user means: results/NAME stands for results/NAME/results.db (of a map:
/// solves.db), and NAME for results/NAME where that is a directory.
std::string store_named(const std::string& text);

/// The system of the study that the store was last run for, where it is none of `systems`,
/// none with friction and no text; empty: it is one of them, or there is no study.
std::string unknown_system(const Store& store, const std::string& path,
                           const SystemCatalogue& systems);

/// What the store was last run for. Throws InputError where it was not, or where that cannot be
/// read any more.
Experiment experiment_in(const Store& store, const std::string& path,
                         const SystemCatalogue& systems);

}  // namespace rigidlimit
