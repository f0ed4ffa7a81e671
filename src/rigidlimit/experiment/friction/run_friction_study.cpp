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
#include "rigidlimit/experiment/friction/judge_friction.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
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

PairAxes axes_of(const FrictionStudy& study) {
  PairAxes axes{.laws = {}, .solvers = study.solvers.compliant, .epsilons = study.epsilons};
  for (const ComparedLaw& law : study.contact.laws) axes.laws.push_back(name_of(law));
  return axes;
}

}  // namespace

FrictionPlan::FrictionPlan(const FrictionStudy& study, const RunOptions& options)
    : study_(study), options_(options), rigid_(study, options), pairs_(*this, options) {}

SolveStage FrictionPlan::next_stage() {
  if (begins_) {
    begins_ = false;
    return {.tasks = pointers_to(rigid_.first()), .decides = true};
  }
  rigid_.plan_rest(rest_);
  if (rigid_.has_pairs()) {
    // Modes alone have no error, so no error bar.
    pairs_.plan(axes_of(study_), !study_.compares_modes_only(), rigid_.compared(), rest_);
    remains_.resize(pairs_.pairs().size());
  }
  return {pointers_to(rest_)};
}

void FrictionPlan::prepare() {
  rigid_.set_judged();
  const RigidSide& rigid = rigid_.rigid();
  if (rigid.judged.times.empty()) return;
  off_reference_ = difference(rigid.judged, rigid.reference);
  for (const ComparedLaw& law : study_.contact.laws)
    expansions_.push_back(friction_terms_of(study_, rigid, law, no_prediction_));
}

void FrictionPlan::judge(CompliantPair& pair) {
  if (!rigid_.has_rigid_motion() || !is_finished(pair.base.outcome)) return;
  if (!rigid_.rigid().judged.times.empty())
    compare(study_, rigid_.rigid(), off_reference_, expansions_[pair.law].get(), pair,
            options_.stop_requested);
  remains_[pairs_.position(pair)] = remains_of(pair);
}

/// At uniform samples. Throws Stopped.
FrictionPlan::Remains FrictionPlan::remains_of(const CompliantPair& pair) const {
  const Motion& motion = pair.base.motion.rounded;
  const CompliantSolve solve = pairs_.axes().solve(pair, false);
  const ComparedLaw& law = study_.contact.laws[pair.law];
  const double end = rigid_.rigid().end;
  const auto until = [&](double last) {
    return on_samples(motion, uniform_grid(last, study_.time.samples));
  };
  Remains remains;
  if (study_.asks_for_modes()) {
    MotionModes& modes = remains.modes.emplace(modes_of(study_, until(study_.time.end)));
    modes.law = law;
    modes.solver = solve.solver;
    modes.epsilon = solve.epsilon;
    modes.outcome = solve.outcome;
  }
  if (pair.solver != 0 || motion.times.empty()) return remains;
  if (study_.inequality_draws > 0) {
    InequalityReport& report =
        remains.inequality.emplace(inequality_of(study_, until(end), options_));
    report.motion = "compliant";
    report.law = law;
    report.epsilon = solve.epsilon;
  }
  remains.curve = {.name = name_of(law.friction),
                   .tangential_power = law.tangential_power,
                   .solver = solve.solver,
                   .epsilon = solve.epsilon,
                   .motion = until(study_.compares_modes_only() ? study_.time.end : end),
                   .modes = {}};
  return remains;
}

void FrictionPlan::add_series(FrictionResult& result) {
  if (expansions_.empty()) return;  // not compared
  const RigidSide& rigid = rigid_.rigid();
  const PairAxes& axes = pairs_.axes();
  for (const PairLadder& ladder : pairs_.ladders()) {
    const FrictionTerms* const expansion = expansions_[ladder.front()->law].get();
    std::ranges::move(motion_series(study_, rigid, axes, ladder, expansion),
                      std::back_inserter(result.series));
    std::vector<EventMatch> matches = event_matches(study_, rigid, ladder, expansion);
    std::ranges::move(event_series(study_, rigid, axes, ladder, matches),
                      std::back_inserter(result.series));
    std::ranges::move(matches, std::back_inserter(result.matches));
    // At the smallest ε, where the compliant motion is nearest to the rigid one.
    const CompliantPair& nearest = *ladder.back();
    if (!study_.solvers.locate_kinks || nearest.base.outcome != Outcome::success) continue;
    if (std::string note =
            note_on_events(study_, rigid, axes.solve(nearest, false), nearest.base.events);
        !note.empty())
      result.notes.push_back(std::move(note));
  }
}

/// Largest ε first, as the solves.
void FrictionPlan::add_remains(FrictionResult& result) {
  for (const CompliantPair* pair : pairs_.decreasing()) {
    Remains& one = remains_[pairs_.position(*pair)];
    if (one.modes) result.modes.push_back(std::move(*one.modes));
    if (one.inequality) result.inequality.push_back(std::move(*one.inequality));
    if (one.curve) result.curves.push_back(std::move(*one.curve));
  }
}

FrictionResult FrictionPlan::judged(const SolveCounts& counts) {
  const FrictionStudy& study = study_;
  FrictionResult result;
  result.study = study;
  result.counts = counts;
  result.interrupted = counts.missing > 0 || !pairs_.is_complete();
  if (!rigid_.has_rigid_motion()) return result;  // stopped before the motion
  pairs_.prepare();
  rigid_.check_steps();
  RigidSide& rigid = rigid_.rigid();
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
  result.solves = pairs_.solves();
  add_remains(result);
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
  return std::ranges::all_of(claims, &HistoryClaim::held) &&
         all_held(study.expectations, axes_of(study).laws, study.solvers.compliant.size(), series);
}

bool FrictionResult::has_numbers() const {
  const bool has_solves =
      study.epsilons.empty() || std::ranges::any_of(solves, [](const CompliantSolve& solve) {
        return solve.outcome == Outcome::success;
      });
  return has_solves &&
         (rigid.motion.t_reached > 0.0 || !rigid.motion.events.empty() ||
          rigid.motion.outcome == study.history.outcome || rigidlimit::has_numbers(series));
}

}  // namespace rigidlimit
