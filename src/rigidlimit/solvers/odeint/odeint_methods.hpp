// Methods of Boost.Odeint for non-stiff problems and independent references: explicit Runge-Kutta
// pairs, and the Bulirsch–Stoer method.
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// Fehlberg's pair of order 8(7), propagated with order 8. Steps end on the output times: no
/// interpolation. Step control by max_i |e_i| / (atol + rtol |y_i|). Contract: OdeMethod::solve.
Solution solve_runge_kutta_fehlberg78(const OdeProblem& problem, const std::vector<double>& times,
                                      const SolveOptions& options);

/// Dormand & Prince's pair of order 5(4), likewise.
Solution solve_dopri5(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options);

/// Gragg's modified midpoint rule with 2, 4, 6, … substeps, extrapolated by polynomials; step and
/// number of columns (order 2 to 16) are chosen together. Error test: the difference of the last
/// two columns, in the norm max_i |e_i| / (atol_i + rtol |y_i|). Steps end on the output times: no
/// interpolation. No fixed steps: it has no fixed order. Contract: OdeMethod::solve.
///
/// Odeint (seen in Boost 1.74) accepts a step whose result is NaN and proposes a longer one: its
/// maximum norm skips NaN. Here such a step is rejected and repeated with a shorter one.
///
/// Odeint resets its number of columns whenever the requested step differs from the proposed one,
/// as at each output time.
Solution solve_bulirsch_stoer(const OdeProblem& problem, const std::vector<double>& times,
                              const SolveOptions& options);

}  // namespace rigidlimit
