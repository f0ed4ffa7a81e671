// Classical stiff problems as benchmark problems.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/experiment/benchmark/certified_reference.hpp"
#include "rigidlimit/experiment/benchmark/problems_of.hpp"

namespace rigidlimit {

namespace {

ClassicalProblem made(const ClassicalSet& set) {
  ClassicalProblem problem = set.entry->make(set.parameters);
  if (set.end > 0.0) problem.end = set.end;
  return problem;
}

/// For a DAE, the ODE in fewer unknowns, which every method can solve; errors cover all unknowns.
PosedProblem posed(const ClassicalSet& set) {
  const ClassicalProblem problem = made(set);
  PosedProblem result{
      .problem = problem.real.ode,
      .groups = [complete = problem.real.complete, n = problem.size()](const Solution& solution) {
        MatrixXd all(n, solution.states.cols());
        for (Index k = 0; k < all.cols(); ++k)
          all.col(k) =
              complete(solution.times[static_cast<std::size_t>(k)], solution.states.col(k));
        return GroupValues{all};
      }};
  if (problem.is_dae()) return result;
  for (const double atol : problem.tolerance.atol)
    result.atol_over_rtol.push_back(atol / problem.tolerance.rtol);
  return result;
}

BenchmarkReference reference_of(const ClassicalSet& set,
                                const std::function<bool()>& stop_requested) {
  CertificationOptions options;
  options.in_quad = set.in_quad;
  options.stop_requested = stop_requested;
  const CertifiedReference found = certified_reference(made(set), options);
  if (!found.certified) return {.message = "too few solves succeeded to certify it"};
  std::vector<std::string> solves;
  for (const CertifyingSolve& s : found.solves)
    if (s.outcome == Outcome::success)
      solves.push_back(fmt::format("{} ({} bits, rtol {:.0e})", s.method, s.bits, s.rtol));
  return {
      .values = {found.y.template cast<double>()},
      .error = {found.error_bar.maxCoeff()},
      .how = fmt::format("{}: the first of {}; error: its distance to the same method in 53 bits",
                         set.name, fmt::join(solves, ", "))};
}

}  // namespace

void add_problems(const ClassicalSet& set, int, BenchmarkProblems& all) {
  const ClassicalProblem problem = made(set);
  const std::string determinants = fmt::format("classical={} parameters={} end={}", set.entry->name,
                                               fmt::join(set.parameters, ","), problem.end);
  all.problems.push_back({.name = set.name,
                          .system = set.entry->name,
                          .times = {problem.end},
                          .groups = {"all"},
                          .reference = all.references.size(),
                          .determinants = determinants,
                          .pose = [set] { return posed(set); }});
  all.references.push_back({.name = set.name,
                            .determinants = fmt::format("{} in_quad={}", determinants, set.in_quad),
                            .find = [set](const std::function<bool()>& stop_requested) {
                              return reference_of(set, stop_requested);
                            }});
}

}  // namespace rigidlimit
