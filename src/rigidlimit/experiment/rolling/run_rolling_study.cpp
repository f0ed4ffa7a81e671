#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "rigidlimit/core/departure.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "rigidlimit/experiment/rolling/prove_bounds.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

namespace {

std::vector<Failure> failures_of(const RollingStudy& study, const Solves& solves) {
  std::vector<Failure> failures;
  for (const RollingPair& pair : solves.pairs)
    for (const CompliantMotion* motion : {&pair.tighter, &pair.base}) {
      if (!is_finished(motion->outcome) || motion->outcome == Outcome::success) continue;
      failures.push_back({.law = pair.law->name,
                          .compliant_solver = pair.method->name,
                          .epsilon = study.epsilons[pair.epsilon],
                          .tighter = motion == &pair.tighter,
                          .outcome = motion->outcome,
                          .message = motion->message,
                          .t_reached = motion->t_reached,
                          .last_step = motion->last_step});
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
          if (x.epsilon != y.epsilon || !x.is_evidence() || !y.is_evidence()) continue;
          ++compared;
          const double ratio =
              std::abs(x.model_error() - y.model_error()) / (x.solver_error() + y.solver_error());
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
std::string note_on_switches(const Solves& solves, const std::string& no_prediction) {
  if (solves.crossings.empty() && solves.no_crossings.empty()) return {};
  if (!no_prediction.empty())
    return fmt::format("order only, without a predicted constant: {}", no_prediction);
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

/// Empty if the viscoelastic law, or the first one, has predicted terms.
std::string reason_of_no_prediction(const RollingStudy& study, const Solves& solves) {
  if (study.composite_order) return solves.no_series;
  const auto viscoelastic = solves.predicted.find("viscoelastic");
  const auto found = viscoelastic != solves.predicted.end()
                         ? viscoelastic
                         : solves.predicted.find(study.contact.laws.front());
  return found != solves.predicted.end() ? found->second.reason : "";
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

std::vector<std::string> rolling_notes(const RollingResult& result) {
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

/// Of a motion that stays at rest, for which errors are no evidence.
std::string note_on_rest(const RollingResult& result, const Solves& solves) {
  for (const auto& judged : solves.judged) {
    const MatrixXd& v = solves.rigid[judged.solve].result.motion.rounded.v;
    if (v.size() == 0 || !v.allFinite() || v.cwiseAbs().maxCoeff() > 0.0) return {};
  }
  const bool exact = std::ranges::all_of(result.series, [](const Series& series) {
    return std::ranges::all_of(series.rows,
                               [](const Row& row) { return row.model_error() == 0.0; });
  });
  return fmt::format(
      "nothing moves: v = 0 for all t of the rigid motion{}; start it elsewhere or "
      "with a speed",
      exact ? ", and all errors are 0" : "");
}

bool has_ended(const RigidSolve& rigid) {
  return is_finished(rigid.result.outcome);
}

/// How often an estimate of an error is certainly smaller than the error. Empty: there are no
/// bounds.
std::string note_on_estimates(const std::vector<Series>& all) {
  int estimates = 0, small = 0;
  double worst = 0.0;
  const auto compare = [&](double estimate, double least, double rounding) {
    ++estimates;
    const double ratio = (least - rounding) / estimate;
    if (!(ratio > 1.0)) return;
    ++small;
    worst = std::max(worst, ratio);
  };
  for (const Series& series : all)
    for (const Row& row : series.rows) {
      const ProvedSizes* bounds = row.proved();
      if (bounds == nullptr) continue;
      compare(row.sizes.solver, bounds->least_solver, row.sizes.rounding);
      compare(row.sizes.reference, bounds->least_reference, row.sizes.rounding);
    }
  if (estimates == 0) return {};
  return fmt::format("{} of {} estimates of solver and reference errors are too small{}", small,
                     estimates, small > 0 ? fmt::format(", by up to {:.2g}", worst) : "");
}

MatrixXd sliding_along(const System& system, const PreciseMotion& motion) {
  MatrixXd sliding(system.m, motion.rounded.q.cols());
  for (Index k = 0; k < sliding.cols(); ++k) sliding.col(k) = sliding_at(system, motion, k);
  return sliding;
}

MatrixXd energy_error(const System& system, const Motion& motion, const VectorXd& work) {
  MatrixXd error(1, motion.q.cols());
  const double start = mechanical_energy(system, motion.q.col(0), motion.v.col(0));
  for (Index k = 0; k < motion.q.cols(); ++k)
    error(k) = mechanical_energy(system, motion.q.col(k), motion.v.col(k)) - start - work(k);
  return error;
}

void add_rigid(const RollingStudy& study, const Solves& solves, const JudgedRigid& judged,
               std::vector<Curve>& curves) {
  const RigidSolve& solve = solves.rigid[judged.solve];
  if (solve.result.outcome != Outcome::success) return;
  const Motion& motion = solve.result.motion.rounded;
  Curve curve{"rigid", "", solve.solver->name, std::nan(""), "sliding", grid_hash(solves.times),
              {}};
  curve.values = sliding_along(study.model, solve.result.motion);
  curves.push_back(curve);
  curve.name = "energy_error";
  curve.values = energy_error(study.model, motion, solves.rigid_work);
  curves.push_back(std::move(curve));
}

void add_compliant(const RollingStudy& study, const Solves& solves, const std::string& law,
                   std::size_t e, std::vector<Curve>& curves) {
  const std::string& solver = study.solvers.compliant.front();
  Curve curve{"compliant", law, solver, study.epsilons[e], "sliding", grid_hash(solves.grids[e]),
              {}};
  if (const CompliantMotion& base = solves.find(law, solver, e).base;
      base.outcome == Outcome::success) {
    curve.values = sliding_along(study.model, base.motion);
    curves.push_back(curve);
  }
  if (const CompliantMotion& tighter = solves.find(law, solver, e).tighter;
      tighter.outcome == Outcome::success && tighter.energy.mechanical.size() > 0) {
    curve.name = "energy_defect";
    curve.values = tighter.energy.defect().transpose();
    curves.push_back(std::move(curve));
  }
}

void add_predicted(const RollingStudy& study, const Solves& solves, const std::string& law,
                   std::size_t e, std::vector<Curve>& curves) {
  const PredictedTerms& predicted = solves.predicted.find(law)->second;
  if (!predicted.terms) return;
  const double epsilon = study.epsilons[e];
  const std::vector<double>& times = solves.grids[e];
  const std::string grid = grid_hash(times);
  const auto add = [&](const std::string& prefix, const Motion& motion) {
    for (const Quantity quantity : all_quantities)
      curves.push_back({"predicted", law, "", epsilon, prefix + name_of(quantity), grid,
                        values_of(motion, quantity)});
  };
  add("", predicted.terms->at(epsilon, times, times.front()));
  add("composite.", predicted.terms->known(epsilon, times));
}

/// Curves of every judged rigid solver, of the first compliant solver of each law, and of the
/// prediction, at up to eight values of ε (drawn_epsilons); without stored samples ([output]) only
/// of the rigid solvers.
std::vector<Curve> curves_of(const RollingStudy& study, const Solves& solves) {
  std::vector<Curve> curves;
  for (const JudgedRigid& judged : solves.judged) add_rigid(study, solves, judged, curves);
  if (study.kept_samples == KeptSamples::none) return curves;  // their times are not stored
  for (const std::size_t e : drawn_epsilons(study.epsilons.size())) {
    for (const std::string& law : study.contact.laws) {
      add_compliant(study, solves, law, e, curves);
      add_predicted(study, solves, law, e, curves);
    }
  }
  return curves;
}

}  // namespace

RollingPlan::RollingPlan(const RollingStudy& study, const RunOptions& options)
    : study_(study),
      options_(options),
      solves_(planned_solves(study)),
      maker_(study, options, solves_),
      tasks_(maker_.rigid()),
      rigid_side_(hash_of_inputs(tasks_)) {
  const std::vector<const Task*> rigid = pointers_to(tasks_);
  for (RollingPair& pair : solves_.pairs) {
    Task& task = tasks_.emplace_back(maker_.pair(pair));
    task.after = rigid;
    const bool stored = options.archive && !keeps_motion(study, pair);
    const SolveIdentity summary =
        stored ? comparison_identity(study, rigid_side_, task) : SolveIdentity{};
    const bool known = stored && find_comparison(pair, summary, task);
    task.take = [this, &pair, stored, known, summary](std::vector<SolveRecord> records) {
      maker_.take(std::move(records), pair);
      if (known) return;
      finish(pair);
      if (stored && is_complete(pair))
        options_.archive->keep(summary, {}, comparison_record(pair), Samples::with);
    };
  }
}

bool RollingPlan::find_comparison(RollingPair& pair, const SolveIdentity& summary, Task& task) {
  if (options_.recompute) return false;
  const auto kept = options_.archive->find(summary, Samples::with);
  if (!kept) return false;
  try {
    take_comparison(study_, *kept, pair);
  } catch (const DamagedRecord& damage) {
    throw DamagedRecord(fmt::format("is damaged: a comparison: {}", damage.what()),
                        options_.archive->name());
  }
  for (Solve& solve : task.solves) solve.wanted = Samples::without;
  return true;
}

bool RollingPlan::is_complete(const RollingPair& pair) const {
  return is_finished(pair.base.outcome) && is_finished(pair.tighter.outcome) &&
         std::ranges::all_of(solves_.rigid, has_ended);
}

void RollingPlan::finish(RollingPair& pair) {
  // Only a whole plan is judged; a shard compares what it does not keep.
  if (options_.shard.is_whole() || !keeps_motion(study_, pair)) {
    std::call_once(begun_, [&] { begin_pairs(); });
    try {
      compare(study_, solves_, pair, options_);
    } catch (const Stopped&) {
      pair.against.clear();
      pair.base = {};  // not run
    }
  }
  if (options_.curves && keeps_motion(study_, pair) && is_drawn(study_, pair)) return;
  for (CompliantMotion* motion : {&pair.base, &pair.tighter}) {
    motion->motion = {};
    motion->energy = {};
  }
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

void RollingPlan::begin_pairs() {
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

void RollingPlan::add_series(const JudgedRigid& rigid, RollingResult& result) {
  const auto which = static_cast<std::size_t>(&rigid - solves_.judged.data());
  const std::size_t of_epsilon = study_.contact.laws.size() * study_.solvers.compliant.size();
  for (std::size_t place = 0; place < of_epsilon; ++place) {
    std::vector<const RollingPair*> ladder;
    // Pairs begin with the smallest ε, series with the largest.
    for (std::size_t k = solves_.pairs.size() + place; k >= of_epsilon;) {
      k -= of_epsilon;
      if (const RollingPair& pair = solves_.pairs[k];
          !pair.against.empty() && is_finished(pair.base.outcome))
        ladder.push_back(&pair);
    }
    std::ranges::move(judged_series(study_, solves_, which, ladder),
                      std::back_inserter(result.series));
  }
}

/// Of the second solves, largest ε first.
void RollingPlan::add_energy(RollingResult& result) const {
  for (const RollingPair& pair : solves_.pairs)
    if (const auto& sizes = pair.energy)
      result.energy.push_back({.law = pair.law->name,
                               .compliant_solver = pair.method->name,
                               .epsilon = study_.epsilons[pair.epsilon],
                               .sizes = *sizes});
  std::ranges::stable_sort(result.energy, std::ranges::greater{}, &EnergyReport::epsilon);
}

/// Of the first compliant solver: those of the others are the same.
void RollingPlan::add_enclosures(RollingResult& result) const {
  for (const RollingPair& pair : solves_.pairs)
    if (pair.enclosure && pair.method->name == study_.solvers.compliant.front())
      result.enclosures.push_back(*pair.enclosure);
  std::ranges::stable_sort(result.enclosures, std::ranges::greater{}, &EnclosureReport::epsilon);
}

RollingResult RollingPlan::judged(const SolveCounts& counts) {
  const RollingStudy& study = study_;
  const Solves& solves = solves_;
  if (std::ranges::all_of(solves.rigid, has_ended))  // if all comparisons are from the archive
    std::call_once(begun_, [&] { begin_pairs(); });
  RollingResult result;
  result.study = study;
  result.multiplier_at_start = multiplier_at_start(study);
  result.delassus = delassus(study.model, study.initial.q);
  for (std::size_t r = 0; r < solves.judged.size(); ++r) {
    const RigidSolve& judged = solves.rigid[solves.judged[r].solve];
    const RigidSolve& reference = solves.rigid[solves.judged[r].reference];
    result.rigid.push_back(report_on(study.model, *judged.solver, judged.result, *reference.solver,
                                     reference.result, solves.rigid_work));
    result.rigid.back().departure =
        departure(study.system->info.coordinates, solves.times, judged.result.motion.rounded.q);
    if (!study.time.end_only) add_series(solves.judged[r], result);
  }
  report_references(study, solves, result);
  result.bounds = judged_bounds(study, result.series);
  const bool proofs_ended = prove_bounds(options_, result);
  if (study.counts_steps()) result.step_counts = step_counts_of(study, solves);
  result.steps = judged_steps(study, result.step_counts);
  result.failures = failures_of(study, solves);
  add_energy(result);
  add_enclosures(result);
  result.no_prediction = reason_of_no_prediction(study, solves);
  result.notes = rolling_notes(result);
  if (std::string note = note_on_estimates(result.series); !note.empty())
    result.notes.push_back(std::move(note));
  if (std::string note = note_on_rest(result, solves); !note.empty())
    result.notes.push_back(std::move(note));
  if (std::string note = note_on_switches(solves, result.no_prediction); !note.empty())
    result.notes.push_back(std::move(note));
  result.interrupted = std::ranges::any_of(solves.pairs, [](const RollingPair& pair) {
    return !is_finished(pair.base.outcome) || !is_finished(pair.tighter.outcome);
  });
  result.interrupted = result.interrupted || !proofs_ended;
  result.counts = counts;
  if (options_.curves) result.curves = curves_of(study, solves);
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
  if (std::ranges::any_of(rigid, [](const RigidReport& one) { return !one.departure.empty(); }))
    return false;
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
