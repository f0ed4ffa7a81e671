#include "rigidlimit/experiment/pair/quad_side.hpp"

#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/closed_joints.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit {

namespace {

/// The number of stages of the second solve. At tolerances of 1e-20 and below, the order selection
/// of the first solve uses other numbers.
constexpr int other_stages = 9;

RadauOptions radau_options(const std::string& solver, bool tighter) {
  RadauOptions options;
  for (const int stages : {3, 5, 7})
    if (solver.ends_with("_" + std::to_string(stages))) options.stages = stages;
  if (tighter) options.stages = options.stages == 0 ? other_stages : options.stages + 2;
  return options;
}

/// All fields except the states, which have more digits.
Solution ending_of(const SolutionOf<Quad>& quad) {
  Solution ending;
  ending.outcome = quad.outcome;
  ending.message = quad.message;
  ending.t_reached = quad.t_reached;
  ending.last_step = quad.last_step;
  ending.work = quad.work;
  return ending;
}

/// The coordinates of the study, projected onto e(q) = 0 and the closed joints g(q) = 0 if only the
/// rounding to doubles keeps them off.
VectorX<Quad> unrounded_coordinates(const RollingStudy& study) {
  constexpr double rounding = 1e-13;
  const System& rigid = rigid_model(study.model);
  const VectorX<Quad> q = study.initial.q.cast<Quad>();
  VectorX<Quad> off(rigid.ni);
  if (rigid.ni == 0) return q;
  rigid.in<Quad>().invariants(q, off);
  if (!(static_cast<double>(off.cwiseAbs().maxCoeff()) <= rounding)) return q;
  return coordinates_with<Quad>(study.model, q, VectorX<Quad>::Zero(study.model.np)).value_or(q);
}

/// The start of the study with its velocity in doubles.
InitialStateOf<Quad> as_given(const RollingStudy& study) {
  return {unrounded_coordinates(study), study.initial.v.cast<Quad>()};
}

/// The same with the velocity projected onto ker [E; G_I], computed directly from the doubles of
/// the study: the result of rigid_start() has been rounded again and slides.
InitialStateOf<Quad> rolling_start(const RollingStudy& study) {
  InitialStateOf<Quad> start = as_given(study);
  start.v = projected_velocity<Quad>(study.model, study.contacts, start.q, start.v);
  return start;
}

/// The same projected onto ker E only: the contacts are compliant, the exact rows are not.
InitialStateOf<Quad> sliding_start(const RollingStudy& study) {
  InitialStateOf<Quad> start = as_given(study);
  const ContactBasis none{
      .rows = {}, .combination = MatrixXd(study.model.m, 0), .internal_forces = {}};
  if (study.model.ne > 0) start.v = projected_velocity<Quad>(study.model, none, start.q, start.v);
  return start;
}

template <class Problem>
RigidMotion solve_with(const MotionProblem<Problem, Quad>& rigid, const std::vector<double>& times,
                       const SolveOptions& options, const RadauOptions& radau) {
  const SolutionOf<Quad> solution = solve_radau_iia(rigid.problem, times, options, radau);
  return {solution, true, PreciseMotion(rigid.motion(solution))};
}

}  // namespace

InitialStateOf<Quad> compliant_start_in_quad(const RollingStudy& study) {
  return is_consistent(study.model, study.initial) ? rolling_start(study) : sliding_start(study);
}

QuadCompliantMotion solve_compliant_quad(const RollingStudy& study, const LawInfo& info,
                                         const std::string& solver, double epsilon, bool tighter,
                                         const std::vector<double>& times, SolveOptions options) {
  const ViscoelasticLaw law = law_of(study, info);
  const VectorXd eta0 = initial_deflection(study);
  const auto start = compliant_start(study, epsilon, compliant_start_in_quad(study));
  const bool adapted = study.solvers.settings_of(solver).formulation == Formulation::adapted;
  const auto problem = adapted ? compliant_adapted(study.model, start, law, epsilon, eta0)
                               : compliant_ode(study.model, start, law, epsilon, eta0);
  const SolutionOf<Quad> solution =
      solve_radau_iia(problem.problem, times, options, radau_options(solver, tighter));
  MotionOf<Quad> motion = problem.motion(solution);
  remove_preload(study, info, epsilon, motion);
  return {ending_of(solution), PreciseMotion(motion)};
}

RigidMotion solve_rigid_quad(const RollingStudy& study, const RigidSolver& solver,
                             const std::vector<double>& times, const SolveOptions& options) {
  const RadauOptions radau = radau_options(solver.name, false);
  const auto start = rolling_start(study);
  switch (solver.form) {
    case RigidForm::eliminated:
      return solve_with(rigid_eliminated(rigid_model(study.model), start), times, options, radau);
    case RigidForm::reduced:
      return solve_with(rigid_reduced(rigid_model(study.model), start), times, options,
                        {.stages = other_stages});
    case RigidForm::semi_explicit:
      return solve_with(rigid_semi_explicit(rigid_model(study.model), start), times, options,
                        radau);
    case RigidForm::closed_form:
    case RigidForm::index2:
    case RigidForm::impulse: break;
  }
  RigidMotion none;
  none.message = "no 113-bit version of this solver";
  return none;
}

QuadProjection projection_in_quad(const RollingStudy& study) {
  const InitialStateOf<Quad> given = as_given(study), rolling = rolling_start(study);
  MatrixX<Quad> rows(study.model.ne + study.model.m, study.model.n);
  study.model.in<Quad>().constraints(given.q, rows);
  const VectorX<Quad> left = rows * given.v, change = rolling.v - given.v;
  const auto largest = [](const VectorX<Quad>& x) {
    return static_cast<double>(x.cwiseAbs().maxCoeff());
  };
  return {.before = largest(left),
          .change = largest(change),
          .change_of_q = largest(given.q - study.initial.q.cast<Quad>())};
}

bool solves_in_quad(const std::string& solver) {
  return solver.starts_with("radau_iia");
}

const RigidSolver& quad_reference_for(const RigidSolver& solver) {
  return *find_rigid_solver(solver.form == RigidForm::reduced ? "radau_iia" : "radau_iia_reduced");
}

}  // namespace rigidlimit
