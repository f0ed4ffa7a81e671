#include "rigidlimit/study/solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/study/parallel.hpp"
#include "rigidlimit/study/quad_side.hpp"
#include "rigidlimit/study/solve_clock.hpp"
#include "rigidlimit/study/solve_tasks.hpp"

namespace rigidlimit {

namespace {

/// Position of a rigid solve, added if it is new: a reference may be named by the study as well.
std::size_t rigid_solve(Solves& solves, const RigidSolver& solver, double rtol, double atol) {
  const auto at = std::ranges::find_if(solves.rigid, [&](const RigidSolve& s) {
    return s.solver == &solver && s.rtol == rtol && s.atol == atol;
  });
  if (at != solves.rigid.end()) return static_cast<std::size_t>(at - solves.rigid.begin());
  solves.rigid.push_back({.solver = &solver, .rtol = rtol, .atol = atol});
  return solves.rigid.size() - 1;
}

void plan_rigid(const Study& study, Solves& solves) {
  const SolverSpec& spec = study.solvers;
  const bool exact =
      study.model.closed_form && study.model.closed_form(solves.rigid_start, {0.0}).has_value();
  const bool in_quad = spec.precision == Precision::binary128;
  for (const std::string& name : spec.rigid) {
    const RigidSolver& solver = *find_rigid_solver(name);
    const RigidSolver& reference =
        in_quad ? quad_reference_for(solver) : reference_for(solver, exact);
    // IDA as a reference keeps the tolerances of the rigid side: it cannot reach the tight ones.
    const bool tight =
        reference.form == RigidForm::eliminated || reference.form == RigidForm::reduced;
    const std::size_t judged = rigid_solve(solves, solver, spec.rigid_rtol, spec.rigid_atol);
    const std::size_t judge =
        rigid_solve(solves, reference, tight ? spec.reference_rtol : spec.rigid_rtol,
                    tight ? spec.reference_atol : spec.rigid_atol);
    solves.judged.push_back({.solve = judged, .reference = judge});
  }
}

void plan_compliant(const Study& study, Solves& solves) {
  // The smallest ε first: those solves are the longest.
  for (std::size_t e = study.epsilons.size(); e-- > 0;)
    for (const std::string& law : study.contact.laws)
      for (const std::string& name : study.solvers.compliant)
        for (const bool tighter : {true, false})
          solves.compliant.push_back({.law = find_law(law),
                                      .method = find_ode_method(name),
                                      .epsilon = e,
                                      .tighter = tighter});
  for (std::size_t k = 0; k < solves.compliant.size(); ++k) {
    const CompliantSolve& s = solves.compliant[k];
    solves.places[{s.law->name, s.method->name, s.epsilon, s.tighter}] = k;
  }
}

/// Takes the result of a task from the archive, which may not have it; the seconds that it took.
std::optional<double> recall(const Task& task, const RunOptions& options) {
  if (!options.archive || options.recompute) return std::nullopt;
  std::optional<SolveRecord> kept = options.archive->find(task.identity);
  if (!kept) return std::nullopt;
  const double seconds = kept->seconds;
  task.take(std::move(*kept));
  return seconds;
}

/// Does a task; the seconds that it took, nothing if it was stopped.
std::optional<double> perform(const Task& task, const RunOptions& options) {
  SolveArchive* const archive = options.archive;
  if (archive) archive->begin(task.identity);
  const auto start = std::chrono::steady_clock::now();
  SolveRecord record = task.solve();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.seconds = seconds;
  const bool finished = is_finished(record.outcome);
  if (archive && finished) archive->keep(task.identity, *task.times, record);
  task.take(std::move(record));
  return finished ? std::optional(seconds) : std::nullopt;
}

/// Every task that the archive has not, the probes of the clock first.
class Rounds {
 public:
  Rounds(const Study& study, const RunOptions& options, std::vector<const Task*> tasks)
      : study_(study), options_(options), tasks_(std::move(tasks)), kept_(tasks_.size()) {}

  SolveCounts run() {
    each(tasks_, [this](std::size_t k) { return kept_[k] = recall(*tasks_[k], options_); });
    const int reused = done_;
    if (options_.solve) solve_missing();
    return {.computed = done_ - reused, .reused = reused, .missing = total() - done_};
  }

 private:
  int total() const { return static_cast<int>(tasks_.size()); }

  /// deed(k) of every task, or until somebody wants to stop; whether it is done then.
  template <class Deed>
  void each(const std::vector<const Task*>& tasks, const Deed& deed) {
    run_tasks(static_cast<int>(tasks.size()), options_.jobs, [&](int k) {
      if (options_.stop_requested && options_.stop_requested()) return;
      const auto place = static_cast<std::size_t>(k);
      if (!deed(place)) return;
      const std::scoped_lock lock(guard_);
      ++done_;
      if (options_.on_progress) options_.on_progress(done_, total(), tasks[place]->what);
    });
  }

  void solve_missing() {
    std::vector<const Task*> rest;
    for (std::size_t k = 0; k < tasks_.size(); ++k)
      if (!kept_[k]) rest.push_back(tasks_[k]);
    const TaskOrder missing = probes_first(rest);
    SolveClock clock(study_, options_, missing);
    for (std::size_t k = 0; k < tasks_.size(); ++k)
      if (kept_[k]) clock.add_known(tasks_[k]->identity, *kept_[k]);
    clock.begin();
    each(missing.tasks, [&](std::size_t k) {
      const std::optional<double> seconds = perform(*missing.tasks[k], options_);
      if (!seconds) return false;
      const std::scoped_lock lock(guard_);
      clock.finish(k, *seconds);
      return true;
    });
  }

  const Study& study_;
  const RunOptions& options_;
  std::vector<const Task*> tasks_;
  std::vector<std::optional<double>> kept_;  ///< the seconds that each took that was kept
  std::mutex guard_;
  int done_ = 0;
};

}  // namespace

const CompliantSolve& Solves::find(const std::string& law, const std::string& method,
                                   std::size_t epsilon, bool tighter) const {
  return compliant[places.at({law, method, epsilon, tighter})];
}

bool is_finished(Outcome outcome) {
  return outcome != Outcome::not_run && outcome != Outcome::interrupted;
}

Solves planned_solves(const Study& study) {
  Solves solves;
  solves.rigid_start = rigid_start(study);
  for (const double epsilon : study.epsilons) solves.grids.push_back(grid_for(study.time, epsilon));
  solves.times = union_of(solves.grids);
  solves.rigid_work =  // known once its task has run
      VectorXd::Constant(static_cast<Index>(solves.times.size()), std::nan(""));
  plan_rigid(study, solves);
  plan_compliant(study, solves);
  return solves;
}

Solves solve_all(const Study& study, const RunOptions& options) {
  Solves solves = planned_solves(study);
  const Tasks tasks(study, options, solves);
  if (options.archive) {
    std::vector<SolveIdentity> identities;
    for (const Task& task : tasks.all()) identities.push_back(task.identity);
    options.archive->plan(identities);
  }
  solves.counts = Rounds(study, options, tasks.of(options.shard)).run();
  return solves;
}

}  // namespace rigidlimit
