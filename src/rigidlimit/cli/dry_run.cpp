#include "rigidlimit/cli/dry_run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/plan_table.hpp"
#include "rigidlimit/record/store.hpp"

namespace rigidlimit {

void print_plan(const Study& study, const std::string& results, Shard shard,
                const StoreArguments& arguments, Session& session) try {
  const std::string path = store_path(results, study.name, shard);
  std::error_code ignored;
  std::unique_ptr<Store> store;
  // What is forgotten or solved again is as good as not there.
  if (!arguments.fresh && !arguments.recompute && std::filesystem::exists(path, ignored))
    store = std::make_unique<Store>(path, Store::Access::read);
  const StudyPlan plan =
      plan_of(study, {.jobs = session.jobs(), .archive = store.get(), .shard = shard});
  fmt::print("{}: {} solves{}\n{}{}\n\n", study.name, plan.solves,
             store ? fmt::format(", {} of them kept in {}", plan.kept, printable(path)) : "",
             terminal_text(plan_table(plan), colour_wanted()), left_text(plan.left));
} catch (const InputError& e) {
  session.complain(e.what());
}

}  // namespace rigidlimit
