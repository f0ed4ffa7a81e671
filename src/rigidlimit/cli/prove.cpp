// The subcommand `prove`: constants of convergence as theorems.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/report/output.hpp"

namespace rigidlimit {

namespace {

constexpr const char* prove_footer =
    "Proves, for every eps in (0, eps0] at once and on the whole interval of time, that\n"
    "\n"
    "  | sup |q - q^| - K eps^2 | <= K3 eps^3,   likewise v behind the layer,\n"
    "\n"
    "with K enclosed to 1e-8: q^ is the ideal rolling motion, q that with the stiff\n"
    "viscoelastic contact. Ball arithmetic encloses the rigid motion and the leading\n"
    "term, and bounds what remains. No stiff problem is solved and no number is\n"
    "fitted, so that the steps do not depend on eps (docs/certified.md has the proof).\n"
    "\n"
    "Every claim of the study is judged: proved, refuted or open. A claim that no\n"
    "theorem is about (of lambda, a component, L2, a ratio, steps) is open. A bound\n"
    "must hold on its whole interval of eps.\n"
    "\n"
    "eps0 is the largest one for which the proof succeeds: the given number, or the\n"
    "next smaller ones of 0.1, 0.05, 0.02, 0.01, ..., at least 1e-5.\n"
    "\n"
    "Before it begins, standard error lists the claims that the theorems can judge, and\n"
    "why not the others. The progress line then names the eps0 that is tried, its part\n"
    "of the interval that is done, an estimate of its time, and the time of those before.\n"
    "The number of values to come is a bound: the first that succeeds ends the search.\n"
    "A proof that gives up or is interrupted prints each eps0 with its time and reason.\n"
    "\n"
    "The law must be viscoelastic with beta = 1 and any damping ratio, the start\n"
    "rolling, the spring unloaded or prepared, the equations smooth, the interval the\n"
    "same for every eps, and dependent contact rows dependent identically.\n"
    "\n"
    "Exit status: 0 all claims proved, 1 one is refuted or open, 2 could not run, or\n"
    "nothing was proved.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit prove knife_edge_prediction\n"
    "  rigidlimit prove knife_edge chaplygin_sleigh --largest-epsilon 0.01 \\\n"
    "      --junit proofs.xml\n"
    "  rigidlimit prove study.toml --set contact.damping_ratio=0.5 --format json";

struct ProveArguments : FileArguments {
  OutputArguments output;
  double largest_epsilon = 0.0;
};

/// The claims that a theorem can judge, before the proof, which may take minutes.
void print_scope(const RollingStudy& study, double largest_epsilon) {
  const double largest = first_epsilon(study, largest_epsilon);
  const std::vector<ProvedClaim> claims = claims_before_proof(study);
  const auto open =
      std::ranges::count_if(claims, [](const ProvedClaim& claim) { return claim.reason.empty(); });
  std::string text = fmt::format(
      "{}: the theorems can judge {} of {} claims; eps0 from {:g} down, at most {} values\n",
      printable(study.name), open, claims.size(), largest, epsilons_to_try(largest).size());
  for (const ProvedClaim& claim : claims)
    text += fmt::format("  {}{}\n", printable(claim.text),
                        claim.reason.empty() ? "" : ": not judged: " + printable(claim.reason));
  text.pop_back();
  print_text(folded(text, STDERR_FILENO) + "\n", Stream::error);
}

int prove(const ProveArguments& arguments) {
  Reporter reporter(arguments.output, arguments.quiet);
  return for_each_experiment(arguments, false, reporter, [&](const FromFile& from) {
    const auto begin = std::chrono::steady_clock::now();
    const std::shared_ptr<const RollingStudy> study = rolling_study(from.experiment);
    if (study == nullptr)
      throw InputError("is a sweep, friction study or benchmark; a rolling study has a theorem");
    if (const std::string obstacle = obstacle_to_theorem(consumers::proof, *study);
        obstacle.empty() && !arguments.quiet)
      print_scope(*study, arguments.largest_epsilon);
    Result report = in_tables(run_with_progress(
        arguments, study->name,
        [&](const RunOptions& options) {
          return study_proof(consumers::proof, *study, arguments.largest_epsilon, options);
        },
        "no step of the proof has ended yet"));
    const int status = status_of(report);
    reporter.take(std::move(report), from.file, begin);
    return status;
  });
}

}  // namespace

Subcommand add_prove(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "prove", "Prove the constants of convergence for all eps at once",
                  prove_footer);
  const auto arguments = std::make_shared<ProveArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  command
      .option("--largest-epsilon", arguments->largest_epsilon,
              "eps0, the largest eps of the theorem (default: the largest of the study)")
      .value("EPS")
      .within(1e-5, 1.0);
  add_quiet(command, *arguments, "print only the verdict, on standard error");
  add_output(command, arguments->output);
  return {command, [arguments] { return prove(*arguments); }};
}

}  // namespace rigidlimit
