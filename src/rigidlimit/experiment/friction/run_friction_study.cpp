#include "rigidlimit/experiment/friction/run_friction_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/event_sequences.hpp"
#include "rigidlimit/experiment/friction/friction_expansion.hpp"
#include "rigidlimit/experiment/friction/friction_motions.hpp"
#include "rigidlimit/experiment/friction/impact_expansion.hpp"
#include "rigidlimit/experiment/friction/judge_friction.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/plan/solve_rounds.hpp"

namespace rigidlimit {

namespace {

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

FrictionPlan plan_for(const FrictionStudy& study, const RunOptions& options) {
  return FrictionPlan(study, options);
}

FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options) {
  return result_of(study, options);
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
