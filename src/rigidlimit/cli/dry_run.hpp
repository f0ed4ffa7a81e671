// --dry-run: what would be done.
#pragma once

#include <functional>
#include <string>

#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/study/study_plan.hpp"

namespace rigidlimit {

/// Prints the solves that plan(archive) finds, what the store at `path` has of them and how long
/// the rest will take. Solves nothing and writes nothing; throws InputError for a store that cannot
/// be read.
void print_plan(const std::string& name, const std::string& path, const StoreArguments& arguments,
                const std::function<StudyPlan(SolveArchive* archive)>& plan);

/// The same of the study, or of the shard.
void print_plan(const Study& study, const std::string& results, Shard shard,
                const StoreArguments& arguments, Session& session);

}  // namespace rigidlimit
