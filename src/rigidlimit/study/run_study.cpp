#include "rigidlimit/study/run_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/study/parallel.hpp"
#include "rigidlimit/study/rigid_side.hpp"

namespace rigidlimit {

namespace {

/// A rigid motion to compute: the ones the study names at their tolerances, and their references.
struct RigidTask {
  const RigidSolver* solver;
  double rtol, atol;
  RigidMotion result = {};

  bool operator==(const RigidTask& other) const {
    return solver == other.solver && rtol == other.rtol && atol == other.atol;
  }
};

/// A compliant motion to compute; `tighter` is the second solve, for the solver error.
struct CompliantTask {
  const OdeMethod* method;
  std::size_t epsilon_index;
  bool tighter;
  Solution solution = {};
  Motion motion = {};
};

/// Everything that one run holds. Tasks write to their own slot only, so that the result does not
/// depend on the number of threads.
class Run {
 public:
  Run(const Study& study, const RunOptions& options)
      : study_(study),
        options_(options),
        pair_(study.system->make_pair(study.parameters)),
        law_(law_of(*pair_, study)),
        deflection_(initial_deflection(*pair_, study)),
        rigid_start_(rigid_start(*pair_, study)) {
    for (const double epsilon : study.epsilons) grids_.push_back(grid_for(study.time, epsilon));
    all_times_ = union_of(grids_);
    plan();
  }

  StudyResult result() {
    solve();
    StudyResult result{.study = study_,
                       .multiplier_at_start = pair_->multiplier(rigid_start_),
                       .rigid = {},
                       .series = {},
                       .failures = {},
                       .notes = {},
                       .interrupted = stop_requested()};
    for (const std::size_t i : judged_) {
      const RigidTask& rigid = rigid_[i];
      const RigidTask& reference = rigid_[reference_of_.at(i)];
      result.rigid.push_back(
          report_on(*pair_, *rigid.solver, rigid.result, *reference.solver, reference.result));
      for (const std::string& name : study_.solvers.compliant)
        collect_series(rigid, reference, name, result);
    }
    collect_failures(result);
    collect_notes(result);
    return result;
  }

 private:
  /// Position of a rigid task, added if it is new.
  std::size_t rigid_task(const RigidSolver& solver, double rtol, double atol) {
    const RigidTask task{&solver, rtol, atol};
    const auto at = std::ranges::find(rigid_, task);
    if (at != rigid_.end()) return static_cast<std::size_t>(at - rigid_.begin());
    rigid_.push_back(task);
    return rigid_.size() - 1;
  }

  void plan() {
    const SolverSpec& s = study_.solvers;
    const bool exact = pair_->closed_form(rigid_start_, {0.0}).has_value();
    for (const std::string& name : s.rigid) {
      const RigidSolver& solver = *find_rigid_solver(name);
      const RigidSolver& reference = reference_for(solver, exact);
      const std::size_t i = rigid_task(solver, s.rigid_rtol, s.rigid_atol);
      // IDA as the judge keeps the tolerances it was given: it cannot reach the reference's.
      const bool tight = reference.form == RigidForm::eliminated;
      reference_of_[i] = rigid_task(reference, tight ? s.reference_rtol : s.rigid_rtol,
                                    tight ? s.reference_atol : s.rigid_atol);
      judged_.push_back(i);
    }
    // The smallest ε first: those solves are the longest.
    for (std::size_t e = study_.epsilons.size(); e-- > 0;)
      for (const std::string& name : s.compliant)
        for (const bool tighter : {true, false})
          compliant_.push_back({find_ode_method(name), e, tighter});
  }

  bool stop_requested() const { return options_.stop_requested && options_.stop_requested(); }

  SolveOptions solve_options(double rtol, double atol) const {
    SolveOptions options;
    options.rtol = rtol;
    options.atol = atol;
    options.max_steps = study_.solvers.max_steps;
    options.stop_requested = options_.stop_requested;
    return options;
  }

  void solve() {
    const int rigid_count = static_cast<int>(rigid_.size());
    const int total = rigid_count + static_cast<int>(compliant_.size());
    std::mutex guard;
    int done = 0;
    run_tasks(total, options_.jobs, [&](int i) {
      if (stop_requested()) return;
      const std::string what =
          i < rigid_count ? solve_one(rigid_[static_cast<std::size_t>(i)])
                          : solve_one(compliant_[static_cast<std::size_t>(i - rigid_count)]);
      const std::scoped_lock lock(guard);
      ++done;
      if (options_.on_progress) options_.on_progress(done, total, what);
    });
  }

  std::string solve_one(RigidTask& task) const {
    task.result = solve_rigid(*pair_, *task.solver, rigid_start_, all_times_,
                              solve_options(task.rtol, task.atol));
    return fmt::format("rigid, {}", task.solver->name);
  }

  std::string solve_one(CompliantTask& task) const {
    const double epsilon = study_.epsilons[task.epsilon_index];
    const double factor = task.tighter ? study_.solvers.tighten : 1.0;
    const auto problem = pair_->compliant(study_.initial, law_, epsilon, deflection_);
    task.solution = task.method->solve(
        problem.problem, grids_[task.epsilon_index],
        solve_options(factor * study_.solvers.rtol, factor * study_.solvers.atol));
    task.motion = problem.motion(task.solution);
    return fmt::format("eps = {:.4g}, {}", epsilon, task.method->name);
  }

  const CompliantTask& compliant_task(const std::string& method, std::size_t epsilon_index,
                                      bool tighter) const {
    return *std::ranges::find_if(compliant_, [&](const CompliantTask& task) {
      return task.method->name == method && task.epsilon_index == epsilon_index &&
             task.tighter == tighter;
    });
  }

  /// The rows of one solver pair that exist: an interrupted solve gives none.
  void collect_series(const RigidTask& rigid, const RigidTask& reference, const std::string& method,
                      StudyResult& result) const {
    struct Compared {
      const CompliantTask *base, *tight;
      Motion rigid, reference;
    };
    std::vector<Compared> compared;
    const auto part_of = [](const RigidMotion& motion, const std::vector<std::size_t>& positions) {
      return motion.outcome == Outcome::success ? restricted(motion.motion, positions) : Motion{};
    };
    for (std::size_t e = 0; e < study_.epsilons.size(); ++e) {
      const CompliantTask& base = compliant_task(method, e, false);
      if (base.solution.outcome == Outcome::not_run ||
          base.solution.outcome == Outcome::interrupted)
        continue;
      const auto positions = positions_in(all_times_, grids_[e]);
      compared.push_back({&base, &compliant_task(method, e, true), part_of(rigid.result, positions),
                          part_of(reference.result, positions)});
    }
    for (const Quantity quantity : all_quantities)
      for (const Norm norm : all_norms)
        for (const Window window : all_windows) {
          Series series;
          for (const Compared& c : compared) {
            Row row{.rigid_solver = rigid.solver->name,
                    .compliant_solver = method,
                    .epsilon = study_.epsilons[c.base->epsilon_index],
                    .quantity = quantity,
                    .norm = norm,
                    .window = window,
                    .status = {},
                    .work = c.base->solution.work};
            const auto measured = [&](const Motion& a, const Motion& b) {
              if (a.times.size() != b.times.size()) return std::nan("");
              return distance(a, b, quantity, norm, window, study_.after);
            };
            row.model_error = measured(c.base->motion, c.rigid);
            row.solver_error = measured(c.base->motion, c.tight->motion);
            row.reference_error = measured(c.rigid, c.reference);
            row.status = status_of(row, c.base->solution.outcome, rigid.result.outcome);
            series.rows.push_back(std::move(row));
          }
          judge_series(series);
          result.series.push_back(std::move(series));
        }
  }

  static std::string status_of(const Row& row, Outcome compliant, Outcome rigid) {
    if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
    if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
    // Not ">=": an error that is NaN, because the second solve failed, limits the row as well.
    if (!(row.model_error >= evidence_factor * row.solver_error)) return "solver_limited";
    if (!(row.model_error >= evidence_factor * row.reference_error)) return "reference_limited";
    return "ok";
  }

  void judge_series(Series& series) const {
    if (series.rows.empty()) return;
    const Row& any = series.rows.front();
    for (const ExpectationSpec& e : study_.expectations)
      if (e.quantity == any.quantity && e.norm == any.norm && e.window == any.window)
        series.expectation = e;
    std::vector<SeriesPoint> points;
    for (const Row& row : series.rows)
      points.push_back({.epsilon = row.epsilon,
                        .error = row.model_error,
                        .floor = std::fmax(row.solver_error, row.reference_error),
                        .usable = !std::isnan(row.solver_error + row.reference_error)});
    Expectation expectation;
    if (series.expectation)
      expectation = {.order = series.expectation->order, .within = series.expectation->within};
    series.judgement = judge(points, expectation);
    const std::vector<double> orders = neighbour_orders(points);
    for (std::size_t k = 0; k < series.rows.size(); ++k) {
      series.rows[k].order = orders[k];
      series.rows[k].verdict = series.judgement.verdict;
    }
  }

  void collect_failures(StudyResult& result) const {
    for (const CompliantTask& task : compliant_) {
      const Solution& s = task.solution;
      if (s.outcome == Outcome::success || s.outcome == Outcome::interrupted ||
          s.outcome == Outcome::not_run)
        continue;
      result.failures.push_back({.compliant_solver = task.method->name,
                                 .epsilon = study_.epsilons[task.epsilon_index],
                                 .tighter = task.tighter,
                                 .outcome = s.outcome,
                                 .message = s.message,
                                 .t_reached = s.t_reached,
                                 .last_step = s.last_step});
    }
    std::ranges::reverse(result.failures);  // largest ε first, as in the table
  }

  void collect_notes(StudyResult& result) const {
    for (const RigidReport& rigid : result.rigid)
      if (!rigid.multiplier_tested)
        result.notes.push_back(fmt::format(
            "{}: Lambda took no part in the local error test (index 2); its error is measured "
            "against {}",
            rigid.solver, rigid.reference));
    const double force = result.multiplier_at_start.cwiseAbs().maxCoeff();
    if (study_.contact.preparation == ContactSpec::Preparation::unloaded && force < 1e-8)
      result.notes.push_back(fmt::format(
          "Lambda(0) = {:.3g}: an unloaded spring is then prepared, and the orders are those of "
          "the prepared regime (theory.md, section 2)",
          force));
  }

  const Study& study_;
  const RunOptions& options_;
  std::unique_ptr<Pair> pair_;
  ViscoelasticLaw law_;
  VectorXd deflection_;  // η(0)
  InitialState rigid_start_;
  std::vector<std::vector<double>> grids_;  // one for each ε
  std::vector<double> all_times_;           // their union, for the rigid side
  std::vector<RigidTask> rigid_;
  std::vector<std::size_t> judged_;                  // those the study names
  std::map<std::size_t, std::size_t> reference_of_;  // and what judges them
  std::vector<CompliantTask> compliant_;
};

}  // namespace

StudyResult run_study(const Study& study, const RunOptions& options) {
  return Run(study, options).result();
}

bool StudyResult::held() const {
  if (interrupted) return false;
  for (const ExpectationSpec& e : study.expectations) {
    const bool judged = std::ranges::any_of(series, [&](const Series& s) {
      return s.expectation && s.expectation->quantity == e.quantity &&
             s.expectation->norm == e.norm && s.expectation->window == e.window;
    });
    if (!judged) return false;
  }
  return std::ranges::all_of(series, [](const Series& s) { return s.held(); });
}

}  // namespace rigidlimit
