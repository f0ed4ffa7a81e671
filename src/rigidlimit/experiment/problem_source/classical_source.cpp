#include "rigidlimit/experiment/problem_source/classical_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rigidlimit/experiment/benchmark/certified_reference.hpp"

namespace rigidlimit {
namespace {

void add_reference(WrittenProblem& written, const ClassicalProblem& problem,
                   const ClassicalSourceOptions& options) {
  const CertifiedReference found = certified_reference(
      problem, {.in_quad = options.in_quad, .stop_requested = options.stop_requested});
  if (!found.certified) {
    written.reference_text = "none, since too few solves agree to certify one";
    return;
  }
  const VectorXd y = found.y.cast<double>();
  written.reference =
      ReferenceEnd{.y = y,
                   .error = found.discretisation_bar +
                            0.5 * std::numeric_limits<double>::epsilon() * y.cwiseAbs()};
  const char* numbers = options.in_quad ? "113 bits" : "double";
  written.reference_text = fmt::format(
      "Radau IIA of variable order in {0}, certified by {1} further solves; error: the distance "
      "to {2} stages in {0}, and the rounding to double",
      numbers, found.solves.size() - 1, options.in_quad ? 7 : 5);
}

}  // namespace

WrittenProblem classical_source(const ClassicalEntry& entry, const std::vector<double>& parameters,
                                const ClassicalSourceOptions& options) {
  const ClassicalProblem problem = entry.make(parameters);
  const OdeProblem& equations = problem.is_dae() ? *problem.real.dae : problem.real.ode;
  WrittenProblem written{.name = entry.name,
                         .title = entry.title,
                         .facts = {"Source: " + entry.source},
                         .names = problem.unknowns,
                         .units = std::vector<std::string>(problem.unknowns.size()),
                         .equations = equations.recorded(),
                         .parameter_names = {},
                         .parameters = {},
                         .t0 = problem.t0,
                         .t1 = problem.end,
                         .y0 = equations.y0,
                         .mass = problem.is_dae() ? problem.real.dae->mass : MatrixXd(),
                         .index = problem.is_dae() ? problem.real.dae->index : std::vector<int>(),
                         .check = check_values(equations, problem.end),
                         .reference_text = "not computed",
                         .reference = {}};
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    written.facts.push_back(fmt::format("Parameter: {} = {} ({})", entry.parameters[i].name,
                                        parameters.at(i), entry.parameters[i].text));
  if (options.with_reference) add_reference(written, problem, options);
  return written;
}

}  // namespace rigidlimit
