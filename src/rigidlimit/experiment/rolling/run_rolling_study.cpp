#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/plan/solve_rounds.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/judge_bounds.hpp"
#include "rigidlimit/experiment/rolling/judge_rows.hpp"
#include "rigidlimit/experiment/rolling/judge_steps.hpp"
#include "rigidlimit/experiment/rolling/quad_side.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

std::vector<Failure> failures_of(const RollingStudy& study, const Solves& solves) {
  std::vector<Failure> failures;
  for (const CompliantSolve& s : solves.compliant) {
    if (!is_finished(s.result.outcome) || s.result.outcome == Outcome::success) continue;
    failures.push_back({.law = s.law->name,
                        .compliant_solver = s.method->name,
                        .epsilon = study.epsilons[s.epsilon],
                        .tighter = s.tighter,
                        .outcome = s.result.outcome,
                        .message = s.result.message,
                        .t_reached = s.result.t_reached,
                        .last_step = s.result.last_step});
  }
  std::ranges::reverse(failures);  // largest ε first, as in the table
  return failures;
}

/// Reports on the solves that are only references: their drift and energy error, and the distance
/// from the first motion that they judge.
void report_references(const RollingStudy& study, const Solves& solves, RollingResult& result) {
  for (std::size_t i = 0; i < solves.rigid.size(); ++i) {
    const RigidSolve& reference = solves.rigid[i];
    const bool named = std::ranges::count(solves.judged, i, &JudgedRigid::solve) > 0;
    if (named || reference.solver->form == RigidForm::closed_form) continue;
    const auto judged = std::ranges::find(solves.judged, i, &JudgedRigid::reference);
    const RigidSolve& other = solves.rigid[judged->solve];
    result.rigid.push_back(report_on(study.model, *reference.solver, reference.result,
                                     *other.solver, other.result, solves.rigid_work));
  }
}

/// Of the second solve of a pair; empty without an energy balance.
std::optional<EnergyReport> energy_of(const RollingStudy& study, const CompliantSolve& s) {
  const EnergyBalance& energy = s.result.energy;
  if (s.result.outcome != Outcome::success || energy.mechanical.size() == 0) return std::nullopt;
  const Index end = energy.mechanical.size() - 1;
  return EnergyReport{.law = s.law->name,
                      .compliant_solver = s.method->name,
                      .epsilon = study.epsilons[s.epsilon],
                      .mechanical = energy.mechanical(end) - energy.mechanical(0),
                      .spring = energy.spring(end) - energy.spring(0),
                      .work = energy.work(end),
                      .damper = energy.damper(end),
                      .defect = energy.defect().cwiseAbs().maxCoeff()};
}

bool same_measure(const Row& a, const Row& b) {
  return a.law == b.law && a.rigid_solver == b.rigid_solver && a.measure == b.measure;
}

/// Counts the numbers in which two compliant solvers differ by more than the sum of their solver
/// errors: a test of these estimates without a reference. Empty: none.
std::string disagreement(const std::vector<Series>& all) {
  int compared = 0, apart = 0;
  double worst = 0.0;
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = a + 1; b != all.end(); ++b) {
      if (a->rows.empty() || b->rows.empty() || !same_measure(a->rows[0], b->rows[0])) continue;
      for (const Row& x : a->rows)
        for (const Row& y : b->rows) {
          if (x.epsilon != y.epsilon || x.status != "ok" || y.status != "ok") continue;
          ++compared;
          const double ratio =
              std::abs(x.model_error - y.model_error) / (x.solver_error + y.solver_error);
          if (!(ratio > 1.0)) continue;
          ++apart;
          worst = std::max(worst, ratio);
        }
    }
  if (apart == 0) return {};
  return fmt::format(
      "in {} of {} numbers, two compliant solvers differ by more than the sum of their solver "
      "errors, up to {:.2g} times: these errors are estimates",
      apart, compared, worst);
}

/// Rank and null space of the contacts, and the selection of the internal forces.
std::string note_on_redundancy(const RollingStudy& study) {
  std::vector<std::string> internal;
  for (const auto& n : study.contacts.internal_forces.colwise()) {
    const VectorXd force = (n.array().abs() < 1e-15).select(0.0, n);
    internal.push_back(fmt::format("({:.4g})", fmt::join(force, ", ")));
  }
  return fmt::format(
      "the {} contact components have rank {}: rigid rolling does not determine the internal "
      "forces {}; the stiffness selects the Λ with minimal Λᵀ C⁻¹ Λ (docs/theory.md, section 6)",
      study.model.m, study.contacts.rank(), fmt::join(internal, ", "));
}

/// The switches of the force and their effect on the numbers. Empty: there are none.
std::string note_on_switches(const Solves& solves) {
  if (solves.crossings.empty() && solves.no_crossings.empty()) return {};
  if (!solves.no_prediction.empty())
    return fmt::format("order only, without a predicted constant: {}", solves.no_prediction);
  std::vector<std::string> times;
  constexpr std::size_t most = 6;
  for (const auto& crossing : solves.crossings)
    if (times.size() < most) times.push_back(fmt::format("{:.10g}", crossing.t));
  if (solves.crossings.size() > most) times.emplace_back("…");
  return fmt::format(
      "the force switches at t = {} s ({}): solvers stop there, both sides are sampled, and a jump "
      "of Λ starts a layer, so λ has order 0 on a window with a jump (docs/theory.md, section 14)",
      fmt::join(times, ", "),
      solves.crossings.size() == 1 ? "one switch"
                                   : fmt::format("{} switches", solves.crossings.size()));
}

/// The projection in 113 bits of a start that rolls up to the rounding of its doubles; empty: none.
std::string note_on_start(const RollingStudy& study) {
  if (study.solvers.precision != Precision::binary128) return {};
  const QuadProjection projection = projection_in_quad(study);
  if (projection.change + projection.change_of_q == 0.0 ||
      !is_consistent(study.model, study.initial))
    return {};
  return fmt::format(
      "the start in double precision slides by {:.2g} m/s: in 113 bits both sides start from its "
      "projection onto rolling, which changes q by at most {:.2g} and v by at most {:.2g}",
      projection.before, projection.change_of_q, projection.change);
}

std::vector<std::string> notes_on(const RollingResult& result) {
  std::vector<std::string> notes;
  if (std::string note = note_on_start(result.study); !note.empty())
    notes.push_back(std::move(note));
  for (const RigidReport& rigid : result.rigid)
    if (!rigid.multiplier_tested)
      notes.push_back(fmt::format(
          "{}: Λ was not in the local error test (index 2); its error is measured against {}",
          rigid.solver, rigid.reference));
  if (result.study.contacts.redundant()) notes.push_back(note_on_redundancy(result.study));
  if (std::string note = disagreement(result.series); !note.empty())
    notes.push_back(std::move(note));
  const double force = result.multiplier_at_start.cwiseAbs().maxCoeff();
  constexpr double negligible = 1e-8;  // N: a smaller layer is of the size of solver errors
  const bool has_spring =
      std::ranges::any_of(result.study.contact.laws,
                          [](const std::string& law) { return find_law(law)->has_spring(); });
  if (has_spring && force < negligible &&
      result.study.contact.preparation == ContactSpec::Preparation::unloaded)
    notes.push_back(
        fmt::format("Λ(0) = {:.3g}: the unloaded spring is already prepared, so the orders are "
                    "those of the prepared regime (docs/theory.md, section 2)",
                    force));
  return notes;
}

}  // namespace

RollingPlan::RollingPlan(const RollingStudy& study, const RunOptions& options)
    : study_(study),
      options_(options),
      solves_(planned_solves(study)),
      pairs_(solves_.compliant.size() / 2),
      tasks_(study, options, solves_, *this),
      shared_left_(tasks_.shared()) {}

void RollingPlan::shared_done() {
  std::vector<std::size_t> waiting;
  {
    const std::lock_guard lock(guard_);
    if (--shared_left_ > 0) return;
    make_judges();
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      if (pairs_[k].missing == 0) {
        pairs_[k].judged = true;
        waiting.push_back(k);
      }
  }
  for (const std::size_t k : waiting) judge_pair(k);
}

void RollingPlan::done(const CompliantSolve& solve) {
  const auto place = static_cast<std::size_t>(&solve - solves_.compliant.data());
  if (!options_.shard.is_whole()) {  // nothing is judged
    solves_.compliant[place].result = {};
    return;
  }
  JudgedPair& pair = pairs_[place / 2];
  {
    const std::lock_guard lock(guard_);
    if (--pair.missing > 0 || shared_left_ > 0) return;
    pair.judged = true;
  }
  judge_pair(place / 2);
}

void RollingPlan::make_judges() {
  for (const JudgedRigid& rigid : solves_.judged) {
    std::vector<RowJudge>& judges = judges_.emplace_back();
    const auto off_reference = distance_from_reference(solves_, rigid);
    for (const std::string& law : study_.contact.laws)
      for (const std::string& solver : study_.solvers.compliant)
        judges.emplace_back(study_, solves_, rigid, off_reference, law, solver);
  }
}

void RollingPlan::judge_pair(std::size_t pair) {
  JudgedPair& judged = pairs_[pair];
  CompliantSolve &tighter = solves_.compliant[2 * pair], &base = solves_.compliant[2 * pair + 1];
  if (!study_.time.end_only)  // two samples are no error over the interval
    for (const std::vector<RowJudge>& judges : judges_)
      judged.rows.push_back(judges[pair % pairs_of_epsilon()].rows_at(base.epsilon));
  judged.energy = energy_of(study_, tighter);
  for (CompliantSolve* solve : {&tighter, &base}) {
    if (is_drawn(*solve)) continue;
    solve->result.motion = {};
    solve->result.energy = {};
  }
}

bool RollingPlan::is_drawn(const CompliantSolve& solve) const {
  if (!options_.curves || solve.method->name != study_.solvers.compliant.front()) return false;
  const std::vector<std::size_t> drawn = drawn_epsilons(study_.epsilons.size());
  return std::ranges::find(drawn, solve.epsilon) != drawn.end();
}

std::size_t RollingPlan::pairs_of_epsilon() const {
  return study_.contact.laws.size() * study_.solvers.compliant.size();
}

double RollingPlan::steepest() const {
  return std::max(1.0, study_.contact.damping_exponent) + study_.time.stretch;
}

RollingResult RollingPlan::judged(const SolveCounts& counts) {
  const RollingStudy& study = study_;
  const Solves& solves = solves_;
  if (judges_.empty()) make_judges();
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    if (!pairs_[k].judged) judge_pair(k);
  RollingResult result;
  result.study = study;
  result.multiplier_at_start = multiplier_at_start(study);
  result.delassus = delassus(study.model, study.initial.q);
  for (std::size_t r = 0; r < solves.judged.size(); ++r) {
    const RigidSolve& judged = solves.rigid[solves.judged[r].solve];
    const RigidSolve& reference = solves.rigid[solves.judged[r].reference];
    result.rigid.push_back(report_on(study.model, *judged.solver, judged.result, *reference.solver,
                                     reference.result, solves.rigid_work));
    if (study.time.end_only) continue;
    for (std::size_t place = 0; place < pairs_of_epsilon(); ++place) {
      std::vector<std::vector<Row>>
          rows;  // pairs begin with the smallest ε, series with the largest
      for (std::size_t k = pairs_.size() - pairs_of_epsilon() + place;; k -= pairs_of_epsilon()) {
        rows.push_back(std::move(pairs_[k].rows[r]));
        if (k < pairs_of_epsilon()) break;
      }
      std::ranges::move(judges_[r][place].series(std::move(rows)), std::back_inserter(result.series));
    }
  }
  report_references(study, solves, result);
  result.bounds = judged_bounds(study, result.series);
  if (study.counts_steps()) result.step_counts = step_counts_of(study, solves);
  result.steps = judged_steps(study, result.step_counts);
  result.failures = failures_of(study, solves);
  for (const JudgedPair& pair : pairs_)
    if (pair.energy) result.energy.push_back(*pair.energy);
  std::ranges::stable_sort(result.energy, std::ranges::greater{}, &EnergyReport::epsilon);
  result.no_prediction = solves.no_prediction;
  result.notes = notes_on(result);
  if (std::string note = note_on_switches(solves); !note.empty())
    result.notes.push_back(std::move(note));
  result.interrupted = std::ranges::any_of(
      solves.compliant, [](const CompliantSolve& s) { return !is_finished(s.result.outcome); });
  result.counts = counts;
  if (options_.curves) result.curves = curves_of(study, solves);
  return result;
}

RollingPlan plan_for(const RollingStudy& study, const RunOptions& options) {
  return RollingPlan(study, options);
}

RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options) {
  return result_of(study, options);
}

bool RollingResult::has_numbers() const {
  return rigidlimit::has_numbers(series) ||
         std::ranges::any_of(step_counts,
                             [](const StepCount& c) { return c.outcome == Outcome::success; });
}

bool RollingResult::held() const {
  if (interrupted || std::ranges::any_of(rigid, &RigidReport::misses_energy)) return false;
  for (const ExpectationSpec& e : study.expectations) {
    const bool judged = std::ranges::any_of(series, [&](const Series& s) {
      return s.expectation && s.expectation->law == e.law && s.expectation->measure == e.measure;
    });
    if (!judged) return false;
  }
  // A series without rows has no report: the bound on it was not judged.
  const std::size_t pairs = study.solvers.rigid.size() * study.solvers.compliant.size();
  if (bounds.size() < study.bounds.size() * pairs) return false;
  if (steps.size() < study.steps.size() * study.solvers.compliant.size()) return false;
  return std::ranges::all_of(bounds, &BoundReport::held) &&
         std::ranges::all_of(steps, &StepsReport::held) &&
         std::ranges::all_of(series, [](const Series& s) { return s.held(); });
}

}  // namespace rigidlimit
