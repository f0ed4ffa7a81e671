// The verb that puts methods on trial.
#include <memory>

#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/bench/run_benchmark.hpp"
#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/bench_report.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about =
    "Put integrators on trial: error against cost, order reduction, cost against eps or N";

constexpr const char* footer =
    "Every method of a benchmark file solves every problem at every tolerance (or step, eps, N).\n"
    "Errors are measured from references with error bars, a failure is a row with its reason; "
    "then\n"
    "times are taken, one solve at a time. Prints who wins, and writes bench.csv, bench.json and\n"
    "page.md to results/NAME/. The short form is a benchmark of its own, NAME_quick; what Ctrl-C "
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
  bool quick = false;  ///< the short form that each file gives; times are taken one at a time
};

int bench(const BenchArguments& arguments) {
  return for_each_file(
      arguments, "benchmark.name",
      [&](const std::string& file) {
        return read_benchmark(file, {arguments.overrides, arguments.quick}, *arguments.systems);
      },
      [](const Benchmark& benchmark) { return benchmark.name; },
      [&](const Benchmark& benchmark) {
        const BenchResult result = run_with_progress(
            arguments, benchmark.name,
            [&](const RunOptions& options) { return run_benchmark(benchmark, options); });
        const int status = hand_out(arguments, result, bench_report, write_bench);
        if (result.interrupted && !arguments.quiet)
          fmt::print(stderr, "{0}: interrupted; {1}/{0} is left as it was\n", benchmark.name,
                     printable(arguments.results));
        return status;
      });
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
  add_results(command, *arguments);
  return {command, [arguments] { return bench(*arguments); }};
}

}  // namespace rigidlimit
