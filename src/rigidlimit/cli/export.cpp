// The verb that gives out what stores hold, without solving.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/stored_study.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/output.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "The texts are those of 'rigidlimit run --format ...'. For Parquet and for motions in HDF5:\n"
    "  scripts/plot --help, or python -m analysis export --help\n"
    "A study whose system only another program has is given out as that program last judged it.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit export results/knife_edge --format latex -o table.tex\n"
    "  rigidlimit export results/*_prediction --format csv";

struct ExportArguments {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> stores;
  std::string format = "csv";
  std::string output;
};

/// The tables that the program which has the system wrote into the store.
std::string foreign_text(const Store& store, const std::string& path, const std::string& system,
                         const std::string& format) {
  std::string text = store.text(format);
  if (text.empty())
    throw InputError(fmt::format("is of the system '{}', which this program has not, and holds no "
                                 "tables of a study: run it again with the program that has it",
                                 system),
                     path);
  fmt::print(stderr,
             "rigidlimit: {}: this program has no system '{}'; the tables are as they were last "
             "judged\n",
             printable(path), system);
  return text;
}

int run_export(const ExportArguments& arguments) {
  std::vector<StudyResult> results;
  std::vector<std::string> foreign;
  for (const std::string& text : arguments.stores) {
    const std::string path = store_named(text);
    Store store(path, Store::Access::read);
    const std::string unknown = unknown_system(store, path, *arguments.systems);
    if (!unknown.empty()) {
      foreign.push_back(foreign_text(store, path, unknown, arguments.format));
      continue;
    }
    results.push_back(judged_from(store, study_in(store, path, *arguments.systems)));
    if (const int missing = results.back().counts.missing; missing > 0)
      fmt::print(stderr, "rigidlimit: {}: {} solves are missing, 'rigidlimit run' continues it\n",
                 path, missing);
  }
  const Format format = formats().at(arguments.format);
  const bool to_file = !arguments.output.empty();
  if (!results.empty())
    foreign.insert(foreign.begin(), formatted(results, format, !to_file && colour_wanted()));
  const std::string text = joined(foreign, format);
  if (to_file)
    write_file(arguments.output, text);
  else
    fmt::print("{}", text);
  return exit_status::held;
}

}  // namespace

Verb add_export(CLI::App& program, const SystemCatalogue& systems) {
  CLI::App& app = *program.add_subcommand(
      "export", "Give out the judged tables of studies from their stores; nothing is solved");
  app.footer(footer);
  const auto arguments = std::make_shared<ExportArguments>();
  arguments->systems = &systems;
  app.add_option("STUDY", arguments->stores, "results/NAME, or a store")->required();
  app.add_option("--format", arguments->format, "what to write")
      ->type_name("FORMAT")
      ->check(CLI::IsMember(formats()))
      ->capture_default_str();
  app.add_option("-o,--output", arguments->output, "a file instead of standard output")
      ->type_name("FILE");
  return {&app, [arguments] { return run_export(*arguments); }};
}

}  // namespace rigidlimit
