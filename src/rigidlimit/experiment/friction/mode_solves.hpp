// All solves of a mode map, each run or taken from an archive.
#pragma once

#include <deque>

#include "rigidlimit/experiment/friction/mode_map.hpp"
#include "rigidlimit/experiment/friction/rolling_threshold.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// A rigid and a compliant motion of one ball from one start; Outcome::not_run before the solve.
struct GroovePair {
  TwoPointBall ball;
  VectorXd v0;
  GrooveCompliance how;
  GrooveMotion rigid{};
  GrooveMotion compliant{};
};

class ModeSolves {
 public:
  explicit ModeSolves(const ModeMap& map);
  ModeSolves(const ModeSolves&) = delete;
  ModeSolves& operator=(const ModeSolves&) = delete;

  SolveStage all() const { return {pointers_to(tasks_)}; }

  /// In the order of ModeMapResult::rows.
  const std::vector<GroovePair>& points() const { return points_; }
  const std::vector<RollingThreshold>& thresholds() const { return thresholds_; }
  const std::vector<GroovePair>& forces() const { return forces_; }  ///< by stiffness ratio

 private:
  void plan_points(const ModeMap& map);
  void plan_forces(const ModeMap& map);
  void add(GroovePair& pair, const std::vector<double>& times);
  void add(RollingThreshold& threshold, const TwoPointBall& ball, const ModeMap& map);
  int next_unit() const { return static_cast<int>(tasks_.size()); }

  std::vector<double> times_;   ///< at which the modes are determined
  std::vector<double> ends_;    ///< 0 and T, for the internal forces
  std::vector<double> halves_;  ///< 0, T/2 and T, for the thresholds
  std::vector<GroovePair> points_, forces_;
  std::vector<RollingThreshold> thresholds_;
  std::deque<Task> tasks_;
};

}  // namespace rigidlimit
