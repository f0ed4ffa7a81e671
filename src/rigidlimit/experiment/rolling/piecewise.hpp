// Motions of a system whose equations switch: piece by piece, each piece smooth.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// Where a piece begins.
struct PieceStart {
  InitialState state;  ///< with its time
  VectorXd lambda;     ///< m: the contact force at the end of the piece before; empty: the first
};

/// A motion on a grid, and what a solver says of it.
struct PiecewiseMotion {
  Outcome outcome = Outcome::not_run;
  std::string message;
  double t_reached = 0.0;
  double last_step = 0.0;
  bool multiplier_tested = true;
  Work work;             ///< of all pieces, and of locating their ends
  Motion motion;         ///< NaN where the solver did not arrive
  MatrixXd values{};     ///< a row for each quantity that is a function of the state
  MatrixXd integrals{};  ///< a row for each integral, from 0 at the start

  /// One end of a piece.
  struct Crossing {
    double t = 0.0;
    std::vector<Index> which{};  ///< of the switching functions
    Sides before{}, after{};
    VectorXd q{}, v{};
  };
  std::vector<Crossing> crossings{};
  /// The motion does not leave a switch at once: from here on the equations are not smooth.
  /// Infinity: it never happens.
  double slides_from = std::numeric_limits<double>::infinity();
};

/// Solves the motion of a smooth system from `start` on `times` (increasing, the first one that of
/// the start).
using SolvePiece = std::function<PiecewiseMotion(const System& smooth, const PieceStart& start,
                                                 const std::vector<double>& times)>;

/// The motion of `system` on `times` (increasing, from the time of the start on). A piece ends
/// where a switching function changes its sign, and the next one begins there with the same q, v
/// and η: solve() never steps across a switch, whatever its method. Switches of t alone are located
/// beforehand, others by bracketing along the smooth motion between two samples (TOMS 748).
///
/// A sample at a switch has the values to its right, one that is a unit in the last place before it
/// those to its left: so on all solves, also where they locate it differently by their error.
///
/// Where the motion does not leave a switch, because both sides drive it back, the rest is solved
/// with the equations as they are: PiecewiseMotion::slides_from. Without switches this is
/// solve(system, start, times).
PiecewiseMotion solve_piecewise(const System& system, const InitialState& start,
                                const std::vector<double>& times, const SolvePiece& solve);

/// The smooth equations with which the motion of `system` begins at `start`.
const System& system_at_start(const System& system, const InitialState& start);

}  // namespace rigidlimit
