#include "rigidlimit/experiment/friction/run_mode_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/solve_rounds.hpp"

namespace rigidlimit {

namespace {

std::string last_mode(const std::string& sequence) {
  return sequence.size() < 2 ? "" : sequence.substr(sequence.size() - 2);
}

const ModeMap& complete(const ModeMap& map) {
  if (map.slopes.empty() || map.half_angles.empty() || map.frictions.empty() || map.starts.empty())
    throw InputError("a mode map needs slopes, half_angles, frictions and at least one [[start]]");
  if (map.samples < 2 || !(map.end > 0.0))
    throw InputError(
        fmt::format("samples = {}, end = {}: samples must be at least 2, and end positive",
                    map.samples, map.end));
  for (const ModeMapStart& start : map.starts)
    if (start.v.size() != TwoPointBall::n || start.v(1) != 0.0 || start.v(2) != 0.0)
      throw InputError("needs six velocities, with y' = z' = 0, as the walls hold the ball",
                       start.name);
  return map;
}

ModeMapRow row_of(const GroovePair& pair, const ModeMapStart& start, double slow) {
  ModeMapRow row;
  row.slope = pair.ball.slope;
  row.half_angle = pair.ball.half_angle;
  row.friction_left = pair.ball.friction_left;
  row.friction_right = pair.ball.friction_right;
  row.start = start.name;
  if (!is_finished(pair.rigid.outcome) || !is_finished(pair.compliant.outcome)) return row;
  const FrictionalSystem system = groove_system(pair.ball);
  row.unloaded = unloaded_threshold(pair.ball);
  row.wedged = wedged_threshold(pair.ball);
  row.rigid_outcome = pair.rigid.outcome;
  row.rigid = mode_sequence(system, pair.rigid.motion, slow);
  row.rigid_events = pair.rigid.events;
  row.rigid_notes = pair.rigid.notes;
  row.compliant_outcome = pair.compliant.outcome;
  row.compliant = mode_sequence(system, pair.compliant.motion, slow);
  row.first_rim = pair.compliant.first_rim;
  row.message = pair.rigid.message.empty() ? pair.compliant.message : pair.rigid.message;
  return row;
}

InternalForce force_of(const GroovePair& pair, double end) {
  if (!is_finished(pair.rigid.outcome) || !is_finished(pair.compliant.outcome)) return {};
  return internal_force_of(pair.ball, pair.how, end, pair.compliant, pair.rigid);
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

ModeMapPlan::ModeMapPlan(const ModeMap& map) : map_(map), solves_(complete(map)) {}

ModeMapResult ModeMapPlan::judged(const SolveCounts& counts) const {
  ModeMapResult result;
  result.map = map_;
  result.counts = counts;
  const std::size_t a_start = solves_.points().size() / map_.starts.size();
  for (std::size_t i = 0; i < solves_.points().size(); ++i)
    result.rows.push_back(row_of(solves_.points()[i], map_.starts[i / a_start], map_.slow));
  result.thresholds = solves_.thresholds();
  for (const GroovePair& pair : solves_.forces()) result.forces.push_back(force_of(pair, map_.end));
  result.interrupted = result.counts.missing > 0;
  result.claims = judged_claims(result);
  return result;
}

ModeMapPlan plan_for(const ModeMap& map, const RunOptions& /*options*/) {
  return ModeMapPlan(map);
}

ModeMapResult run_mode_map(const ModeMap& map, const RunOptions& options) {
  return result_of(map, options);
}

}  // namespace rigidlimit
