#include "rigidlimit/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/study/suggest.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about =
    "How fast does motion with a stiff viscoelastic rolling contact converge to ideal rolling?\n"
    "A study file names a system, a contact and values of eps; rigidlimit solves the rigid DAE "
    "and\n"
    "the stiff ODE of the same system and prints errors, orders and verdicts.";

constexpr const char* examples =
    "Examples:\n"
    "  rigidlimit run experiments/knife_edge.toml\n"
    "  rigidlimit run experiments/*.toml --jobs 2\n"
    "  rigidlimit run experiments/knife_edge.toml --set contact.damping_ratio=0.5 --format csv\n"
    "  rigidlimit check experiments/knife_edge.toml --junit report.xml\n"
    "  rigidlimit steps experiments/knife_edge.toml --set solvers.rtol=1e-12\n"
    "  rigidlimit map experiments/maps/knife_edge_damping.toml\n"
    "  rigidlimit bench experiments/benchmarks/contact_work_precision.toml --quick\n"
    "  rigidlimit describe rolling_disk\n"
    "  rigidlimit describe rolling_disk --linearise --q 0,0,0,0,0 --v 2,0,0,0,4\n"
    "  rigidlimit list solvers\n"
    "\n"
    "Exit status: 0 every expectation held, 1 not held, 2 could not run, 130 interrupted.";

std::string version_text() {
  std::string text = "rigidlimit";
  for (const auto& [key, value] : build_provenance())
    text += key == "version" ? " " + value : fmt::format("\n  {}: {}", key, value);
  return text;
}

/// CLI11 would only say that a subcommand is required.
void require_known_verb(int argc, const char* const* argv) {
  static const std::vector<std::string> verbs{"run",   "check", "map",     "bench",
                                              "steps", "list",  "describe"};
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string verb = argv[1];
  if (std::ranges::find(verbs, verb) == verbs.end())
    throw InputError(fmt::format("'{}' is no command{}", verb, suggestion(verb, verbs)));
}

/// The options of every verb that solves.
template <class Verb>
void add_studies(CLI::App& app, Verb& verb) {
  app.add_option("FILE", verb.files, "TOML files")->required();
  app.add_option("--set", verb.overrides,
                 "override a value: dotted.key=TOML value, e.g. contact.stiffness=2.5 or "
                 "'system.name=\"knife_edge\"'; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)  // or it would take the FILE after it
      ->take_all();
  app.add_flag("--no-progress", verb.no_progress, "no progress line, even on a terminal");
}

/// The options that run, check and map share.
template <class Verb>
void add_common(CLI::App& app, Verb& verb) {
  add_studies(app, verb);
  app.add_option("--jobs", verb.jobs,
                 "solves at a time (default: one a core); the same result for any")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

constexpr const char* about_bench =
    "Put integrators on trial: error against cost, order reduction, cost against eps or N";

constexpr const char* bench_footer =
    "Every method of a benchmark file solves every problem at every tolerance (or step, eps, N).\n"
    "Errors are measured from references with error bars, a failure is a row with its reason; "
    "then\n"
    "times are taken, one solve at a time. Prints who wins, and writes bench.csv, bench.json and\n"
    "page.md to results/NAME/.\n"
    "\n"
    "A benchmark file:\n"
    "  [benchmark]\n"
    "  name = \"mine\"\n"
    "  kind = \"work_precision\"     # order_reduction, cost_epsilon, cost_count\n"
    "  methods = [\"stiff\"]         # or \"all\", or names: rigidlimit list solvers\n"
    "  [tolerance]\n"
    "  rtol = {from = 1e-2, to = 1e-12, per_decade = 1}\n"
    "  [[problem]]\n"
    "  study = \"knife_edge.toml\"   # a study's system, start, contact and time\n"
    "  epsilon = [1e-2, 1e-4]\n"
    "\n"
    "Examples:\n"
    "  rigidlimit bench experiments/benchmarks/contact_work_precision.toml --quick\n"
    "  rigidlimit bench experiments/benchmarks/order_reduction.toml --jobs 2\n"
    "  rigidlimit bench mine.toml --set 'benchmark.methods=[\"radau_iia\", \"cvode_bdf\"]'";

void add_bench(CLI::App& app, BenchVerb& verb) {
  CLI::App* bench_app = app.add_subcommand("bench", about_bench);
  bench_app->footer(bench_footer);
  add_common(*bench_app, verb);
  bench_app->add_flag("--quick", verb.quick,
                      "the short form that the file gives (benchmark.quick)");
  bench_app->add_flag("--quiet", verb.quiet, "nothing but files and the exit status");
  bench_app->add_option("--results", verb.results, "directory of the result files")
      ->type_name("DIR")
      ->capture_default_str();
}

void add_describe(CLI::App& app, DescribeVerb& verb) {
  CLI::App* describe_app = app.add_subcommand(
      "describe", "Equations, parameters, units, defaults and source of a system, law or solver");
  describe_app->add_option("NAME", verb.name, "as listed by 'rigidlimit list'")->required();
  describe_app
      ->add_option("--set", verb.parameters, "a parameter of the system, e.g. mass=2.5; repeatable")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  describe_app->add_option("--q", verb.q, "coordinates to look at it (default: its own start)")
      ->delimiter(',')
      ->type_name("Q1,Q2,...");
  describe_app->add_option("--v", verb.v, "velocities there; what slides is taken off")
      ->delimiter(',')
      ->type_name("V1,V2,...");
  describe_app->add_flag("--linearise", verb.linearise,
                         "matrices M, D, Gamma, K, H and eigenvalues of small motions about it");
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const SystemCatalogue& systems) try {
  require_known_verb(argc, argv);
  CLI::App app(about, "rigidlimit");
  app.footer(examples);
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text, "version, commit, compiler and libraries");

  RunVerb run_verb;
  CLI::App* run_app =
      app.add_subcommand("run", "Run studies; print their tables and write them to results/NAME/");
  add_common(*run_app, run_verb);
  run_app->add_flag("--quiet", run_verb.quiet, "only the verdicts, on standard error");
  const std::map<std::string, Format> formats{{"table", Format::table},
                                              {"csv", Format::csv},
                                              {"json", Format::json},
                                              {"markdown", Format::markdown},
                                              {"latex", Format::latex}};
  std::string format_name = "table";
  run_app->add_option("--format", format_name, "what to print")
      ->type_name("FORMAT")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  run_app->add_option("-o,--output", run_verb.output, "print to this file instead")
      ->type_name("FILE");
  run_app->add_option("--results", run_verb.results, "directory of the result files")
      ->type_name("DIR")
      ->capture_default_str();

  CheckVerb check_verb;
  CLI::App* check_app = app.add_subcommand(
      "check", "Run studies and print the verdicts only: exit 0 held, 1 not held, 2 could not run");
  add_common(*check_app, check_verb);
  check_app->add_flag("--quiet", check_verb.quiet, "nothing but the exit status");
  check_app->add_option("--junit", check_verb.junit, "write a JUnit XML report")->type_name("FILE");

  StepsVerb steps_verb;
  CLI::App* steps_app = app.add_subcommand(
      "steps",
      "Count steps by formulation and eps: natural (q, v, eta) and adapted (q, u, w, eta)");
  add_studies(*steps_app, steps_verb);
  steps_app->add_flag("--csv", steps_verb.csv, "one line a solve, with all counters");
  steps_app
      ->add_option("--at-most", steps_verb.at_most,
                   "exit 1 if steps grow by more a decade of eps in the study's formulation")
      ->type_name("STEPS");
  MapVerb map_verb;
  CLI::App* map_app = app.add_subcommand(
      "map", "Run studies over a grid of dampings: maps of error and order, and the best damping");
  add_common(*map_app, map_verb);
  map_app->add_flag("--quiet", map_verb.quiet, "nothing but files and the exit status");
  map_app->add_option("--results", map_verb.results, "directory of the result files")
      ->type_name("DIR")
      ->capture_default_str();

  BenchVerb bench_verb;
  add_bench(app, bench_verb);

  std::string what, experiments = "experiments";
  CLI::App* list_app = app.add_subcommand("list", "List systems, solvers, laws or studies");
  list_app->add_option("WHAT", what, "systems, solvers, laws or studies (default: all)")
      ->check(CLI::IsMember({"systems", "solvers", "laws", "studies"}));
  list_app->add_option("--experiments", experiments, "directory of the studies")
      ->type_name("DIR")
      ->capture_default_str();

  DescribeVerb describe_verb;
  add_describe(app, describe_verb);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_status::held : exit_status::could_not;
  }
  run_verb.format = formats.at(format_name);
  run_verb.systems = check_verb.systems = steps_verb.systems = map_verb.systems =
      bench_verb.systems = describe_verb.systems = &systems;
  const int status = run_app->parsed()             ? run(run_verb)
                     : check_app->parsed()         ? check(check_verb)
                     : steps_app->parsed()         ? steps(steps_verb)
                     : map_app->parsed()           ? map(map_verb)
                     : app.got_subcommand("bench") ? bench(bench_verb)
                     : list_app->parsed()          ? list(systems, what, experiments)
                                                   : describe(describe_verb);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw InputError("cannot be written: disk full?", "standard output");
  return status;
} catch (const std::exception& e) {
  fmt::print(stderr, "rigidlimit: {}\n", printable(e.what()));
  return exit_status::could_not;
}

}  // namespace rigidlimit
