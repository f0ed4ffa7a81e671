#include "rigidlimit/experiment/friction/run_friction_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/asymptotics/frictional/friction_expansion.hpp"
#include "rigidlimit/asymptotics/frictional/impact_expansion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/friction/friction_pair.hpp"
#include "rigidlimit/experiment/friction/judge_friction.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

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

/// Throws Stopped.
InequalityReport inequality_of(const FrictionStudy& study, const Motion& motion,
                               const RunOptions& options) {
  InequalityReport report;
  report.check = check_inequality(study.model, motion,
                                  {.draws = static_cast<int>(study.inequality_draws),
                                   .stop_requested = options.stop_requested});
  double force = 0.0;
  for (const auto& column : motion.lambda.colwise())
    if (column.allFinite() && column.size() > 0)
      force = std::max(force, column.cwiseAbs().maxCoeff());
  constexpr double still = 1e-3;  // m/s: without sliding, the draws would be as small as round-off
  report.scale = force * std::max(report.check.speed, still);
  return report;
}

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

MotionModes rigid_modes(const FrictionStudy& study, const NonsmoothMotion& motion) {
  MotionModes modes = modes_of(study, motion.motion);
  modes.outcome = motion.outcome;
  modes.several_solutions = std::ranges::any_of(motion.notes, tells_several_solutions);
  return modes;
}

FrictionCurve rigid_curve(const NonsmoothMotion& rigid) {
  FrictionCurve curve{
      .name = "rigid", .solver = "event_driven", .motion = rigid.motion, .modes = {}};
  for (const double t : curve.motion.times) curve.modes.push_back(modes_at(rigid, t));
  return curve;
}

/// Sets what is judged or shown of the first motion of a pair at uniform samples. Throws Stopped.
void sample(const FrictionStudy& study, const RigidSide& rigid, FrictionPair& pair,
            const RunOptions& options) {
  const Motion& motion = pair.base.motion;
  const FrictionSolve& solve = pair.base.solve;
  const auto until = [&](double end) {
    return on_samples(motion, uniform_grid(end, study.time.samples));
  };
  if (study.asks_for_modes()) {
    pair.modes = modes_of(study, until(study.time.end));
    pair.modes->law = solve.law;
    pair.modes->solver = solve.solver;
    pair.modes->epsilon = solve.epsilon;
    pair.modes->outcome = solve.outcome;
  }
  if (solve.solver != study.solvers.compliant.front() || motion.times.empty()) return;
  if (study.inequality_draws > 0) {
    pair.inequality = inequality_of(study, until(rigid.end), options);
    pair.inequality->motion = "compliant";
    pair.inequality->law = solve.law;
    pair.inequality->epsilon = solve.epsilon;
  }
  pair.curve = {.name = name_of(solve.law.friction),
                .tangential_power = solve.law.tangential_power,
                .solver = solve.solver,
                .epsilon = solve.epsilon,
                .motion = until(study.compares_modes_only() ? study.time.end : rigid.end),
                .modes = {}};
}

FrictionLadder ladder_of(const std::vector<FrictionPair>& pairs, std::size_t law,
                         const std::string& solver) {
  FrictionLadder ladder;
  for (const FrictionPair& pair : pairs)
    if (pair.law == law && pair.base.solve.solver == solver && is_finished(pair.base.solve.outcome))
      ladder.push_back(&pair);
  return ladder;
}

std::vector<std::string> friction_notes(const FrictionStudy& study, const RigidSide& rigid) {
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

/// nullptr without the terms, for this reason.
std::unique_ptr<const FrictionTerms> friction_terms_of(const FrictionStudy& study,
                                                       const RigidSide& rigid,
                                                       const ComparedLaw& law,
                                                       std::string& reason) {
  try {
    const FrictionalLimit limit{.system = study.model,
                                .start = study.initial,
                                .law = law_of(study, law),
                                .compliance = redundant_compliance(study),
                                .rigid = rigid.report.motion,
                                .samples = rigid.judged,
                                .neighbours = Windows::neighbour_distance,
                                .end = rigid.end,
                                .most_events = study.time.matched_events};
    if (!has_unilateral_contact(study)) return std::make_unique<const FrictionExpansion>(limit);
    auto terms = std::make_unique<const ImpactExpansion>(limit);
    reason = terms->end();
    return terms;
  } catch (const InputError& error) {
    reason = error.what();
    return nullptr;
  }
}

}  // namespace

FrictionPlan::FrictionPlan(const FrictionStudy& study, const RunOptions& options)
    : study_(study),
      options_(options),
      tasks_(study, options, [this](FrictionPair& pair) { finish(pair); }) {}

void FrictionPlan::begin_pairs() {
  tasks_.set_judged();
  const RigidSide& rigid = tasks_.rigid();
  if (rigid.judged.times.empty()) return;
  off_reference_ = difference(rigid.judged, rigid.reference);
  for (const ComparedLaw& law : study_.contact.laws)
    expansions_.push_back(friction_terms_of(study_, rigid, law, no_prediction_));
}

/// A pair of which the judgement was stopped counts as not solved; an archive keeps its solves.
void FrictionPlan::leave_out(FrictionPair& pair) {
  stopped_ = true;
  pair.base.solve.outcome = pair.tighter.solve.outcome = Outcome::not_run;
  pair.comparison.reset();
  pair.modes.reset();
  pair.inequality.reset();
  pair.curve.reset();
}

void FrictionPlan::finish(FrictionPair& pair) {
  // Only a whole plan is judged.
  if (options_.shard.is_whole() && tasks_.has_rigid_motion() &&
      is_finished(pair.base.solve.outcome)) {
    std::call_once(begun_, [&] { begin_pairs(); });
    const RigidSide& rigid = tasks_.rigid();
    try {
      if (!rigid.judged.times.empty())
        compare(study_, rigid, off_reference_, expansions_[pair.law].get(), pair,
                options_.stop_requested);
      sample(study_, rigid, pair, options_);
    } catch (const Stopped&) {
      leave_out(pair);
    }
  }
  pair.base.motion = {};
  pair.tighter.motion = {};
}

void FrictionPlan::add_series(FrictionResult& result) {
  const RigidSide& rigid = tasks_.rigid();
  for (std::size_t law = 0; law < expansions_.size(); ++law)
    for (const std::string& solver : study_.solvers.compliant) {
      const FrictionTerms* const expansion = expansions_[law].get();
      const FrictionLadder ladder = ladder_of(tasks_.pairs(), law, solver);
      if (ladder.empty()) continue;
      std::ranges::move(motion_series(study_, rigid, ladder, expansion),
                        std::back_inserter(result.series));
      std::vector<EventMatch> matches = event_matches(study_, rigid, ladder, expansion);
      std::ranges::move(event_series(study_, rigid, ladder, matches),
                        std::back_inserter(result.series));
      std::ranges::move(matches, std::back_inserter(result.matches));
      // At the smallest ε, where the compliant motion is nearest to the rigid one.
      const FrictionMotion& nearest = ladder.back()->base;
      if (!study_.solvers.locate_kinks || nearest.solve.outcome != Outcome::success) continue;
      if (std::string note = note_on_events(study_, rigid, nearest); !note.empty())
        result.notes.push_back(std::move(note));
    }
}

FrictionResult FrictionPlan::judged(const SolveCounts& counts) {
  const FrictionStudy& study = study_;
  FrictionResult result;
  result.study = study;
  result.counts = counts;
  result.interrupted = counts.missing > 0 || stopped_;
  if (!tasks_.has_rigid_motion()) return result;  // stopped before the motion
  std::call_once(begun_, [&] { begin_pairs(); });
  tasks_.check_steps();
  RigidSide& rigid = tasks_.rigid();
  result.no_prediction = no_prediction_;
  result.notes = friction_notes(study, rigid);
  add_series(result);
  const NonsmoothMotion& motion = rigid.report.motion;
  if (study.asks_for_modes()) result.modes.push_back(rigid_modes(study, motion));
  if (study.inequality_draws > 0) {
    try {
      result.inequality.push_back(inequality_of(study, motion.motion, options_));
      result.inequality.back().motion = "rigid";
    } catch (const Stopped&) {
      result.interrupted = true;
    }
  }
  result.curves.push_back(rigid_curve(motion));
  for (FrictionPair& pair : tasks_.pairs()) {
    result.solves.push_back(pair.base.solve);
    if (!study.compares_modes_only()) result.solves.push_back(pair.tighter.solve);
    if (pair.modes) result.modes.push_back(std::move(*pair.modes));
    if (pair.inequality) result.inequality.push_back(std::move(*pair.inequality));
    if (pair.curve) result.curves.push_back(std::move(*pair.curve));
  }
  result.claims = judged_claims(study, rigid.report, result.inequality);
  std::ranges::move(mode_claims(study, result.modes), std::back_inserter(result.claims));
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
  const bool has_solves =
      study.epsilons.empty() || std::ranges::any_of(solves, [](const FrictionSolve& solve) {
        return solve.outcome == Outcome::success;
      });
  return has_solves &&
         (rigid.motion.t_reached > 0.0 || !rigid.motion.events.empty() ||
          rigid.motion.outcome == study.history.outcome || rigidlimit::has_numbers(series));
}

}  // namespace rigidlimit
