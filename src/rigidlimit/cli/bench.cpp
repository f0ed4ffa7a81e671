// The verb that puts methods on trial.
#include <memory>

#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/bench/run_benchmark.hpp"
#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/reports.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about =
    "Put integrators on trial: error against cost, order reduction, cost against eps or N";

constexpr const char* footer =
    "Every method of a benchmark file solves every problem at every tolerance (or step, eps, N).\n"
    "Errors are measured from references with error bars, a failure is a row with its reason; "
    "then\n"
    "times are taken, one solve at a time. Prints who wins, and writes bench.csv, .json, .txt, "
    ".md,\n"
    ".tex and .toml to results/NAME/. The short form is a benchmark of its own, NAME_quick; what "
    "Ctrl-C "
    "leaves\n"
    "goes to results/NAME_interrupted/.\n"
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

struct BenchArguments : FileArguments {
  OutputArguments output;
  bool quick = false;  ///< the short form that each file gives; times are taken one at a time
};

/// What was interrupted must not replace the files of a whole run.
int run_one(const Benchmark& benchmark, const std::string& file, const BenchArguments& arguments,
            Reporter& reporter) {
  const auto begin = std::chrono::steady_clock::now();
  const BenchResult result = run_with_progress(
      arguments, benchmark.name,
      [&](const RunOptions& options) { return run_benchmark(benchmark, options); });
  Report report = report_of(result);
  const int status = status_of(report);
  write_and_say(report, directory_of(arguments.results, report), arguments.quiet);
  if (result.interrupted && !arguments.quiet)
    fmt::print(stderr, "{0}: interrupted; {1}/{0} is left as it was\n", benchmark.name,
               printable(arguments.results));
  reporter.take(std::move(report), file, begin);
  return status;
}

int bench(const BenchArguments& arguments) {
  Reporter reporter(arguments.output, arguments.quiet);
  return for_each_file(
      arguments, "benchmark.name",
      [&](const std::string& file) {
        return read_benchmark(file, {arguments.overrides, arguments.quick}, *arguments.systems);
      },
      [](const Benchmark& benchmark) { return benchmark.name; },
      [&](const Benchmark& benchmark, const std::string& file) {
        return run_one(benchmark, file, arguments, reporter);
      },
      reporter);
}

}  // namespace

Verb add_bench(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "bench", about, footer);
  const auto arguments = std::make_shared<BenchArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  command.flag("--quick", arguments->quick,
               "the short form that the file gives (benchmark.quick), as NAME_quick");
  add_quiet(command, *arguments, "nothing but files and the exit status");
  add_output(command, arguments->output);
  add_results(command, *arguments);
  return {command, [arguments] { return bench(*arguments); }};
}

}  // namespace rigidlimit
