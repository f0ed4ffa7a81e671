#include "rigidlimit/solvers/radau/radau_iia.hpp"

#include "rigidlimit/solvers/radau/radau_batched.hpp"
#include "rigidlimit/solvers/radau/radau_solve.hpp"

namespace rigidlimit {

template SolutionOf<double> solve_radau_iia(const OdeProblemOf<double>&, const std::vector<double>&,
                                            const SolveOptions&, const RadauOptions&);
template SolutionOf<double> solve_radau_iia(const MassProblemOf<double>&,
                                            const std::vector<double>&, const SolveOptions&,
                                            const RadauOptions&);

Solution solve_radau_iia_fastest(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options) {
  if (problem.batched && !problem.roots) return solve_radau_iia_batched(problem, times, options);
  return solve_radau_iia(problem, times, options, RadauOptions{});
}
Solution solve_radau_iia_3(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options) {
  return solve_radau_iia(problem, times, options, RadauOptions{.stages = 3});
}
Solution solve_radau_iia_5(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options) {
  return solve_radau_iia(problem, times, options, RadauOptions{.stages = 5});
}
Solution solve_radau_iia_7(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options) {
  return solve_radau_iia(problem, times, options, RadauOptions{.stages = 7});
}

}  // namespace rigidlimit
