#include "rigidlimit/study/quad_side.hpp"

#include "rigidlimit/formulations/quad_pair.hpp"
#include "rigidlimit/solvers/radau_iia.hpp"
#include "rigidlimit/study/contact_data.hpp"

namespace rigidlimit {

namespace {

/// The number of stages of the second solve, beside those that order selection has at tolerances
/// of 1e-20 and below.
constexpr int other_stages = 9;

RadauOptions radau_options(const std::string& solver, bool tighter) {
  RadauOptions options;
  if (solver == "radau_iia_fast_block") options.newton = NewtonMatrix::fast_block;
  for (const int stages : {3, 5, 7})
    if (solver.ends_with("_" + std::to_string(stages))) options.stages = stages;
  if (tighter) options.stages = options.stages == 0 ? other_stages : options.stages + 2;
  return options;
}

/// Everything but the states, which are too precise for it.
Solution ending_of(const SolutionOf<Quad>& quad) {
  Solution ending;
  ending.outcome = quad.outcome;
  ending.message = quad.message;
  ending.t_reached = quad.t_reached;
  ending.last_step = quad.last_step;
  ending.work = quad.work;
  return ending;
}

template <class Problem>
RigidMotion solve_with(const MotionProblem<Problem, Quad>& rigid, const std::vector<double>& times,
                       const SolveOptions& options, const RadauOptions& radau) {
  const SolutionOf<Quad> solution = solve_radau_iia(rigid.problem, times, options, radau);
  return {.outcome = solution.outcome,
          .message = solution.message,
          .multiplier_tested = true,
          .work = solution.work,
          .motion = PreciseMotion(rigid.motion(solution))};
}

}  // namespace

QuadCompliantMotion solve_compliant_quad(const QuadPair& quad_pair, const Pair& pair,
                                         const Study& study, const std::string& solver,
                                         double epsilon, bool tighter,
                                         const std::vector<double>& times, SolveOptions options) {
  const ViscoelasticLaw law = law_of(pair, study);
  const VectorXd eta0 = initial_deflection(pair, study);
  const bool slides = !is_consistent(pair, study.initial);
  const bool adapted = study.solvers.settings_of(solver).formulation == Formulation::adapted;
  const auto problem =
      adapted ? quad_pair.compliant_adapted(study.initial, law, epsilon, eta0, slides, {})
              : quad_pair.compliant(study.initial, law, epsilon, eta0, slides);
  const SolutionOf<Quad> solution =
      solve_radau_iia(problem.problem, times, options, radau_options(solver, tighter));
  return {ending_of(solution), PreciseMotion(problem.motion(solution))};
}

RigidMotion solve_rigid_quad(const QuadPair& quad_pair, const RigidSolver& solver,
                             const InitialState& start, const std::vector<double>& times,
                             const SolveOptions& options) {
  const RadauOptions radau = radau_options(solver.name, false);
  switch (solver.form) {
    case RigidForm::eliminated:
      return solve_with(quad_pair.rigid_eliminated(start), times, options, radau);
    case RigidForm::reduced:
      return solve_with(quad_pair.rigid_reduced(start, {}), times, options,
                        {.stages = other_stages});
    case RigidForm::semi_explicit:
      return solve_with(quad_pair.rigid_semi_explicit(start), times, options, radau);
    case RigidForm::closed_form:
    case RigidForm::index2:
    case RigidForm::impulse: break;
  }
  RigidMotion none;
  none.message = "no 113-bit version of this solver";
  return none;
}

bool solves_in_quad(const std::string& solver) {
  return solver.starts_with("radau_iia");
}

const RigidSolver& quad_reference_for(const RigidSolver& solver) {
  return *find_rigid_solver(solver.form == RigidForm::reduced ? "radau_iia" : "radau_iia_reduced");
}

}  // namespace rigidlimit
