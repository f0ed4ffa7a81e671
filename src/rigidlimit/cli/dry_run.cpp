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

void print_plan(const std::string& name, const std::string& path, const StoreArguments& arguments,
                const std::function<StudyPlan(SolveArchive* archive)>& plan) {
  std::error_code ignored;
  std::unique_ptr<Store> store;
  // What is forgotten or solved again is as good as not there.
  if (!arguments.fresh && !arguments.recompute && std::filesystem::exists(path, ignored))
    store = std::make_unique<Store>(path, Store::Access::read);
  const StudyPlan found = plan(store.get());
  fmt::print("{}: {} solves{}\n{}{}\n\n", name, found.solves,
             store ? fmt::format(", {} of them kept in {}", found.kept, printable(path)) : "",
             terminal_text(plan_table(found), colour_wanted()), left_text(found.left));
}

void print_plan(const Study& study, const std::string& results, Shard shard,
                const StoreArguments& arguments, Session& session) try {
  print_plan(study.name, store_path(results, study.name, shard), arguments,
             [&](SolveArchive* archive) {
               return plan_of(study, {.jobs = session.jobs(), .archive = archive, .shard = shard});
             });
} catch (const InputError& e) {
  session.complain(e.what());
}

}  // namespace rigidlimit
