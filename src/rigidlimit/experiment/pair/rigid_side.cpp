#include "rigidlimit/experiment/pair/rigid_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/energy_balance.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/closed_joints.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit {

namespace {

template <class Problem, class Solve>
RigidMotion solve_by(Solve solve, const MotionProblem<Problem>& rigid,
                     const std::vector<double>& times, const SolveOptions& options) {
  const Solution solution = solve(rigid.problem, times, options);
  bool multiplier_tested = true;
  if constexpr (requires { rigid.problem.algebraic_variables_untested; })
    multiplier_tested = !rigid.problem.algebraic_variables_untested;
  return {solution, multiplier_tested, rigid.motion(solution)};
}

auto by_method(const char* name) {
  return [method = find_ode_method(name)](
             const OdeProblem& problem, const std::vector<double>& times,
             const SolveOptions& options) { return method->solve(problem, times, options); };
}

RigidMotion by_formula(const System& system, const InitialState& start,
                       const std::vector<double>& times) {
  RigidMotion exact;
  if (auto motion = system.closed_form(start, times)) {
    const bool finite =
        motion->q.allFinite() && motion->v.allFinite() && motion->lambda.allFinite();
    exact.motion = std::move(*motion);
    exact.outcome = finite ? Outcome::success : Outcome::not_finite;
  } else {
    exact.message = "the closed form does not cover this start";
  }
  return exact;
}

RigidMotion solve_by_form(const System& system, const RigidSolver& solver,
                          const InitialState& start, const std::vector<double>& times,
                          const SolveOptions& options) {
  switch (solver.form) {
    case RigidForm::index2:
      return solve_by(find_dae_method("ida")->solve,
                      rigid_dae(system, start, MultiplierForm::index2), times, options);
    case RigidForm::impulse:
      return solve_by(find_dae_method("ida")->solve,
                      rigid_dae(system, start, MultiplierForm::impulse), times, options);
    case RigidForm::semi_explicit:
      return solve_by(
          [](const auto& problem, const auto& grid, const auto& opts) {
            return solve_radau_iia(problem, grid, opts, RadauOptions{});
          },
          rigid_semi_explicit(system, start), times, options);
    case RigidForm::reduced:
      return solve_by(by_method("radau_iia"), rigid_reduced(system, start), times, options);
    case RigidForm::eliminated:
      return solve_by(by_method(solver.name), rigid_eliminated(system, start), times, options);
    case RigidForm::closed_form: break;
  }
  return by_formula(system, start, times);
}

/// Solves in smooth pieces if the equations switch; a closed form covers the switches itself.
RigidMotion solve_in_pieces(const System& system, const RigidSolver& solver,
                            const InitialState& start, const std::vector<double>& times,
                            const std::vector<double>& marks, const SolveOptions& options) {
  if (!system.switches || solver.form == RigidForm::closed_form)
    return solve_by_form(system, solver, start, times, options);
  PiecewiseMotion whole = solve_piecewise(
      system, start, times, marks,
      [&](const System& smooth, const PieceStart& at, const std::vector<double>& grid) {
        RigidMotion piece = solve_by_form(smooth, solver, at.state, grid, options);
        return PiecewiseMotion{piece, piece.multiplier_tested, std::move(piece.motion.rounded)};
      });
  return {whole, whole.multiplier_tested, std::move(whole.motion)};
}

/// Fails a motion with redundant contacts from the first sample on at which one of them slides: its
/// surface moves against those of the others.
void require_rolling(const System& system, RigidMotion& rigid) {
  const Motion& motion = rigid.motion.rounded;
  MatrixXd rows(system.ne + system.m, system.n);
  for (Index k = 0; k < motion.q.cols(); ++k) {
    const VectorXd v = motion.v.col(k);
    if (!v.allFinite()) return;
    system.in<double>().constraints(motion.q.col(k), rows);
    const VectorXd w = rows.bottomRows(system.m) * v;
    Index worst = 0;
    const double sliding = w.cwiseAbs().maxCoeff(&worst);
    if (sliding <= 1e-6 * (rows * v.asDiagonal()).cwiseAbs().maxCoeff()) continue;
    rigid.outcome = Outcome::inadmissible_state;
    rigid.t_reached = motion.times[static_cast<std::size_t>(k)];
    rigid.message = fmt::format(
        "the redundant contacts roll on surfaces that move against each other: at t = {:.6g} s "
        "contact row {} slides with {:.3g}",
        rigid.t_reached, worst + 1, w(worst));
    return;
  }
}

/// Projects the samples onto g(q) = 0, and onto G v = 0 in the rows of joints; the largest |g|
/// before.
double project_joints(const System& system, Motion& motion) {
  double drift = 0.0;
  const VectorXd closed = VectorXd::Zero(system.np);
  MatrixXd rows(system.ne + system.m, system.n);
  for (Index k = 0; k < motion.q.cols() && system.np > 0; ++k) {
    const VectorXd q = motion.q.col(k);
    if (!q.allFinite()) break;
    drift = std::max(drift, joint_positions<double>(system, q).cwiseAbs().maxCoeff());
    const std::optional<VectorXd> projected = coordinates_with<double>(system, q, closed);
    if (!projected) continue;
    motion.q.col(k) = *projected;
    system.in<double>().constraints(*projected, rows);
    const VectorXd opening = rows.bottomRows(system.np) * motion.v.col(k);
    motion.v.col(k) += velocity_of_joints<double>(system, *projected, -opening);
  }
  return drift;
}

}  // namespace

PiecewiseMotion rigid_by_elimination(const RollingStudy& study, const InitialState& start,
                                     const std::vector<double>& times,
                                     const std::vector<double>& marks, const std::string& method,
                                     const SolveOptions& options) {
  return solve_piecewise(
      rigid_model(study.model), start, times, marks,
      [&](const System& smooth, const PieceStart& at, const std::vector<double>& grid) {
        const BalancedProblem rigid =
            balanced(rigid_eliminated(smooth, at.state), smooth, std::nullopt);
        const Solution solution =
            find_ode_method(method)->solve(rigid.motion.problem, grid, options);
        PiecewiseMotion piece{solution, true, rigid.motion.motion(solution)};
        piece.integrals = rigid.balance(solution).work.transpose();
        return piece;
      });
}

RigidMotion solve_rigid(const RollingStudy& study, const RigidSolver& solver,
                        const InitialState& start, const std::vector<double>& times,
                        const std::vector<double>& marks, const SolveOptions& options) {
  RigidMotion rigid =
      solve_in_pieces(rigid_model(study.model), solver, start, times, marks, options);
  if (study.contacts.redundant() && !rigid.motion.rounded.times.empty()) {
    if (rigid.outcome == Outcome::success) require_rolling(study.model, rigid);
    const VectorXd eta0 = initial_deflection(study);
    MatrixXd& lambda = rigid.motion.rounded.lambda;
    for (Index k = 0; k < lambda.cols(); ++k)
      lambda.col(k) = selected_multiplier(study.contacts, study.contact.stiffness, eta0,
                                          VectorXd(lambda.col(k)));
  }
  if (solver.form != RigidForm::closed_form)
    rigid.joint_drift = project_joints(study.model, rigid.motion.rounded);
  return rigid;
}

const char* rigid_method_for(const RollingStudy& study, const InitialState& start) {
  const auto rigid = rigid_eliminated(system_at_start(rigid_model(study.model), start), start);
  const Index N = rigid.problem.y0.size();
  MatrixXd J(N, N);
  rigid.problem.jacobian(start.t, rigid.problem.y0, J);
  const double end = study.time.end_at(study.epsilons.back());
  constexpr double many = 3000.0;  // rate × T; a step of an explicit method is a few 1/rate
  const std::optional<Eigen::VectorXcd> rates = eigenvalues_of(J);
  const bool stiff = rates && N > 0 && -rates->real().minCoeff() * end > many;
  return stiff ? "radau_iia_5" : "runge_kutta_fehlberg78";
}

const RigidSolver& reference_for(const RigidSolver& solver, bool has_closed_form,
                                 const std::string& rigid_method) {
  const bool by_formula = solver.form == RigidForm::closed_form;
  if (has_closed_form && !by_formula) return *find_rigid_solver("closed_form");
  const RigidSolver &independent = *find_rigid_solver(rigid_method),
                    &ida = *find_rigid_solver("ida");
  const bool is_radau = std::string_view(solver.name).starts_with("radau_iia");
  const bool same = &solver == &independent || (is_radau && rigid_method.starts_with("radau_iia"));
  return same ? ida : independent;
}

}  // namespace rigidlimit
