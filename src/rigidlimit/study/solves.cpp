#include "rigidlimit/study/solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/quad_pair.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/compliant_side.hpp"
#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/study/parallel.hpp"
#include "rigidlimit/study/quad_side.hpp"

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

void plan_rigid(const SolverSpec& spec, Solves& solves) {
  const bool exact = solves.pair->closed_form(solves.rigid_start, {0.0}).has_value();
  for (const std::string& name : spec.rigid) {
    const RigidSolver& solver = *find_rigid_solver(name);
    const RigidSolver& reference =
        solves.quad_pair ? quad_reference_for(solver) : reference_for(solver, exact);
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
    for (const std::string& name : study.solvers.compliant)
      for (const bool tighter : {true, false})
        solves.compliant.push_back(
            {.method = find_ode_method(name), .epsilon = e, .tighter = tighter});
}

SolveOptions solve_options(const Study& study, const RunOptions& options, Tolerance tolerance) {
  SolveOptions solve;
  solve.rtol = tolerance.rtol;
  solve.atol = tolerance.atol;
  solve.max_steps = study.solvers.max_steps;
  solve.stop_requested = options.stop_requested;
  return solve;
}

/// Says in solves.no_prediction why there is none.
void predict(const Study& study, const ViscoelasticLaw& law, const VectorXd& eta0, Solves& solves) {
  if (!is_consistent(*solves.pair, study.initial)) {
    solves.no_prediction = "the start slides";
    return;
  }
  try {
    const Expansion expansion =
        study.system->expand(study.parameters, solves.rigid_start, law, eta0);
    auto prediction = std::make_shared<const Prediction>(expansion, solves.times);
    if (prediction->outcome() == Outcome::success)
      solves.prediction = std::move(prediction);
    else
      solves.no_prediction = prediction->message();
  } catch (const InputError& error) {
    solves.no_prediction = error.what();
  }
}

}  // namespace

const CompliantSolve& Solves::find(const std::string& method, std::size_t epsilon,
                                   bool tighter) const {
  return *std::ranges::find_if(compliant, [&](const CompliantSolve& s) {
    return s.method->name == method && s.epsilon == epsilon && s.tighter == tighter;
  });
}

bool is_finished(const CompliantSolve& solve) {
  return solve.solution.outcome != Outcome::not_run &&
         solve.solution.outcome != Outcome::interrupted;
}

Solves solve_all(const Study& study, const RunOptions& options) {
  Solves solves;
  solves.pair = study.system->make_pair(study.parameters);
  if (study.solvers.precision == Precision::binary128)
    solves.quad_pair = study.system->make_quad_pair(study.parameters);
  solves.rigid_start = rigid_start(*solves.pair, study);
  for (const double epsilon : study.epsilons) solves.grids.push_back(grid_for(study.time, epsilon));
  solves.times = union_of(solves.grids);
  plan_rigid(study.solvers, solves);
  plan_compliant(study, solves);

  const ViscoelasticLaw law = law_of(*solves.pair, study);
  const VectorXd eta0 = initial_deflection(*solves.pair, study);
  predict(study, law, eta0, solves);
  const auto solve_rigid_one = [&](RigidSolve& s) {
    const SolveOptions how = solve_options(study, options, {s.rtol, s.atol});
    s.result =
        solves.quad_pair
            ? solve_rigid_quad(*solves.quad_pair, *s.solver, solves.rigid_start, solves.times, how)
            : solve_rigid(*solves.pair, *s.solver, solves.rigid_start, solves.times, how);
    return fmt::format("rigid, {}", s.solver->name);
  };
  const auto solve_compliant_one = [&](CompliantSolve& s) {
    const double epsilon = study.epsilons[s.epsilon];
    const std::string name = s.method->name;
    const SolveOptions how =
        solve_options(study, options, study.solvers.tolerance_of(name, s.tighter));
    if (solves.quad_pair) {
      QuadCompliantMotion solved =
          solve_compliant_quad(*solves.quad_pair, *solves.pair, study, name, epsilon, s.tighter,
                               solves.grids[s.epsilon], how);
      s.solution = std::move(solved.ending);
      s.motion = std::move(solved.motion);
    } else {
      const auto problem = compliant_problem(*solves.pair, study,
                                             study.solvers.settings_of(name).formulation, epsilon);
      s.solution = s.method->solve(problem.problem, solves.grids[s.epsilon], how);
      s.motion = problem.motion(s.solution);
    }
    return fmt::format("ε = {:.4g}, {}", epsilon, s.method->name);
  };

  const std::size_t total = solves.rigid.size() + solves.compliant.size();
  std::mutex guard;
  int done = 0;
  run_tasks(static_cast<int>(total), options.jobs, [&](int task) {
    if (options.stop_requested && options.stop_requested()) return;
    const auto i = static_cast<std::size_t>(task);
    const std::string what = i < solves.rigid.size()
                                 ? solve_rigid_one(solves.rigid[i])
                                 : solve_compliant_one(solves.compliant[i - solves.rigid.size()]);
    const std::scoped_lock lock(guard);
    if (options.on_progress) options.on_progress(++done, static_cast<int>(total), what);
  });
  return solves;
}

}  // namespace rigidlimit
