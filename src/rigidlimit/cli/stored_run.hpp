// A run whose solves go into the store of its study, and come from there.
#pragma once

#include <memory>
#include <string>

#include "rigidlimit/cli/command.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

struct StoreArguments {
  std::string shard;       ///< "k/n"; empty: the whole study
  bool fresh = false;      ///< forget what is kept
  bool yes = false;        ///< without asking
  bool recompute = false;  ///< solve what is kept as well, and compare
};

void add_store(Command& command, StoreArguments& arguments);  ///< --fresh, --yes and --recompute
void add_shard(Command& command, StoreArguments& arguments);  ///< --shard

/// "2/4". Throws InputError with the text unless 1 <= k <= n <= 10 000.
Shard shard_of(const std::string& text);

/// Opens the store and begins the run in it; asks before it forgets, and says (unless `quiet`)
/// whose tables will be replaced where the store was last run for another variant of the study.
/// Throws InputError if the store cannot be used.
std::unique_ptr<Store> opened_store(const std::string& path, const StoredRun& run,
                                    const StoreArguments& arguments, bool quiet);

/// `options` with the store as their memory; a store that can keep no more stops the run.
RunOptions kept_in(Store& store, const StoreArguments& arguments, RunOptions options);

/// Ends the run and says what was kept from before, what is another result than before, and what
/// could not be kept; the exit status that this asks for.
int closed_store(const std::string& name, Store& store, const SolveCounts& counts, bool quiet);

/// Says how many solves were kept from before, if any were.
void print_reused_solves(const std::string& name, const SolveCounts& counts);

}  // namespace rigidlimit
