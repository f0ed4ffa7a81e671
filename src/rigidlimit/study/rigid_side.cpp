#include "rigidlimit/study/rigid_side.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau_iia.hpp"

namespace rigidlimit {

namespace {

template <class Problem, class Solve>
RigidMotion solve_by(Solve solve, const MotionProblem<Problem>& rigid,
                     const std::vector<double>& times, const SolveOptions& options) {
  const Solution solution = solve(rigid.problem, times, options);
  bool multiplier_tested = true;
  if constexpr (requires { rigid.problem.algebraic_variables_untested; })
    multiplier_tested = !rigid.problem.algebraic_variables_untested;
  return {.outcome = solution.outcome,
          .message = solution.message,
          .multiplier_tested = multiplier_tested,
          .work = solution.work,
          .motion = rigid.motion(solution)};
}

}  // namespace

RigidMotion solve_rigid(const Pair& pair, const RigidSolver& solver, const InitialState& start,
                        const std::vector<double>& times, const SolveOptions& options) {
  switch (solver.form) {
    case RigidForm::index2:
      return solve_by(find_dae_method("ida")->solve, pair.rigid_index2(start), times, options);
    case RigidForm::impulse:
      return solve_by(find_dae_method("ida")->solve, pair.rigid_impulse(start), times, options);
    case RigidForm::semi_explicit:
      return solve_by(
          [](const auto& problem, const auto& grid, const auto& opts) {
            return solve_radau_iia(problem, grid, opts, RadauOptions{});
          },
          pair.rigid_semi_explicit(start), times, options);
    case RigidForm::reduced:
      return solve_by(find_ode_method("radau_iia")->solve, pair.rigid_reduced(start, {}), times,
                      options);
    case RigidForm::eliminated:
      return solve_by(find_ode_method(solver.name)->solve, pair.rigid_eliminated(start), times,
                      options);
    case RigidForm::closed_form: break;
  }
  RigidMotion exact;
  if (auto motion = pair.closed_form(start, times)) {
    const bool finite =
        motion->q.allFinite() && motion->v.allFinite() && motion->lambda.allFinite();
    exact.motion = std::move(*motion);
    exact.outcome = finite ? Outcome::success : Outcome::not_finite;
  } else {
    exact.message = "the closed form does not cover this start";
  }
  return exact;
}

const RigidSolver& reference_for(const RigidSolver& solver, bool has_closed_form) {
  const bool by_formula = solver.form == RigidForm::closed_form;
  if (has_closed_form && !by_formula) return *find_rigid_solver("closed_form");
  const RigidSolver& independent = *find_rigid_solver("runge_kutta_fehlberg78");
  return &solver == &independent ? *find_rigid_solver("ida") : independent;
}

RigidReport report_on(const Pair& pair, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge) {
  RigidReport report{.solver = solver.name,
                     .reference = reference.name,
                     .multiplier_tested = rigid.multiplier_tested,
                     .outcome = rigid.outcome,
                     .message = rigid.message,
                     .work = rigid.work};
  report.error.fill(std::nan(""));
  if (rigid.outcome != Outcome::success) return report;
  if (judge.outcome == Outcome::success) {
    const Motion apart = difference(rigid.motion, judge.motion);
    for (const Quantity x : all_quantities)
      report.error[static_cast<std::size_t>(x)] = magnitude(apart, x, Norm::sup, Window::all, 0.0);
  }
  const Motion& motion = rigid.motion.rounded;

  const double energy0 = pair.energy(motion.q.col(0), motion.v.col(0));
  const VectorXd rest = VectorXd::Zero(motion.v.rows());
  report.energy_scale = energy0 - pair.energy(motion.q.col(0), rest);
  for (Index k = 0; k < motion.q.cols(); ++k) {
    const InitialState state{motion.q.col(k), motion.v.col(k)};
    report.drift = std::max(report.drift, pair.sliding_velocity(state).cwiseAbs().maxCoeff());
    report.energy_error =
        std::max(report.energy_error, std::abs(pair.energy(state.q, state.v) - energy0));
  }
  return report;
}

}  // namespace rigidlimit
