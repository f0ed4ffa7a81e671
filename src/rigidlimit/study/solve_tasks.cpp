#include "rigidlimit/study/solve_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/asymptotics/expansion_of.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/rigid_eliminated.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/compliant_side.hpp"
#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/study/quad_side.hpp"
#include "rigidlimit/study/solve_record.hpp"

namespace rigidlimit {

namespace {

/// The work of dissipative, driving and other forces without potential along the rigid motion: by
/// the ODE without multiplier, so that every solver's energy error is told from its loss of energy.
SolveRecord rigid_work(const Study& study, const Solves& solves, const SolveOptions& options) {
  const BalancedProblem rigid =
      balanced(rigid_eliminated(study.model, solves.rigid_start), study.model, std::nullopt);
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(rigid.motion.problem, solves.times, options);
  return {.outcome = solution.outcome,
          .message = solution.message,
          .t_reached = solution.t_reached,
          .last_step = solution.last_step,
          .work = solution.work,
          .samples = {{"work", rigid.balance(solution).work.transpose()}}};
}

/// Nothing, and the reason in solves.no_prediction, if there is none.
std::optional<Expansion> expansion_for(const Study& study, Solves& solves) {
  if (std::ranges::count(study.contact.laws, "viscoelastic") == 0) {
    solves.no_prediction = "the expansion is that of the viscoelastic law";
    return std::nullopt;
  }
  if (!is_consistent(study.model, study.initial)) {
    solves.no_prediction = "the start slides";
    return std::nullopt;
  }
  try {
    return expansion_of(study.model, solves.rigid_start, law_of(study), initial_deflection(study));
  } catch (const InputError& error) {
    solves.no_prediction = error.what();
    return std::nullopt;
  }
}

CompliantMotion compliant_motion(const Study& study, const CompliantSolve& s,
                                 const std::vector<double>& times, SolveOptions how) {
  const double epsilon = study.epsilons[s.epsilon];
  const std::string name = s.method->name;
  if (const long steps = study.solvers.steps; steps > 0)
    how.fixed_step = times.back() / static_cast<double>(s.tighter ? 2 * steps : steps);
  CompliantMotion result;
  Solution solution;
  if (study.solvers.precision == Precision::binary128) {
    QuadCompliantMotion solved =
        solve_compliant_quad(study, *s.law, name, epsilon, s.tighter, times, how);
    solution = std::move(solved.ending);
    result.motion = std::move(solved.motion);
  } else {
    auto problem =
        compliant_problem(study, *s.law, study.solvers.settings_of(name).formulation, epsilon);
    // The accounts have no rows in the matrix, which a Rosenbrock method would need.
    if (s.tighter && s.law->has_spring() && !s.method->exact_jacobian) {
      const BalancedProblem accounted = balanced(std::move(problem), study.model,
                                                 BalancedContact{law_of(study, *s.law), epsilon});
      problem = accounted.motion;
      solution = s.method->solve(problem.problem, times, how);
      result.energy = accounted.balance(solution);
    } else {
      solution = s.method->solve(problem.problem, times, how);
    }
    result.motion = problem.motion(solution);
  }
  result.outcome = solution.outcome;
  result.message = solution.message;
  result.t_reached = solution.t_reached;
  result.last_step = solution.last_step;
  result.work = solution.work;
  return result;
}

}  // namespace

Tasks::Tasks(const Study& study, const RunOptions& options, Solves& solves)
    : study_(study), options_(options), solves_(solves), identities_(study) {
  for (const auto& grid : solves.grids) grids_.push_back(grid_hash(grid));
  union_ = grid_hash(solves.times);
  add_prediction();
  add_rigid_work();
  for (RigidSolve& s : solves.rigid) add(s);
  for (CompliantSolve& s : solves.compliant) add(s);
}

void Tasks::add_prediction() {
  std::optional<Expansion> expansion = expansion_for(study_, solves_);
  if (!expansion) return;
  tasks_.push_back({.identity = identities_.prediction(union_),
                    .times = &solves_.times,
                    .unit = next_unit(),
                    .what = "prediction",
                    .solve =
                        [this, e = *expansion] {
                          return record_of(Prediction(e, solves_.times, options_.stop_requested));
                        },
                    .take =
                        [this, e = *expansion](SolveRecord record) {
                          auto prediction = std::make_shared<const Prediction>(
                              prediction_of(e, std::move(record), solves_.times));
                          if (prediction->outcome() == Outcome::success)
                            solves_.prediction = std::move(prediction);
                          else
                            solves_.no_prediction = prediction->message();
                        }});
}

void Tasks::add_rigid_work() {
  const Tolerance tight{study_.solvers.reference_rtol, study_.solvers.reference_atol};
  tasks_.push_back(
      {.identity = identities_.rigid_work(tight, union_),
       .times = &solves_.times,
       .unit = next_unit(),
       .what = "energy of the rigid motion",
       .solve = [this, how = how(tight)] { return rigid_work(study_, solves_, how); },
       .take =
           [this](SolveRecord record) { solves_.rigid_work = record.take("work").reshaped(); }});
}

void Tasks::add(RigidSolve& s) {
  const bool in_quad = study_.solvers.precision == Precision::binary128;
  const Tolerance tolerance{s.rtol, s.atol};
  tasks_.push_back(
      {.identity = identities_.rigid(s.solver->name, tolerance, union_),
       .times = &solves_.times,
       .unit = next_unit(),
       .what = fmt::format("rigid, {}", s.solver->name),
       .solve =
           [this, &s, in_quad, how = how(tolerance)] {
             return record_of(
                 in_quad ? solve_rigid_quad(study_, *s.solver, solves_.times, how)
                         : solve_rigid(study_, *s.solver, solves_.rigid_start, solves_.times, how));
           },
       .take =
           [this, &s](SolveRecord record) {
             s.result = rigid_motion_of(std::move(record), solves_.times);
           }});
}

void Tasks::add(CompliantSolve& s) {
  const std::string law = s.law->name, method = s.method->name;
  const double epsilon = study_.epsilons[s.epsilon];
  const std::vector<double>& times = solves_.grids[s.epsilon];
  const Tolerance tolerance = study_.solvers.tolerance_of(method, s.tighter);
  const bool twin = !tasks_.empty() && tasks_.back().identity.tighter && !s.tighter;
  tasks_.push_back(
      {.identity = identities_.compliant(law, method, epsilon, s.tighter, grids_[s.epsilon]),
       .times = &times,
       .unit = twin ? tasks_.back().unit : next_unit(),
       .what = fmt::format("{}ε = {:.4g}, {}", study_.has_several_laws() ? law + ", " : "", epsilon,
                           method),
       .solve = [this, &s, &times,
                 how =
                     how(tolerance)] { return record_of(compliant_motion(study_, s, times, how)); },
       .take =
           [&s, &times](SolveRecord record) {
             s.result = compliant_motion_of(std::move(record), times);
           }});
}

SolveOptions Tasks::how(Tolerance tolerance) const {
  return solve_options(study_, tolerance, options_.stop_requested);
}

}  // namespace rigidlimit
