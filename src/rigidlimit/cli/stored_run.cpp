#include "rigidlimit/cli/stored_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

/// Asks on a terminal for confirmation of --fresh; throws InputError without a terminal.
bool may_forget(int solves, const std::string& path, bool yes) {
  if (yes || solves == 0) return true;
  if (isatty(STDIN_FILENO) == 0)
    throw InputError(fmt::format("has {} finished solves, which --fresh would delete: add --yes to "
                                 "confirm, as standard input is not a terminal",
                                 solves),
                     path);
  fmt::print(stderr, "{} has {} finished solves. Delete them and start over? [y/N] ", path, solves);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

/// The store contains the solves of all variants, but one table and one set of files.
void print_replaced_run(const Store& store, const StoredRun& run) {
  const std::string changes = replaced_values(store, run);
  if (changes.empty()) return;
  fmt::print(stderr,
             "{0}: replaces the tables of another variant: {1}. Its solves are kept; to keep its "
             "tables as well, rename this run with --set 'study.name=\"{0}_2\"'\n",
             run.name, changes);
}

}  // namespace

std::unique_ptr<Store> opened_store(const std::string& path, const StoredRun& run,
                                    const StoreArguments& arguments, bool quiet) {
  auto store = std::make_unique<Store>(path, Store::Access::write);
  if (arguments.fresh) {
    if (!may_forget(store->finished(), path, arguments.yes)) throw InputError("is unchanged", path);
    store->clear();
  } else if (!quiet) {
    print_replaced_run(*store, run);
  }
  store->begin_run(run);
  return store;
}

int status_of(const std::string& name, const RunEnd& end) {
  int status = exit_status::held;
  if (!end.failure.empty()) {
    fmt::print(stderr, "rigidlimit: {}\n", end.failure);
    status = exit_status::could_not;
  }
  for (const Finding& finding : end.findings) {
    fmt::print(stderr, "rigidlimit: {}: a repeated solve has another result: {}: {}\n", name,
               printable(finding.solve), printable(finding.what));
    status = std::max(status, exit_status::not_held);
  }
  return status;
}

void print_reused_solves(const std::string& name, const SolveCounts& counts) {
  if (counts.reused > 0)
    fmt::print(stderr, "{}: {} of {} solves were reused from the store\n", name, counts.reused,
               counts.reused + counts.computed + counts.missing);
}

Shard shard_of(const std::string& text) {
  constexpr int most = 10'000;
  Shard shard{0, 0};
  const char* const end = text.data() + text.size();
  const auto [slash, bad] = std::from_chars(text.data(), end, shard.index);
  if (bad == std::errc() && slash != end && *slash == '/') {
    const auto [rest, worse] = std::from_chars(slash + 1, end, shard.count);
    if (worse == std::errc() && rest == end && shard.index >= 1 && shard.index <= shard.count &&
        shard.count <= most)
      return shard;
  }
  throw InputError(
      fmt::format("--shard {}: must be k/n with 1 <= k <= n <= {}, e.g. 2/4", text, most));
}

void add_store(Command& command, StoreArguments& arguments) {
  const OptionDeclaration fresh =
      command.flag("--fresh", arguments.fresh, "delete stored solves and start over (asks first)");
  command.flag("--yes", arguments.yes, "with --fresh: do not ask for confirmation").needs(fresh);
  command.flag("--recompute", arguments.recompute, "repeat stored solves and report differences")
      .excludes(fresh);
}

void add_shard(Command& command, StoreArguments& arguments) {
  command.option("--shard", arguments.shard, "solve only part K of N; then 'rigidlimit merge'")
      .value("K/N");
}

}  // namespace rigidlimit
