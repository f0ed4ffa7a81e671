// Chains of sleighs as benchmark problems.
#include <fmt/format.h>

#include "rigidlimit/experiment/benchmark/problems_of.hpp"
#include "rigidlimit/formulations/compliant/assembly_pair.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

namespace rigidlimit {

namespace {

PosedProblem posed(long count, double epsilon) {
  const SleighChain chain{.count = count, .sleigh = {}, .hitch = {}};
  const Assembly assembly = assembly_of(chain);
  // A mass near 1 and C = 1: D = 2 is nearly critical.
  const MatrixXd one = MatrixXd::Identity(1, 1);
  auto motion = epsilon == 0.0 ? rigid_assembly(assembly, start_of(chain))
                               : compliant_assembly(assembly, start_of(chain),
                                                    {.stiffness = one, .damping = 2.0 * one},
                                                    epsilon, VectorXd::Zero(count));
  return {.problem = std::move(motion.problem),
          .groups = [back = std::move(motion.motion)](const Solution& solution) {
            const Motion m = back(solution);
            return GroupValues{m.q, m.v, m.lambda};
          }};
}

/// Only CVODE supports sparse matrices: there is no independent solver to judge a long chain.
BenchmarkReference reference_of(long count, double epsilon, const std::vector<double>& times,
                                const std::function<bool()>& stop_requested) {
  const PosedProblem posed_problem = posed(count, epsilon);
  std::vector<GroupValues> found;
  for (const double rtol : {1e-12, 1e-11}) {
    const Solution solution =
        solve_cvode_bdf(posed_problem.problem, times,
                        {.rtol = rtol, .atol = rtol / 100.0, .stop_requested = stop_requested});
    if (solution.outcome != Outcome::success)
      return {.message =
                  fmt::format("cvode_bdf at rtol {:.0e}: {}", rtol, name_of(solution.outcome))};
    found.push_back(posed_problem.groups(solution));
  }
  BenchmarkReference reference{.values = found[0],
                               .how =
                                   "cvode_bdf, rtol 1e-12; error: the distance to the same method "
                                   "at 1e-11 (not independent: no other method here is sparse)"};
  for (std::size_t g = 0; g < found[0].size(); ++g)
    reference.error.push_back((found[0][g] - found[1][g]).cwiseAbs().maxCoeff());
  return reference;
}

}  // namespace

void add_problems(const ChainSet& set, int samples, BenchmarkProblems& all) {
  const std::vector<double> times = judged_times(set.end, samples);
  for (const double epsilon : set.epsilons)
    for (const long count : set.counts) {
      const std::string determinants = fmt::format("chain={} epsilon={}", count, epsilon);
      all.problems.push_back({.name = set.name,
                              .system = "sleigh_chain",
                              .epsilon = epsilon,
                              .formulation = epsilon == 0.0 ? "-" : "adapted",
                              .count = count,
                              .times = times,
                              .groups = {"q", "v", "lambda"},
                              .reference = all.references.size(),
                              .determinants = determinants,
                              .pose = [count, epsilon] { return posed(count, epsilon); }});
      all.references.push_back(
          {.name = fmt::format("{}, N = {}, ε = {:.4g}", set.name, count, epsilon),
           .determinants = determinants,
           .find = [count, epsilon, times](const std::function<bool()>& stop_requested) {
             return reference_of(count, epsilon, times, stop_requested);
           }});
    }
}

}  // namespace rigidlimit
