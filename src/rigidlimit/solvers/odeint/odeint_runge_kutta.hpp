// Boost.Odeint's explicit Runge-Kutta pairs, for non-stiff problems and independent references.
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

}  // namespace rigidlimit
