// Quad in a separate translation unit, because it compiles slowly.
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/solvers/radau/radau_solve.hpp"

namespace rigidlimit {

template SolutionOf<Quad> solve_radau_iia(const OdeProblemOf<Quad>&, const std::vector<double>&,
                                          const SolveOptions&, const RadauOptions&);
template SolutionOf<Quad> solve_radau_iia(const MassProblemOf<Quad>&, const std::vector<double>&,
                                          const SolveOptions&, const RadauOptions&);

}  // namespace rigidlimit
