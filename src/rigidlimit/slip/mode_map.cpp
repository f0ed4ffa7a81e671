#include "rigidlimit/slip/mode_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/study/parallel.hpp"
#include "rigidlimit/study/uniform_grid.hpp"

namespace rigidlimit {

namespace {

std::string last_mode(const std::string& sequence) {
  return sequence.size() < 2 ? "" : sequence.substr(sequence.size() - 2);
}

void require_complete(const ModeMap& map) {
  if (map.slopes.empty() || map.half_angles.empty() || map.frictions.empty() || map.starts.empty())
    throw InputError("a map of modes needs slopes, half angles, frictions and starts");
  if (map.samples < 2 || !(map.end > 0.0))
    throw InputError(fmt::format("samples = {}, end = {}: must be at least 2, and positive",
                                 map.samples, map.end));
  for (const ModeMapStart& start : map.starts)
    if (start.v.size() != TwoPointBall::n || start.v(1) != 0.0 || start.v(2) != 0.0)
      throw InputError("needs six velocities, the second and the third 0: the walls hold the ball",
                       start.name);
}

TwoPointBall ball_of(const ModeMap& map, const ModeMapRow& row, const ModeMapStart& start) {
  TwoPointBall ball = map.ball;
  ball.slope = row.slope;
  ball.half_angle = row.half_angle;
  ball.friction_left = row.friction_left;
  ball.friction_right = row.friction_right;
  ball.couple = start.couple;
  ball.couple_rate = start.couple_rate;
  return ball;
}

void fill(const ModeMap& map, const ModeMapStart& start, ModeMapRow& row) {
  const TwoPointBall ball = ball_of(map, row, start);
  const std::vector<double> times = uniform_grid(map.end, map.samples);
  const FrictionalSystem system = groove_system(ball);
  row.unloaded = unloaded_threshold(ball);
  row.wedged = wedged_threshold(ball);

  const GrooveMotion rigid = rigid_groove_motion(ball, start.v, map.compliance, times);
  row.rigid_outcome = rigid.outcome;
  row.rigid = mode_sequence(system, rigid.motion, map.slow);
  row.rigid_events = rigid.events;
  row.rigid_notes = rigid.notes;
  const GrooveMotion compliant = compliant_groove_motion(ball, start.v, map.compliance, times);
  row.compliant_outcome = compliant.outcome;
  row.compliant = mode_sequence(system, compliant.motion, map.slow);
  row.first_rim = compliant.first_rim;
  row.message = rigid.message.empty() ? compliant.message : rigid.message;
}

std::vector<ModeMapRow> empty_rows(const ModeMap& map) {
  std::vector<ModeMapRow> rows;
  for (const ModeMapStart& start : map.starts)
    for (double slope : map.slopes)
      for (double half_angle : map.half_angles)
        for (double friction : map.frictions) {
          ModeMapRow row;
          row.slope = slope;
          row.half_angle = half_angle;
          row.friction_left = friction;
          row.friction_right = map.friction_ratio * friction;
          row.start = start.name;
          rows.push_back(row);
        }
  return rows;
}

/// Entry number `i` of the map: first its rows, then its thresholds, then its internal forces.
void fill(ModeMapResult& result, std::size_t i) {
  const ModeMap& map = result.map;
  if (i < result.rows.size()) {
    const std::size_t a_start = result.rows.size() / map.starts.size();
    return fill(map, map.starts[i / a_start], result.rows[i]);
  }
  i -= result.rows.size();
  TwoPointBall ball = map.ball;
  if (i < result.thresholds.size()) {
    const std::size_t angles = map.half_angles.size();
    ball.slope = map.slopes[i / angles];
    ball.half_angle = map.half_angles[i % angles];
    result.thresholds[i] = rolling_threshold(ball, map.compliance, map.end);
    return;
  }
  i -= result.thresholds.size();
  ball.slope = map.slopes.front();
  ball.half_angle = map.half_angles.front();
  ball.couple = map.internal_couple;
  ball.couple_rate = 0.0;
  ball.friction_left = ball.friction_right = 1e3;  // nothing slips
  GrooveCompliance how = map.compliance;
  how.stiffness_left = map.stiffness_ratios[i] * how.stiffness_right;
  result.forces[i] = internal_force(ball, how, map.end);
}

}  // namespace

std::string ModeMapRow::rigid_final() const {
  return last_mode(rigid);
}
std::string ModeMapRow::compliant_final() const {
  return last_mode(compliant);
}

bool ModeMapResult::has_numbers() const {
  return std::ranges::any_of(rows, [](const ModeMapRow& row) { return !row.rigid.empty(); });
}

bool ModeMapRow::is_open() const {
  return rigid_notes > 0 || (wedged <= friction_left && friction_left < unloaded);
}

bool ModeMapResult::held() const {
  return !interrupted && std::ranges::all_of(claims, &Claim::held);
}

ModeMapResult run_mode_map(const ModeMap& map, const RunOptions& options) {
  require_complete(map);
  ModeMapResult result;
  result.map = map;
  result.rows = empty_rows(map);
  result.thresholds.resize(map.slopes.size() * map.half_angles.size());
  result.forces.resize(map.stiffness_ratios.size());
  const std::size_t all = result.rows.size() + result.thresholds.size() + result.forces.size();

  std::atomic<bool> interrupted = false;
  std::mutex guard;
  int done = 0;
  run_tasks(static_cast<int>(all), options.jobs, [&](int i) {
    if (options.stop_requested && options.stop_requested()) interrupted = true;
    if (!interrupted) fill(result, static_cast<std::size_t>(i));
    const std::scoped_lock lock(guard);
    if (options.on_progress && !interrupted)
      options.on_progress(++done, static_cast<int>(all), "modes and thresholds");
  });
  result.interrupted = interrupted;
  result.claims = judged_claims(result);
  return result;
}

}  // namespace rigidlimit
