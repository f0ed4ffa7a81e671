#include "rigidlimit/experiment/friction/friction_motions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/experiment/friction/motion_modes.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/plan/solve_rounds.hpp"
#include "rigidlimit/experiment/spec/uniform_grid.hpp"

namespace rigidlimit {

namespace {

/// The samples of `motion` nearest to the uniform ones.
Motion on_samples(const Motion& motion, const std::vector<double>& samples) {
  std::vector<std::size_t> positions;
  std::size_t k = 0;
  for (const double t : samples) {
    while (k + 1 < motion.times.size() && motion.times[k] < t) ++k;
    if (positions.empty() || positions.back() != k) positions.push_back(k);
  }
  return restricted(motion, positions);
}

bool is_shown(const FrictionStudy& study, const FrictionMotion& one) {
  return !one.solve.tighter && one.solve.solver == study.solvers.compliant.front() &&
         !one.motion.times.empty();
}

}  // namespace

namespace {

InequalityReport inequality_of(const FrictionStudy& study, const Motion& motion) {
  InequalityReport report;
  report.check =
      check_inequality(study.model, motion, {.draws = static_cast<int>(study.inequality_draws)});
  double force = 0.0;
  for (const auto& column : motion.lambda.colwise())
    if (column.allFinite() && column.size() > 0)
      force = std::max(force, column.cwiseAbs().maxCoeff());
  constexpr double still = 1e-3;  // m/s: without sliding, the draws would be as small as round-off
  report.scale = force * std::max(report.check.speed, still);
  return report;
}

}  // namespace

std::vector<InequalityReport> inequalities_of(const FrictionStudy& study, const RigidSide& rigid,
                                              const std::vector<FrictionMotion>& motions) {
  std::vector<InequalityReport> reports;
  if (study.inequality_draws == 0) return reports;
  const std::vector<double> samples = uniform_grid(rigid.end, study.time.samples);
  reports.push_back(inequality_of(study, rigid.report.motion.motion));
  reports.back().motion = "rigid";
  for (const FrictionMotion& one : motions) {
    if (!is_shown(study, one)) continue;
    InequalityReport report = inequality_of(study, on_samples(one.motion, samples));
    report.motion = "compliant";
    report.law = one.solve.law;
    report.epsilon = one.solve.epsilon;
    reports.push_back(std::move(report));
  }
  return reports;
}

namespace {

/// `motion`: at the uniform samples of [0, T].
MotionModes modes_of(const FrictionStudy& study, const Motion& motion) {
  MotionModes modes;
  modes.sequence = mode_sequence(study.model, motion, study.history.slow);
  const Index last = static_cast<Index>(motion.times.size()) - 1;
  if (last < 0 || motion.times.back() < study.time.end) return modes;
  const auto speed = [&](Index k) {
    return sliding_speeds(study.model, motion.q.col(k), motion.v.col(k)).maxCoeff();
  };
  modes.sliding_at_half = speed(last / 2);
  modes.sliding_at_end = speed(last);
  if (study.history.force) modes.force_at_end = motion.lambda(study.history.force->row, last);
  return modes;
}

}  // namespace

std::vector<MotionModes> modes_of(const FrictionStudy& study, const RigidSide& rigid,
                                  const std::vector<FrictionMotion>& motions) {
  if (!study.asks_for_modes()) return {};
  const NonsmoothMotion& motion = rigid.report.motion;
  std::vector<MotionModes> all{modes_of(study, motion.motion)};
  all.front().outcome = motion.outcome;
  all.front().several_solutions = std::ranges::any_of(motion.notes, tells_several_solutions);
  const std::vector<double> samples = uniform_grid(study.time.end, study.time.samples);
  for (const FrictionMotion& one : motions) {
    if (one.solve.tighter || !is_finished(one.solve.outcome)) continue;
    MotionModes modes = modes_of(study, on_samples(one.motion, samples));
    modes.law = one.solve.law;
    modes.solver = one.solve.solver;
    modes.epsilon = one.solve.epsilon;
    modes.outcome = one.solve.outcome;
    all.push_back(std::move(modes));
  }
  return all;
}

std::vector<FrictionCurve> curves_of(const FrictionStudy& study, const RigidSide& rigid,
                                     const std::vector<FrictionMotion>& motions) {
  std::vector<FrictionCurve> curves;
  FrictionCurve first{
      .name = "rigid", .solver = "event_driven", .motion = rigid.report.motion.motion, .modes = {}};
  for (const double t : first.motion.times) first.modes.push_back(modes_at(rigid.report.motion, t));
  curves.push_back(std::move(first));
  const std::vector<double> samples =
      uniform_grid(study.compares_modes_only() ? study.time.end : rigid.end, study.time.samples);
  for (const FrictionMotion& one : motions)
    if (is_shown(study, one))
      curves.push_back({.name = name_of(one.solve.law.friction),
                        .tangential_power = one.solve.law.tangential_power,
                        .solver = one.solve.solver,
                        .epsilon = one.solve.epsilon,
                        .motion = on_samples(one.motion, samples),
                        .modes = {}});
  return curves;
}

}  // namespace rigidlimit
