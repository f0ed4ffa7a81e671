#include "rigidlimit/experiment/friction/groove_ball.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

/// 1 + κ/cos²γ: the ball rolls as if its mass were multiplied by this factor.
double rolling_mass(const TwoPointBall& ball) {
  const double c = std::cos(ball.half_angle);
  return 1.0 + ball.inertia_ratio / (c * c);
}

std::string text_of(const FrictionalSystem& system, const ContactEvent& event) {
  std::string text = fmt::format("{:.6g} {}", event.t, name_of(event.kind));
  for (Index i : event.contacts) text += ' ' + system.contacts[static_cast<std::size_t>(i)].name;
  return text + " > " + event.modes;
}

}  // namespace

FrictionalSystem groove_system(const TwoPointBall& ball) {
  std::vector<double> values;
  const auto add = [&](const auto& parameters) {
    for (const auto& p : parameters) {
      values.push_back(ball.*p.member);
      if (!p.range.contains(values.back()))
        throw InputError(fmt::format("{} = {}: must be {}", p.name, values.back(), p.range.text()));
    }
  };
  add(TwoPointBall::parameters());
  add(TwoPointBall::contact_parameters());
  return find_system(builtin_systems(), "two_point_ball")->make_frictional(values);
}

double unloaded_threshold(const TwoPointBall& ball) {
  return std::cos(ball.half_angle) * std::abs(std::tan(ball.slope)) *
         (1.0 - 1.0 / rolling_mass(ball));
}

double wedged_threshold(const TwoPointBall& ball) {
  const double mu = unloaded_threshold(ball);
  return mu / std::hypot(1.0, mu * std::tan(ball.half_angle));
}

FrictionalLaw GrooveCompliance::law() const {
  FrictionalLaw law;
  law.tangential_stiffness = Eigen::Vector2d(stiffness_left, stiffness_right);
  law.normal_stiffness = Eigen::Vector2d(1.0, 1.0);  // no contact is unilateral
  law.damping_ratio = damping_ratio;
  return law;
}

VectorXd GrooveCompliance::compliance() const {
  const double left = 1.0 / stiffness_left, right = 1.0 / stiffness_right;
  const double normal = 1e-9 * std::min(left, right);
  VectorXd all(6);
  all << left, left, right, right, normal, normal;
  return all;
}

GrooveMotion compliant_groove_motion(const TwoPointBall& ball, const VectorXd& v0,
                                     const GrooveCompliance& how,
                                     const std::vector<double>& times) {
  const FrictionalSystem system = groove_system(ball);
  const MotionProblem<OdeProblem> problem =
      frictional_compliant(system, {ball.start().q, v0}, how.law(), how.epsilon);
  const Solution solution =
      find_ode_method(groove_solver)
          ->solve(problem.problem, times, {.rtol = how.rtol, .atol = how.atol});
  GrooveMotion result{.outcome = solution.outcome,
                      .message = solution.message,
                      .t_reached = solution.t_reached,
                      .work = solution.work,
                      .motion = problem.motion(solution),
                      .events = "",
                      .first_rim = std::numeric_limits<double>::quiet_NaN()};
  const std::vector<CompliantKink> kinks = kinks_of(system);
  for (const Root& root : solution.roots) {
    const CompliantKink& kink = kinks.at(static_cast<std::size_t>(root.which));
    if (kink.kind != CompliantKink::Kind::rim || root.direction < 0) continue;
    result.first_rim = root.t;
    break;
  }
  return result;
}

NonsmoothOptions rigid_groove_options(const GrooveCompliance& how) {
  NonsmoothOptions options;
  options.compliance = how.compliance();
  return options;
}

GrooveMotion rigid_groove_motion(const TwoPointBall& ball, const VectorXd& v0,
                                 const GrooveCompliance& how, const std::vector<double>& times) {
  const FrictionalSystem system = groove_system(ball);
  const NonsmoothMotion rigid =
      event_driven_motion(system, {ball.start().q, v0}, times, rigid_groove_options(how));
  GrooveMotion result{.outcome = rigid.outcome,
                      .message = rigid.message,
                      .t_reached = rigid.t_reached,
                      .work = rigid.work,
                      .motion = rigid.motion,
                      .events = "",
                      .first_rim = std::numeric_limits<double>::quiet_NaN(),
                      .notes = rigid.notes.size()};
  for (const ContactEvent& event : rigid.events)
    result.events += (result.events.empty() ? "" : "; ") + text_of(system, event);
  return result;
}

Eigen::Vector2d sliding_speeds(const FrictionalSystem& system, const VectorXd& q,
                               const VectorXd& v) {
  MatrixXd W(system.smooth.m, system.smooth.n);
  system.smooth.in<double>().constraints(q, W);
  const VectorXd w = W * v;
  return {w.head<2>().norm(), w.tail<2>().norm()};
}

std::string mode_of(const Eigen::Vector2d& speeds, double slow) {
  const auto letter = [&](double speed) { return speed < slow ? 'R' : 'S'; };
  return {letter(speeds(0)), letter(speeds(1))};
}

std::string mode_sequence(const FrictionalSystem& system, const Motion& motion, double slow) {
  std::vector<Eigen::Vector2d> speeds;
  for (Index k = 0; k < motion.q.cols() && motion.v.col(k).allFinite(); ++k)
    speeds.push_back(sliding_speeds(system, motion.q.col(k), motion.v.col(k)));
  std::string sequence, last;
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    const std::size_t next = std::min(k + 1, speeds.size() - 1);
    const std::string mode = mode_of(speeds[k].cwiseMax(speeds[next]), slow);
    if (mode != last) sequence += (last.empty() ? "" : " > ") + mode;
    last = mode;
  }
  return sequence;
}

}  // namespace rigidlimit
