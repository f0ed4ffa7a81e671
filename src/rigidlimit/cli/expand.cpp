// The subcommand `expand`: the terms of the expansion in ε.
#include <memory>

#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/problem_options.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/output.hpp"

namespace rigidlimit {

namespace {

constexpr const char* expand_footer =
    "Computes the expansion of the compliant motion of a rolling study in powers of\n"
    "epsilon, q = sum of eps^k (q_k(t) + Q_k(t/eps)): outer terms on the whole\n"
    "interval and layer terms near the start, without solving a stiff problem. The\n"
    "table gives the largest values of all terms, and the epsilon above which the\n"
    "next term is larger than the last one: there the expansion is of no use.\n"
    "\n"
    "The law must be viscoelastic with beta = 1, or beta = 2: then in powers of eps^2.\n"
    "The start may be unloaded, prepared or sliding, contacts may be redundant, the\n"
    "force may switch. Outer and layer terms are computed independently and must\n"
    "match (docs/theory.md, section 13).\n"
    "\n"
    "With a small damping ratio zeta the terms grow like zeta^(-2k), so that eps must be\n"
    "far below zeta^2; with a large one, far below 1/zeta. Both bounds are printed.\n"
    "\n"
    "--csv writes the terms themselves, one row for each time and component: outer\n"
    "terms at time.samples times t, layer terms at time.layer_samples values of t/eps.\n"
    "scripts/plot expansion FILE draws them.\n"
    "\n"
    "Exit status: 0 all orders match, 1 one does not, 2 could not run.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit expand knife_edge\n"
    "  rigidlimit expand rolling_disk --order 4\n"
    "  rigidlimit expand study.toml --set contact.damping_ratio=0.5 --format json\n"
    "  rigidlimit expand study.toml --order 3 --csv terms.csv";

struct ExpandArguments : FileArguments {
  OutputArguments output;
  std::string csv;  ///< file for the terms as functions of time; empty: none
  int order = 6;
};

int expand(const ExpandArguments& arguments) {
  Reporter reporter(arguments.output, arguments.quiet);
  require_writable(arguments.csv);
  std::string rows;
  const int worst = for_each_experiment(arguments, false, reporter, [&](const FromFile& from) {
    const auto begin = std::chrono::steady_clock::now();
    const std::shared_ptr<const RollingStudy> study = rolling_study(from.experiment);
    if (study == nullptr)
      throw InputError("is a sweep, friction study or benchmark; a rolling study has an expansion");
    if (const std::string refusal = refusal_of(consumers::expansion, *study); !refusal.empty())
      throw InputError(refusal);
    const SeriesExpansion<double> expansion =
        series_of<double>(*study, arguments.order, switch_crossings(*study));
    const SeriesTerms terms = series_terms(*study, expansion);
    Result report = in_tables(terms);
    const int status = status_of(report);
    reporter.take(std::move(report), from.file, begin);
    if (!arguments.csv.empty()) {
      const Table table = curve_rows(terms, term_curves(study->model, expansion, study->time));
      rows += (rows.empty() ? csv_header(table) : "") + csv_lines(table);
    }
    return status;
  });
  if (!rows.empty()) write_file(arguments.csv, rows);
  return worst;
}

}  // namespace

Subcommand add_expand(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "expand", "Expand the compliant motion in powers of eps", expand_footer);
  const auto arguments = std::make_shared<ExpandArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  command.option("--order", arguments->order, "highest power of eps, 0 to 8")
      .value("K")
      .shows_default();
  command
      .option("--csv", arguments->csv, "write the terms as functions of t and t/eps to this file")
      .value("FILE");
  add_quiet(command, *arguments, "print only the verdict, on standard error");
  add_output(command, arguments->output);
  return {command, [arguments] { return expand(*arguments); }};
}

}  // namespace rigidlimit
