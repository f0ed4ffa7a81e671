// The subcommand `export`: the content of stores, without solving.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/experiment/judge/measure.hpp"
#include "rigidlimit/report/chosen_tables.hpp"
#include "rigidlimit/report/foreign_text.hpp"
#include "rigidlimit/report/output.hpp"
#include "rigidlimit/store/stored_run.hpp"

namespace rigidlimit {

namespace {

constexpr const char* export_footer =
    "The output equals that of 'rigidlimit run --format ...'. With --table, --columns or\n"
    "--rows, only the matching parts are exported; a rolling study has the tables rigid,\n"
    "errors, ratios, energy, orders, coefficients, bounds and laws. --quantity, --norm,\n"
    "--window, --law and --solver select the rows of tables with such columns. In LaTeX,\n"
    "each table is a float with caption and label for \\input, split into parts if it is\n"
    "too wide; a comment at the head names the packages.\n"
    "For Parquet, and for motions in HDF5: scripts/plot --help, or\n"
    "python -m rigidlimit.analysis export --help\n"
    "If the system of a study is not built into this program, its tables are exported\n"
    "as a whole, as the other program last judged them.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit export results/knife_edge --format latex -o table.tex\n"
    "  rigidlimit export results/knife_edge --format latex --table errors \\\n"
    "      --norm sup --window all --caption 'Errors of the knife edge' \\\n"
    "      --label tab:knife_edge -o errors.tex\n"
    "  rigidlimit export results/knife_edge --table orders --quantity v\n"
    "  rigidlimit export results/ball_rolls --table claims --columns held \\\n"
    "      --rows within\n"
    "  rigidlimit export results/*_prediction --format csv --quantity q --norm sup";

struct ExportArguments {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> stores;
  std::string format;  ///< empty: csv, or table if tables, columns or rows are selected
  std::string output;
  TableChoice choice;
  TableLayout layout;
};

/// Whether the arguments select other tables than a run writes.
bool chosen(const ExportArguments& arguments) {
  return arguments.choice.anything() || arguments.layout.anything();
}

/// The tables in the store of a program that has the system, as data.
std::string tables_of_foreign(const Store& store, const std::string& path,
                              const std::string& system, const ExportArguments& arguments,
                              Format format) {
  if (chosen(arguments) || arguments.layout.siunitx)
    throw InputError(
        fmt::format("the system '{}' is not built into this program: its tables are exported only "
                    "as a whole; to select tables, use the program that has the system",
                    system),
        path);
  const std::string text = store.text(source_of_foreign(format));
  if (text.empty())
    throw InputError(fmt::format("the system '{}' is not built into this program, and the store "
                                 "has no tables: run it again with the program that has it",
                                 system),
                     path);
  print_message(
      "rigidlimit: {}: the system '{}' is not built into this program; the tables are those "
      "of the last run\n",
      path, system);
  return foreign_text(text, format, path);
}

void print_missing_solves(const SolveCounts& counts, const std::string& path) {
  if (counts.missing > 0)
    print_message("rigidlimit: {}: {} solves are missing; 'rigidlimit run' solves them\n", path,
                  counts.missing);
}

int run_export(ExportArguments& arguments) {
  require_writable(arguments.output);
  const bool is_text = !arguments.choice.table.empty() || !arguments.layout.columns.empty() ||
                       !arguments.layout.rows.empty();
  const std::string unasked = is_text ? "table" : "csv";
  const std::string name = arguments.format.empty() ? unasked : arguments.format;
  const Format format = format_named(name);
  if (arguments.layout.siunitx && format != Format::latex)
    throw InputError("is valid only with --format latex", "--siunitx");
  std::vector<Result> reports;
  std::vector<std::string> texts;
  for (const std::string& text : arguments.stores) {
    const std::string path = store_named(text);
    Store store(path, Store::Access::read);
    const std::string unknown = unknown_system(store, path, *arguments.systems);
    if (!unknown.empty()) {
      texts.push_back(tables_of_foreign(store, path, unknown, arguments, format));
      continue;
    }
    Result found = judge_store(experiment_in(store, path, *arguments.systems), store);
    print_missing_solves(found.counts, path);
    reports.push_back(std::move(found));
  }
  const bool to_screen = arguments.output.empty() && format == Format::table;
  const Screen screen = to_screen ? output_screen() : Screen();
  std::string text;
  if (chosen(arguments)) {
    text = formatted_tables(reports, format, arguments.choice, arguments.layout, screen);
  } else {
    if (!reports.empty())
      texts.insert(texts.begin(), formatted(reports, format, screen, arguments.layout.siunitx));
    text = joined(texts, format);
  }
  if (!arguments.output.empty())
    write_file(arguments.output, text);
  else
    print_toned(text, screen.colour);
  return exit_status::held;
}

constexpr std::array all_norms{Norm::sup, Norm::l1, Norm::l2};
constexpr std::array all_windows{Window::all, Window::after, Window::away};

void add_choice(Command& command, ExportArguments& arguments) {
  const auto add = [&command](const char* name, std::string& value, const char* text,
                              const char* type) {
    return command.option(name, value, text).value(type);
  };
  const auto words = [](const auto& values) {
    std::vector<std::string> names;
    for (const auto value : values) names.emplace_back(name_of(value));
    return names;
  };
  add("--table", arguments.choice.table, "only tables of this kind", "KIND");
  command
      .option("--columns", arguments.layout.columns,
              "only these columns, by header, or by name in CSV")
      .value("COLUMN,...")
      .one_at_a_time()
      .parted_by(',');
  add("--rows", arguments.layout.rows, "only rows with this text in a cell", "TEXT");
  add("--quantity", arguments.choice.quantity, "only this quantity: q, v, lambda, gap, a component",
      "QUANTITY");
  add("--norm", arguments.choice.norm, "only this norm", "NORM").one_of(words(all_norms));
  add("--window", arguments.choice.window, "only over all times, or after the layer", "WINDOW")
      .one_of(words(all_windows));
  add("--law", arguments.choice.law, "only this contact law of the study", "LAW");
  add("--solver", arguments.choice.solver, "only this compliant solver of the study", "SOLVER");
  add("--caption", arguments.layout.caption, "caption, if a single table is selected", "TEXT");
  add("--label", arguments.layout.label, "label of that table in LaTeX", "LABEL");
  command.flag("--siunitx", arguments.layout.siunitx, "set numbers of LaTeX in S columns");
}

}  // namespace

Subcommand add_export(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "export",
                  "Export the judged tables of experiments from their stores, without solving",
                  export_footer);
  const auto arguments = std::make_shared<ExportArguments>();
  arguments->systems = &systems;
  command.option("STUDY", arguments->stores, "results/NAME or a store (.db)").required();
  command
      .option("--format", arguments->format,
              "default: csv; with --table, --columns or --rows, table")
      .value("FORMAT")
      .one_of(names_of_formats());
  command.option("-o,--output", arguments->output, "write to this file, not to standard output")
      .value("FILE");
  add_choice(command, *arguments);
  return {command, [arguments] { return run_export(*arguments); }};
}

}  // namespace rigidlimit
