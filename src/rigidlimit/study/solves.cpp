#include "rigidlimit/study/solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "rigidlimit/asymptotics/expansion_of.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/rigid_eliminated.hpp"
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
}

/// The work of dissipative, driving and other forces without potential along the rigid motion: by
/// the ODE without multiplier, so that every solver's energy error is told from its loss of energy.
void find_rigid_work(const Study& study, const SolveOptions& options, Solves& solves) {
  const BalancedProblem rigid =
      balanced(rigid_eliminated(study.model, solves.rigid_start), study.model, std::nullopt);
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(rigid.motion.problem, solves.times, options);
  solves.rigid_work = rigid.balance(solution).work;
}

/// Says in solves.no_prediction why there is none.
void predict(const Study& study, Solves& solves) {
  if (std::ranges::count(study.contact.laws, "viscoelastic") == 0) {
    solves.no_prediction = "the expansion is that of the viscoelastic law";
    return;
  }
  if (!is_consistent(study.model, study.initial)) {
    solves.no_prediction = "the start slides";
    return;
  }
  try {
    const Expansion expansion =
        expansion_of(study.model, solves.rigid_start, law_of(study), initial_deflection(study));
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

const CompliantSolve& Solves::find(const std::string& law, const std::string& method,
                                   std::size_t epsilon, bool tighter) const {
  return *std::ranges::find_if(compliant, [&](const CompliantSolve& s) {
    return s.law->name == law && s.method->name == method && s.epsilon == epsilon &&
           s.tighter == tighter;
  });
}

bool is_finished(const CompliantSolve& solve) {
  return solve.solution.outcome != Outcome::not_run &&
         solve.solution.outcome != Outcome::interrupted;
}

Solves solve_all(const Study& study, const RunOptions& options) {
  Solves solves;
  const bool in_quad = study.solvers.precision == Precision::binary128;
  solves.rigid_start = rigid_start(study);
  for (const double epsilon : study.epsilons) solves.grids.push_back(grid_for(study.time, epsilon));
  solves.times = union_of(solves.grids);
  solves.rigid_work =  // known once its task has run
      VectorXd::Constant(static_cast<Index>(solves.times.size()), std::nan(""));
  plan_rigid(study, solves);
  plan_compliant(study, solves);

  const auto solve_rigid_one = [&](RigidSolve& s) {
    const SolveOptions how = solve_options(study, {s.rtol, s.atol}, options.stop_requested);
    const auto solve = in_quad ? solve_rigid_quad : solve_rigid;
    s.result = solve(study, *s.solver, solves.rigid_start, solves.times, how);
    return fmt::format("rigid, {}", s.solver->name);
  };
  const auto solve_compliant_one = [&](CompliantSolve& s) {
    const double epsilon = study.epsilons[s.epsilon];
    const std::string name = s.method->name;
    SolveOptions how =
        solve_options(study, study.solvers.tolerance_of(name, s.tighter), options.stop_requested);
    if (const long steps = study.solvers.steps; steps > 0)
      how.fixed_step = solves.grids[s.epsilon].back() / static_cast<double>(s.tighter ? 2 * steps : steps);
    if (in_quad) {
      QuadCompliantMotion solved = solve_compliant_quad(study, *s.law, name, epsilon, s.tighter,
                                                        solves.grids[s.epsilon], how);
      s.solution = std::move(solved.ending);
      s.motion = std::move(solved.motion);
    } else {
      auto problem =
          compliant_problem(study, *s.law, study.solvers.settings_of(name).formulation, epsilon);
      // The accounts have no rows in the matrix, which a Rosenbrock method would need.
      if (s.tighter && s.law->has_spring() && !s.method->exact_jacobian) {
        const BalancedProblem accounted = balanced(std::move(problem), study.model,
                                                   BalancedContact{law_of(study, *s.law), epsilon});
        problem = accounted.motion;
        s.solution = s.method->solve(problem.problem, solves.grids[s.epsilon], how);
        s.energy = accounted.balance(s.solution);
      } else {
        s.solution = s.method->solve(problem.problem, solves.grids[s.epsilon], how);
      }
      s.motion = problem.motion(s.solution);
    }
    return fmt::format("{}ε = {:.4g}, {}",
                       study.has_several_laws() ? std::string(s.law->name) + ", " : "", epsilon,
                       s.method->name);
  };

  std::vector<std::function<std::string()>> tasks;
  tasks.reserve(2 + solves.rigid.size() + solves.compliant.size());
  tasks.emplace_back([&] { return predict(study, solves), std::string("prediction"); });
  tasks.emplace_back([&] {
    const Tolerance tight{study.solvers.reference_rtol, study.solvers.reference_atol};
    find_rigid_work(study, solve_options(study, tight, options.stop_requested), solves);
    return std::string("energy of the rigid motion");
  });
  for (RigidSolve& s : solves.rigid) tasks.emplace_back([&] { return solve_rigid_one(s); });
  for (CompliantSolve& s : solves.compliant)
    tasks.emplace_back([&] { return solve_compliant_one(s); });

  const auto total = static_cast<int>(tasks.size());
  std::mutex guard;
  int done = 0;
  run_tasks(total, options.jobs, [&](int task) {
    if (options.stop_requested && options.stop_requested()) return;
    const std::string what = tasks[static_cast<std::size_t>(task)]();
    const std::scoped_lock lock(guard);
    if (options.on_progress) options.on_progress(++done, total, what);
  });
  return solves;
}

}  // namespace rigidlimit
