// Radau IIA methods of order 2s − 1 with s stages, for stiff and differential-algebraic problems,
// in double and in 113 bits.
#pragma once

#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

struct RadauOptions {
  int stages = 0;  ///< s; 0: odd, by the tolerance
};

/// Solves y' = f(t, y): contract as OdeMethod::solve; T is double or Quad.
///
/// A Newton iteration in T solves for the stages, with corrections in double
/// (solvers/radau/radau_newton_matrix.hpp), so that only right-hand sides cost more for T = Quad.
/// The local error is estimated with order s, as in Hairer & Wanner's RADAU5 and RADAU (Solving
/// ODEs II, IV.8), and kept below rtol |y| + atol in the root mean square. The solution itself has
/// order 2s − 1 and is far more accurate where the problem is smooth. Output between steps is by
/// the collocation polynomial, of order s; if the grid needs it, the error test covers it too. With
/// fixed_step the stages are solved to round-off.
///
/// Work::factorisations counts sets of one real and (s − 1)/2 complex matrices. A step repeated
/// with a new Jacobian counts as rejected.
template <class T>
SolutionOf<T> solve_radau_iia(const OdeProblemOf<T>& problem, const std::vector<double>& times,
                              const SolveOptions& options, const RadauOptions& radau);

/// Solves M y' = f(t, y) from consistent data. Components with index 2 enter the error estimate and
/// the iteration's norm multiplied by h. Moving coordinates throw InputError. Roots are located in
/// double.
template <class T>
SolutionOf<T> solve_radau_iia(const MassProblemOf<T>& problem, const std::vector<double>& times,
                              const SolveOptions& options, const RadauOptions& radau);

// Entries of the catalogue: contract of OdeMethod::solve.

/// With eight stages side by side (solvers/radau/radau_batched.hpp) if the problem has
/// OdeProblem::batched and no root functions, as long as its slow part is not stiff. Else with the
/// full Jacobian and 3, 5 or 7 stages.
Solution solve_radau_iia_fastest(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options);
Solution solve_radau_iia_3(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);
Solution solve_radau_iia_5(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);
Solution solve_radau_iia_7(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);

extern template SolutionOf<double> solve_radau_iia(const OdeProblemOf<double>&,
                                                   const std::vector<double>&, const SolveOptions&,
                                                   const RadauOptions&);
extern template SolutionOf<Quad> solve_radau_iia(const OdeProblemOf<Quad>&,
                                                 const std::vector<double>&, const SolveOptions&,
                                                 const RadauOptions&);
extern template SolutionOf<double> solve_radau_iia(const MassProblemOf<double>&,
                                                   const std::vector<double>&, const SolveOptions&,
                                                   const RadauOptions&);
extern template SolutionOf<Quad> solve_radau_iia(const MassProblemOf<Quad>&,
                                                 const std::vector<double>&, const SolveOptions&,
                                                 const RadauOptions&);

}  // namespace rigidlimit
