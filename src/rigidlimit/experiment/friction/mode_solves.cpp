#include "rigidlimit/experiment/friction/mode_solves.hpp"

#include <fmt/format.h>

#include <utility>

#include "rigidlimit/experiment/friction/friction_identity.hpp"
#include "rigidlimit/experiment/friction/friction_record.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/rolling/solve_identity.hpp"
#include "rigidlimit/experiment/spec/uniform_grid.hpp"

namespace rigidlimit {

namespace {

/// A hash of the ball and its start. Its equations belong to the library and enter by their
/// sources.
std::string physics_of(const TwoPointBall& ball, const VectorXd& v0) {
  std::string text = "system two_point_ball\n";
  const auto add = [&](const auto& parameters) {
    for (const auto& p : parameters) text += fmt::format("{} = {}\n", p.name, ball.*p.member);
  };
  add(TwoPointBall::parameters());
  add(TwoPointBall::contact_parameters());
  return content_hash(text + "v " + exact_text(v0));
}

std::string contact_of(const GrooveCompliance& how) {
  return fmt::format("left={} right={} ratio={} epsilon={} rtol={} atol={}", how.stiffness_left,
                     how.stiffness_right, how.damping_ratio, how.epsilon, how.rtol, how.atol);
}

/// The key of a solve with the springs of `how`.
SolveIdentity sprung(SolveIdentity::Kind kind, const std::string& solver,
                     const std::string& physics, const GrooveCompliance& how,
                     const std::string& grid) {
  return {.kind = kind,
          .law = text_of(ComparedLaw{}),
          .solver = solver,
          .epsilon = how.epsilon,
          .rtol = how.rtol,
          .atol = how.atol,
          .grid = grid,
          .determinants = fmt::format("kind=groove_{} physics={} {} grid={}", name_of(kind),
                                      physics, contact_of(how), grid)};
}

}  // namespace

ModeSolves::ModeSolves(const ModeMap& map)
    : times_(uniform_grid(map.end, map.samples)),
      ends_{0.0, map.end},
      halves_{0.0, 0.5 * map.end, map.end} {
  plan_points(map);
  plan_forces(map);
  thresholds_.resize(map.slopes.size() * map.half_angles.size());
  for (GroovePair& pair : points_) add(pair, times_);
  std::size_t next = 0;
  for (const double slope : map.slopes)
    for (const double half_angle : map.half_angles) {
      TwoPointBall ball = map.ball;
      ball.slope = slope;
      ball.half_angle = half_angle;
      add(thresholds_[next++], ball, map);
    }
  for (GroovePair& pair : forces_) add(pair, ends_);
}

void ModeSolves::plan_points(const ModeMap& map) {
  for (const ModeMapStart& start : map.starts)
    for (const double slope : map.slopes)
      for (const double half_angle : map.half_angles)
        for (const double friction : map.frictions) {
          TwoPointBall ball = map.ball;
          ball.slope = slope;
          ball.half_angle = half_angle;
          ball.friction_left = friction;
          ball.friction_right = map.friction_ratio * friction;
          ball.couple = start.couple;
          ball.couple_rate = start.couple_rate;
          points_.push_back({.ball = ball, .v0 = start.v, .how = map.compliance});
        }
}

void ModeSolves::plan_forces(const ModeMap& map) {
  for (const double ratio : map.stiffness_ratios) {
    TwoPointBall ball = map.ball;
    ball.slope = map.slopes.front();
    ball.half_angle = map.half_angles.front();
    ball.couple = map.internal_couple;
    ball.couple_rate = 0.0;
    ball.friction_left = ball.friction_right = 1e3;  // nothing slips
    GrooveCompliance how = map.compliance;
    how.stiffness_left = ratio * how.stiffness_right;
    forces_.push_back({.ball = ball, .v0 = VectorXd::Zero(TwoPointBall::n), .how = how});
  }
}

void ModeSolves::add(GroovePair& pair, const std::vector<double>& times) {
  const std::string physics = physics_of(pair.ball, pair.v0), grid = grid_hash(times);
  const std::string place =
      fmt::format("slope {:.3g}, half angle {:.3g}, friction {:.3g}", pair.ball.slope,
                  pair.ball.half_angle, pair.ball.friction_left);
  tasks_.push_back(
      {.identity = event_driven_identity(physics, rigid_groove_options(pair.how), grid),
       .times = &times,
       .unit = next_unit(),
       .what = "rigid, " + place,
       .solve =
           [&pair, &times] {
             return record_of(rigid_groove_motion(pair.ball, pair.v0, pair.how, times));
           },
       .take =
           [&pair, &times](SolveRecord record) {
             pair.rigid = groove_motion_of(std::move(record), times);
           }});
  tasks_.push_back(
      {.identity = sprung(SolveIdentity::Kind::compliant, groove_solver, physics, pair.how, grid),
       .times = &times,
       .unit = next_unit(),
       .what = "compliant, " + place,
       .solve =
           [&pair, &times] {
             return record_of(compliant_groove_motion(pair.ball, pair.v0, pair.how, times));
           },
       .take =
           [&pair, &times](SolveRecord record) {
             pair.compliant = groove_motion_of(std::move(record), times);
           }});
}

void ModeSolves::add(RollingThreshold& threshold, const TwoPointBall& ball, const ModeMap& map) {
  const std::string physics = physics_of(ball, VectorXd::Zero(TwoPointBall::n));
  tasks_.push_back(
      {.identity = sprung(SolveIdentity::Kind::threshold, "bisection", physics, map.compliance,
                          grid_hash(halves_)),
       .times = &halves_,
       .unit = next_unit(),
       .what =
           fmt::format("threshold, slope {:.3g}, half angle {:.3g}", ball.slope, ball.half_angle),
       .solve = [ball, how = map.compliance,
                 end = map.end] { return record_of(rolling_threshold(ball, how, end)); },
       .take = [&threshold](
                   SolveRecord record) { threshold = rolling_threshold_of(std::move(record)); }});
}

}  // namespace rigidlimit
