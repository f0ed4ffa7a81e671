// Boost.Odeint's Bulirsch–Stoer method: what extrapolation makes of a problem that is not stiff.
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// Gragg's modified midpoint rule with 2, 4, 6, … substeps, extrapolated by polynomials; step and
/// number of columns (order 2 to 16) chosen together. Error test: the difference of the last two
/// columns, in the norm max_i |e_i| / (atol_i + rtol |y_i|). Steps end on the output times: no
/// interpolation. No fixed steps: it has no fixed order. Contract: OdeMethod::solve.
///
/// Odeint (seen in Boost 1.74) accepts a step whose result is NaN as a success and proposes a
/// longer one: its maximum norm skips NaN. Such a step is rejected here, and a shorter one tried.
///
/// Odeint forgets its number of columns whenever it is asked for another step than it proposed,
/// which each output time does.
Solution solve_bulirsch_stoer(const OdeProblem& problem, const std::vector<double>& times,
                              const SolveOptions& options);

}  // namespace rigidlimit
