// Motions of a system with switching equations, solved in smooth pieces.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// The start of a piece.
struct PieceStart {
  InitialState state;  ///< with its time
  VectorXd lambda;     ///< m: contact force at the end of the previous piece; empty for the first
};

/// A motion on a grid, with the result of the solver.
struct PiecewiseMotion : SolveEnd {  ///< work: of all pieces and of locating their ends
  bool multiplier_tested = true;
  Motion motion;         ///< NaN beyond the end of the solve
  MatrixXd values{};     ///< one row per function of the state
  MatrixXd integrals{};  ///< one row per integral; 0 at the start

  /// The end of a piece.
  struct Crossing {
    double t = 0.0;
    std::vector<Index> which{};  ///< the switching functions that change sign
    Sides before{}, after{};
    VectorXd q{}, v{};
  };
  std::vector<Crossing> crossings{};
  /// The motion stays on a switch from this time on. Infinity: never.
  double slides_from = std::numeric_limits<double>::infinity();
};

/// Solves the motion of a smooth system from `start` at `times` (increasing, from the time of the
/// start on).
using SolvePiece = std::function<PiecewiseMotion(const System& smooth, const PieceStart& start,
                                                 const std::vector<double>& times)>;

/// The motion of `system` at `times` (increasing, from the time of the start on). A piece ends
/// where a switching function changes its sign; the next one begins there with the same q, v and η.
/// solve() never steps across a switch. Switches of t alone are known in advance; others are
/// bracketed along the smooth motion between two samples (TOMS 748).
///
/// `marks` are the switching times of the rigid motion (increasing). A sample at a mark has the
/// right-hand values, and the sample before it the left-hand ones if it is one unit in the last
/// place away. This holds for all solves, although their switching times differ by their errors.
///
/// A motion that does not leave a switch, because both sides drive it back, ends there with
/// Outcome::inadmissible_state: PiecewiseMotion::slides_from. Without switches the result is that
/// of solve(system, start, times).
PiecewiseMotion solve_piecewise(const System& system, const InitialState& start,
                                const std::vector<double>& times, const std::vector<double>& marks,
                                const SolvePiece& solve);

/// The smooth equations at the start of the motion of `system`.
const System& system_at_start(const System& system, const InitialState& start);

}  // namespace rigidlimit
