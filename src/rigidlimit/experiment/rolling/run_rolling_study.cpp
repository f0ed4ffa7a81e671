#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "rigidlimit/core/departure.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/comparison.hpp"
#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "rigidlimit/experiment/rolling/prove_bounds.hpp"
#include "rigidlimit/experiment/rolling/rolling_curves.hpp"
#include "rigidlimit/experiment/rolling/rolling_notes.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// Reports on the solves that are only references: their drift and energy error, and the distance
/// from the first motion that they judge.
void report_references(const RollingStudy& study, const Solves& solves, RollingResult& result) {
  for (std::size_t i = 0; i < solves.rigid.size(); ++i) {
    const RigidSolve& reference = solves.rigid[i];
    const bool named = std::ranges::count(solves.judged, i, &JudgedRigid::solve) > 0;
    if (named || reference.solver->form == RigidForm::closed_form) continue;
    const auto judged = std::ranges::find(solves.judged, i, &JudgedRigid::reference);
    const RigidSolve& other = solves.rigid[judged->solve];
    result.rigid.push_back(report_on(rigid_model(study.model), *reference.solver, reference.result,
                                     *other.solver, other.result, solves.rigid_work));
  }
}

bool has_ended(const RigidSolve& rigid) {
  return is_finished(rigid.result.outcome);
}

/// Empty if the viscoelastic law, or the first one, has predicted terms.
std::string reason_of_no_prediction(const RollingStudy& study, const Solves& solves) {
  if (study.composite_order) return solves.no_series;
  const auto viscoelastic = solves.predicted.find("viscoelastic");
  const auto found = viscoelastic != solves.predicted.end()
                         ? viscoelastic
                         : solves.predicted.find(study.contact.laws.front());
  return found != solves.predicted.end() ? found->second.reason : "";
}

}  // namespace

RollingPlan::RollingPlan(const RollingStudy& study, const RunOptions& options)
    : study_(study),
      options_(options),
      solves_(planned_solves(study)),
      maker_(study, options, solves_),
      tasks_(maker_.rigid()),
      pairs_(*this, options),
      ensemble_(study, options) {
  pairs_.plan(axes_of(study), true, pointers_to(tasks_), tasks_);
  ensemble_.plan(tasks_);
}

bool RollingPlan::shows(const CompliantPair& pair) const {
  return options_.curves && keeps_motion(study_, pair) && is_drawn(study_, pair);
}

bool RollingPlan::is_complete() const {
  return std::ranges::all_of(solves_.rigid, has_ended);
}

/// Why the rigid side gives no expansion; empty: it does.
std::string RollingPlan::obstacle() const {
  if (!solves_.no_crossings.empty()) return solves_.no_crossings;
  const auto failed = [&](const JudgedRigid& judged) {
    return solves_.rigid[judged.solve].result.outcome != Outcome::success;
  };
  if (solves_.judged.empty() || !std::ranges::all_of(solves_.judged, failed)) return {};
  const RigidMotion& rigid = solves_.rigid[solves_.judged.front().solve].result;
  return fmt::format("the rigid motion failed: {}", name_of(rigid.outcome));
}

void RollingPlan::prepare() {
  for (const JudgedRigid& judged : solves_.judged)
    solves_.off_reference.push_back(distance_from_reference(solves_, judged));
  const std::string obstacle = this->obstacle();
  for (const std::string& law : study_.contact.laws)
    solves_.predicted[law] =
        obstacle.empty() ? predicted_terms(study_, *find_law(law), switch_crossings(solves_),
                                           options_.stop_requested)
                         : PredictedTerms{.terms = nullptr, .reason = obstacle};
  if (!study_.composite_order) return;
  try {
    if (!obstacle.empty()) throw InputError(obstacle);
    solves_.series = std::make_shared<const StudySeries>(study_, switch_crossings(solves_),
                                                         options_.stop_requested);
  } catch (const InputError& error) {
    solves_.no_series = error.what();
  }
}

void RollingPlan::add_series(RollingResult& result) const {
  if (study_.time.end_only) return;
  for (std::size_t which = 0; which < solves_.judged.size(); ++which)
    for (PairLadder ladder : pairs_.ladders()) {
      std::erase_if(ladder, [](const CompliantPair* pair) { return pair->against.empty(); });
      if (!ladder.empty())
        std::ranges::move(judged_series(study_, solves_, which, pairs_.axes(), ladder),
                          std::back_inserter(result.series));
    }
}

/// The results of the pairs beside their comparison, largest ε first. Enclosures are those of the
/// first compliant solver: those of the others are the same.
void RollingPlan::add_remains(RollingResult& result) const {
  for (const CompliantPair* pair : pairs_.decreasing()) {
    const CompliantSolve of = pairs_.axes().solve(*pair, true);
    if (const auto& sizes = pair->energy)
      result.energy.push_back({.law = of.law.name,
                               .compliant_solver = of.solver,
                               .epsilon = of.epsilon,
                               .sizes = *sizes});
    if (pair->enclosure && pair->solver == 0) result.enclosures.push_back(*pair->enclosure);
  }
  for (CompliantSolve& solve : pairs_.solves())
    if (is_finished(solve.outcome) && solve.outcome != Outcome::success)
      result.failures.push_back(std::move(solve));
}

RollingResult RollingPlan::judged(const SolveCounts& counts) {
  const RollingStudy& study = study_;
  const Solves& solves = solves_;
  if (is_complete()) pairs_.prepare();  // if all comparisons are from the archive
  RollingResult result;
  result.study = study;
  result.multiplier_at_start = multiplier_at_start(study);
  result.delassus = delassus(study.model, study.initial.q);
  for (std::size_t r = 0; r < solves.judged.size(); ++r) {
    const RigidSolve& judged = solves.rigid[solves.judged[r].solve];
    const RigidSolve& reference = solves.rigid[solves.judged[r].reference];
    result.rigid.push_back(report_on(rigid_model(study.model), *judged.solver, judged.result,
                                     *reference.solver, reference.result, solves.rigid_work));
    result.rigid.back().departure =
        departure(study.system->info.coordinates, solves.times, judged.result.motion.rounded.q);
  }
  add_series(result);
  report_references(study, solves, result);
  result.bounds = judged_bounds(study, result.series);
  const bool proofs_ended = prove_bounds(options_, result);
  if (study.counts_steps()) result.step_counts = step_counts_of(study, pairs_);
  result.steps = judged_steps(study, result.step_counts);
  add_remains(result);
  if (study.ensemble && ensemble_.is_complete())
    result.ensemble =
        std::make_shared<const EnsembleResult>(judged_ensemble(study, ensemble_, result.series));
  result.no_prediction = reason_of_no_prediction(study, solves);
  result.notes = rolling_notes(result, solves);
  result.interrupted =
      counts.missing > 0 || !pairs_.is_complete() || !ensemble_.is_complete() || !proofs_ended;
  result.counts = counts;
  if (options_.curves) result.curves = curves_of(study, solves, pairs_);
  return result;
}

RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options) {
  return result_of(RollingPlan(study, options), options);
}

bool RollingResult::has_numbers() const {
  return rigidlimit::has_numbers(series) ||
         std::ranges::any_of(step_counts,
                             [](const StepCount& c) { return c.outcome == Outcome::success; });
}

bool RollingResult::held() const {
  if (interrupted || std::ranges::any_of(rigid, &RigidReport::misses_energy)) return false;
  if (study.ensemble && !(ensemble && ensemble->held())) return false;
  if (std::ranges::any_of(rigid, [](const RigidReport& one) { return !one.departure.empty(); }))
    return false;
  // A series without rows has no report: the bound on it was not judged.
  const std::size_t pairs = study.solvers.rigid.size() * study.solvers.compliant.size();
  if (bounds.size() < study.bounds.size() * pairs) return false;
  if (steps.size() < study.steps.size() * study.solvers.compliant.size()) return false;
  return std::ranges::all_of(bounds, &BoundReport::held) &&
         std::ranges::all_of(steps, &StepsReport::held) &&
         all_held(study.expectations, axes_of(study).laws, pairs, series);
}

}  // namespace rigidlimit
