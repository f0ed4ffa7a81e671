// Radau IIA with eight stages for eight problems side by side.
#pragma once

#include <vector>

#include "rigidlimit/core/lane_rate.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// A step of eight problems: its outputs at the start and in the eight stages, state after state.
struct LaneStep {
  double t0 = 0.0, h = 0.0;
  std::vector<Pack> outputs;
};

/// The motions of eight problems with common steps, as polynomials of degree 8 on each step. Work
/// counts a step, an iteration and an evaluation of eight problems as one.
struct LaneMotion : SolveEnd {
  std::size_t rows = 0;  ///< LaneRate::outputs()
  std::vector<LaneStep> steps;

  /// Position in `steps` of the step that contains t, not before `first`.
  std::size_t step_at(double t, std::size_t first = 0) const;
  /// Writes the outputs at t by the polynomial of a step.
  void write(std::size_t step, double t, Pack* outputs) const;
};

/// Solves y' = f from y0 (size(), one lane to a problem) at t0 up to `end`. The iteration is that
/// of radau_iia in adapted variables (radau_batched.hpp): the fast part implicitly in the modes of
/// A, a fixed-point iteration on x, and no Jacobian. The step is that of the problem with the
/// largest error: the estimate is the defect of the polynomial, as for output between the nodes.
/// The iteration ends if it has converged for all problems. A problem with a stiff slow part takes
/// steps that the iteration on x limits.
///
/// Uses rtol, atol, max_steps and stop_requested of the options. One of the problems that fails is
/// a failure of all eight: solve them in other groups, or alone in all lanes.
LaneMotion solve_radau_lanes(LaneRate& rate, const std::vector<Pack>& y0, double t0, double end,
                             const SolveOptions& options);

}  // namespace rigidlimit
