#include "rigidlimit/experiment/friction/run_friction_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/event_sequences.hpp"
#include "rigidlimit/experiment/friction/friction_expansion.hpp"
#include "rigidlimit/experiment/friction/impact_expansion.hpp"
#include "rigidlimit/experiment/friction/judge_friction.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/motion_modes.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
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

/// The inequality on the rigid motion and on the compliant motions of the first solver.
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

/// `motion`: at the uniform samples of [0, T].
/// The modes of all motions at the uniform samples.
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

/// The rigid motion and the compliant motions of the first solver at the uniform samples.
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

CompliantLadder ladder_of(const std::vector<FrictionMotion>& motions, std::size_t law,
                          const std::string& solver, std::size_t count) {
  CompliantLadder ladder(count);
  for (const FrictionMotion& one : motions) {
    if (!is_finished(one.solve.outcome)) continue;
    if (one.law != law || one.solve.solver != solver) continue;
    (one.solve.tighter ? ladder[one.epsilon].tighter : ladder[one.epsilon].base) = &one;
  }
  std::erase_if(ladder, [](const CompliantPair& pair) { return !pair.base; });
  return ladder;
}

std::vector<std::string> notes_on(const FrictionStudy& study, const RigidSide& rigid) {
  std::vector<std::string> notes = rigid.report.motion.notes;
  if (rigid.report.motion.outcome != Outcome::success) {
    notes.push_back(fmt::format("the rigid motion ends at t = {:.9g} s: {}, {}",
                                rigid.report.motion.t_reached, name_of(rigid.report.motion.outcome),
                                rigid.report.motion.message));
    if (!study.epsilons.empty())
      notes.push_back(rigid.end > 0.0 || study.compares_modes_only()
                          ? fmt::format("compared on [0, {:.6g}] s, before it ends", rigid.end)
                          : "and the motions are not compared with it");
  }
  if (study.solvers.reference == FrictionSolvers::Reference::closed_form &&
      rigid.report.judged != "closed form" && !study.epsilons.empty() && rigid.end > 0.0)
    notes.emplace_back("no closed form for this start: the event-driven motion is judged instead");
  return notes;
}

/// nullptr without the terms; the reason is in result.no_prediction.
std::unique_ptr<const FrictionTerms> expansion_of(const FrictionStudy& study,
                                                  const RigidSide& rigid, const ComparedLaw& law,
                                                  FrictionResult& result) {
  try {
    const bool impacts = std::ranges::any_of(study.model.contacts, [](const ContactPoint& contact) {
      return contact.normal == Normal::unilateral;
    });
    if (!impacts) return std::make_unique<const FrictionExpansion>(study, rigid, law);
    auto terms = std::make_unique<const ImpactExpansion>(study, rigid, law);
    result.no_prediction = terms->end();
    return terms;
  } catch (const InputError& error) {
    result.no_prediction = error.what();
    return nullptr;
  }
}

void judge_all(const FrictionStudy& study, const RigidSide& rigid,
               const std::vector<FrictionMotion>& motions, FrictionResult& result) {
  for (std::size_t law = 0; law < study.contact.laws.size(); ++law) {
    const auto expansion = expansion_of(study, rigid, study.contact.laws[law], result);
    for (const std::string& solver : study.solvers.compliant) {
      const CompliantLadder ladder = ladder_of(motions, law, solver, study.epsilons.size());
      if (ladder.empty()) continue;
      std::ranges::move(motion_series(study, rigid, ladder, expansion.get()),
                        std::back_inserter(result.series));
      std::vector<EventMatch> matches = event_matches(study, rigid, ladder, expansion.get());
      std::ranges::move(event_series(study, rigid, ladder, matches),
                        std::back_inserter(result.series));
      std::ranges::move(matches, std::back_inserter(result.matches));
      // At the smallest ε, where the compliant motion is nearest to the rigid one.
      const FrictionMotion& nearest = *ladder.back().base;
      if (!study.solvers.locate_kinks || nearest.solve.outcome != Outcome::success) continue;
      if (std::string note = note_on_events(study, rigid, nearest); !note.empty())
        result.notes.push_back(std::move(note));
    }
  }
}

}  // namespace

FrictionPlan::FrictionPlan(const FrictionStudy& study, const RunOptions& options)
    : study_(study), tasks_(study, options) {}

FrictionResult FrictionPlan::judged(const SolveCounts& counts) {
  const FrictionStudy& study = study_;
  FrictionResult result;
  result.study = study;
  FrictionSolves solves = tasks_.collected();
  RigidSide& rigid = solves.rigid;
  result.counts = counts;
  result.interrupted = counts.missing > 0;
  if (rigid.report.motion.outcome == Outcome::not_run) return result;  // stopped before the motion
  result.notes = notes_on(study, rigid);
  if (!rigid.judged.times.empty()) judge_all(study, rigid, solves.compliant, result);
  for (const FrictionMotion& one : solves.compliant) result.solves.push_back(one.solve);
  result.modes = modes_of(study, rigid, solves.compliant);
  result.inequality = inequalities_of(study, rigid, solves.compliant);
  result.claims = judged_claims(study, rigid.report, result.inequality);
  std::ranges::move(mode_claims(study, result.modes), std::back_inserter(result.claims));
  result.curves = curves_of(study, rigid, solves.compliant);
  result.rigid = std::move(rigid.report);
  return result;
}

FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options) {
  return result_of(FrictionPlan(study, options), options);
}

bool FrictionResult::held() const {
  if (interrupted) return false;
  for (const ExpectationSpec& e : study.expectations)
    for (const ComparedLaw& law : study.contact.laws) {
      const LawName name = name_of(law);
      if (!e.concerns(name, e.measure)) continue;
      const auto judged = std::ranges::count_if(series, [&](const Series& s) {
        return !s.rows.empty() && s.rows.front().law == name && s.rows.front().measure == e.measure;
      });
      if (judged < static_cast<long>(study.solvers.compliant.size())) return false;
    }
  return std::ranges::all_of(claims, &HistoryClaim::held) &&
         std::ranges::all_of(series, &Series::held);
}

bool FrictionResult::has_numbers() const {
  return rigid.motion.t_reached > 0.0 || !rigid.motion.events.empty() ||
         rigid.motion.outcome == study.history.outcome || rigidlimit::has_numbers(series);
}

}  // namespace rigidlimit
