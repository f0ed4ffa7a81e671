// run --dry-run: what would be done.
#pragma once

#include <string>

#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/stored_run.hpp"

namespace rigidlimit {

/// Prints the solves of the study (or of the shard), what its store has of them and how long the
/// rest will take; solves nothing and writes nothing.
void print_plan(const Study& study, const std::string& results, Shard shard,
                const StoreArguments& arguments, Session& session);

}  // namespace rigidlimit
