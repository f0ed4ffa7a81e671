// A run with the store of its study as archive.
#pragma once

#include <memory>
#include <string>

#include "rigidlimit/cli/command.hpp"
#include "rigidlimit/run/stored_run.hpp"

namespace rigidlimit {

struct StoreArguments {
  std::string shard;       ///< "k/n"; empty: the whole study
  bool fresh = false;      ///< delete stored solves first
  bool yes = false;        ///< without confirmation
  bool recompute = false;  ///< also solve stored solves, and compare
};

void add_store(Command& command, StoreArguments& arguments);  ///< adds --fresh, --yes, --recompute
void add_shard(Command& command, StoreArguments& arguments);  ///< adds --shard

/// Parses "2/4". Throws InputError with the text unless 1 <= k <= n <= 10 000.
Shard shard_of(const std::string& text);

/// Opens the store and begins the run. Asks for confirmation before deleting solves. Unless
/// `quiet`, prints whose tables will be replaced if the store's last run was another variant of the
/// study. Throws InputError if the store cannot be used.
std::unique_ptr<Store> opened_store(const std::string& path, const StoredRun& run,
                                    const StoreArguments& arguments, bool quiet);

/// Prints different results of repeated solves, and why results could not be stored. Returns the
/// exit status.
int status_of(const std::string& name, const RunEnd& end);

/// Prints the number of reused solves, if any.
void print_reused_solves(const std::string& name, const SolveCounts& counts);

}  // namespace rigidlimit
