// The subcommand `explain`.
#include <fmt/format.h>

#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/help/help_texts.hpp"
#include "rigidlimit/cli/help/markdown.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

namespace {

constexpr const char* explain_footer =
    "Without NAME, lists every word with one line of explanation.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit explain pre-asymptotic\n"
    "  rigidlimit explain solver_limited\n"
    "  rigidlimit explain 'failed: max_steps'";

void list_explanations() {
  std::string group;
  for (const Explanation& e : explanations()) {
    if (e.group != group) print_text((group.empty() ? "" : "\n") + std::string(e.group) + "\n");
    group = e.group;
    print_text(hanging(e.name, e.meaning(), 22));
  }
}

int explain(const std::string& name) {
  if (name.empty()) {
    list_explanations();
    return exit_status::held;
  }
  const Explanation* explanation = find_explanation(name);
  if (!explanation)
    throw InputError(fmt::format("'{}' is not a verdict, status or outcome{}", name,
                                 suggestion(name, names_of_explanations(), "rigidlimit explain")));
  print_text(text_of(*explanation));
  return exit_status::held;
}

}  // namespace

Subcommand add_explain(CLI::App& program, const SystemCatalogue&) {
  Command command(program, "explain",
                  "Explain a verdict, status or outcome: meaning, criterion, what to do next",
                  explain_footer);
  const auto name = std::make_shared<std::string>();
  command.option("NAME", *name, "verdict, status or outcome (default: list all)");
  return {command, [name] { return explain(*name); },
          [] {
            return ArgumentWords{{"NAME", names_of_explanations()}};
          }};
}

}  // namespace rigidlimit
