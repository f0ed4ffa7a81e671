#include "rigidlimit/experiment/rolling/solve_tasks.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/composite.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

namespace {

/// "multiplier_tested" (1 × 1) beside the samples of all motions.
SolveRecord record_of(RigidMotion motion) {
  SolveRecord record{motion};
  add(MatrixXd::Constant(1, 1, motion.multiplier_tested), "multiplier_tested", record);
  add(MatrixXd::Constant(1, 1, motion.joint_drift), "joint_drift", record);
  add(std::move(motion.motion), record);
  return record;
}

RigidMotion rigid_motion_of(SolveRecord record, const MotionSizes& sizes,
                            const std::vector<double>& times) {
  const MatrixXd tested = record.take_optional("multiplier_tested", 1, 1);
  const bool is_tested = tested.size() == 0 || tested(0, 0) != 0.0;
  MotionSizes of_rigid = sizes;
  of_rigid.gap = 0;
  const MatrixXd drift = record.take_optional("joint_drift", 1, 1);
  return {record, is_tested, take_precise_motion(of_rigid, times, record),
          drift.size() == 0 ? 0.0 : drift(0, 0)};
}

/// The work of all forces without potential along the rigid motion, by the ODE without multiplier.
/// The energy error of every rigid solver is measured against it.
SolveRecord rigid_work(const RollingStudy& study, const Solves& solves,
                       const SolveOptions& options) {
  const PiecewiseMotion rigid =
      rigid_by_elimination(study, solves.rigid_start, solves.times, solves.switching_times(),
                           solves.rigid_method, options);
  SolveRecord record{rigid};
  add(rigid.integrals, "work", record);
  return record;
}

/// The study of one piece of a compliant motion: from the state and the deflection at its start,
/// with the damping of the whole motion.
RollingStudy study_of_piece(const RollingStudy& study, const LawInfo& info, double epsilon,
                            const System& smooth, const PieceStart& start) {
  RollingStudy piece = study;
  piece.model = smooth;
  piece.initial = start.state;
  if (start.lambda.size() == 0) return piece;
  piece.contact.damping = law_of(study).damping;
  piece.contact.damping_ratio.reset();
  if (info.realisation || !info.has_spring()) return piece;
  // λ = C η + D ε^(−β) G v.
  const LawAt<double> law(law_of(study, info), epsilon);
  const VectorXd damper = law.damping * sliding_velocity(smooth, start.state);
  piece.contact.preparation = ContactSpec::Preparation::given;
  piece.contact.deflection = symmetric_solve(law.stiffness, VectorXd(start.lambda - damper));
  return piece;
}

/// The energy accounts have no rows in the matrix, which a Rosenbrock method would need, and no
/// expansion.
bool takes_accounts(const OdeMethod& method) {
  return !method.exact_jacobian && method.function != solve_composite_6;
}

/// compliant_motion() for a smooth system.
PiecewiseMotion smooth_compliant_motion(const RollingStudy& study, const CompliantPair& s,
                                        bool tighter, const std::vector<double>& times,
                                        const SolveOptions& how) {
  const double epsilon = study.epsilons[s.epsilon];
  const LawInfo& law = law_of_pair(study, s);
  const OdeMethod& method = method_of_pair(study, s);
  auto problem =
      compliant_problem(study, law, study.solvers.settings_of(method.name).formulation, epsilon);
  PiecewiseMotion result;
  Solution solution;
  if (tighter && law.has_spring() && takes_accounts(method)) {
    const BalancedProblem accounted =
        balanced(std::move(problem), study.model, BalancedContact{law_of(study, law), epsilon});
    problem = accounted.motion;
    solution = method.solve(problem.problem, times, how);
    const EnergyBalance energy = accounted.balance(solution);
    result.values.resize(2, energy.mechanical.size());
    result.values << energy.mechanical.transpose(), energy.spring.transpose();
    result.integrals.resize(2, energy.work.size());
    result.integrals << energy.work.transpose(), energy.damper.transpose();
  } else {
    // The tolerances do not change the order of the composite, so that its error needs another one.
    solution = tighter && method.function == solve_composite_6
                   ? solve_composite(problem.problem, times, how, 7)
                   : method.solve(problem.problem, times, how);
  }
  result.motion = problem.motion(solution);
  static_cast<SolveEnd&>(result) = solution;
  return result;
}

CompliantMotion compliant_motion_in_quad(const RollingStudy& study, const CompliantPair& s,
                                         bool tighter, const std::vector<double>& times,
                                         const SolveOptions& how) {
  QuadCompliantMotion solved =
      solve_compliant_quad(study, law_of_pair(study, s), method_of_pair(study, s).name,
                           study.epsilons[s.epsilon], tighter, times, how);
  return {solved.ending, std::move(solved.motion)};
}

CompliantMotion compliant_motion(const RollingStudy& study, const CompliantPair& s, bool tighter,
                                 const std::vector<double>& times, const std::vector<double>& marks,
                                 SolveOptions how) {
  if (const long steps = study.solvers.steps; steps > 0)
    how.fixed_step = times.back() / static_cast<double>(tighter ? 2 * steps : steps);
  if (study.solvers.precision == Precision::binary128)
    return compliant_motion_in_quad(study, s, tighter, times, how);
  PiecewiseMotion solved = solve_piecewise(
      study.model, study.initial, times, marks,
      [&](const System& smooth, const PieceStart& start, const std::vector<double>& grid) {
        const double epsilon = study.epsilons[s.epsilon];
        return smooth_compliant_motion(
            study_of_piece(study, law_of_pair(study, s), epsilon, smooth, start), s, tighter, grid,
            how);
      });
  remove_preload(study, law_of_pair(study, s), study.epsilons[s.epsilon], solved.motion);
  CompliantMotion result{solved, std::move(solved.motion)};
  for (const PiecewiseMotion::Crossing& crossing : solved.crossings)
    result.events.push_back({.t = crossing.t, .kind = EventKind::kink, .contact = -1});
  if (solved.values.rows() > 0)
    result.energy = {.mechanical = solved.values.row(0),
                     .spring = solved.values.row(1),
                     .work = solved.integrals.row(0),
                     .damper = solved.integrals.row(1)};
  return result;
}

}  // namespace

MotionSizes sizes_of(const RollingStudy& study) {
  return {.q = study.model.nq,
          .v = study.model.n,
          .forces = study.model.m,
          .contacts = 0,
          .gap = study.model.np};
}

SolveTasks::SolveTasks(const RollingStudy& study, const RunOptions& options, Solves& solves)
    : study_(study),
      options_(options),
      solves_(solves),
      identities_(study),
      union_(grid_hash(solves.times)) {
  for (const auto& grid : solves.grids) grids_.push_back(grid_hash(grid));
}

std::deque<Task> SolveTasks::rigid() const {
  std::deque<Task> tasks{rigid_work()};
  for (RigidSolve& solve : solves_.rigid) tasks.push_back(rigid(solve));
  return tasks;
}

Task SolveTasks::rigid_work() const {
  Tolerance tight{study_.solvers.reference_rtol, study_.solvers.reference_atol};
  if (study_.solvers.precision == Precision::binary128)  // the work is computed in double
    tight = {std::max(tight.rtol, 1e-13), std::max(tight.atol, 1e-15)};
  return single_task(
      {.identity = identities_.rigid_work(solves_.rigid_method, tight, union_),
       .times = &solves_.times,
       .run = [this, how = how(tight)] { return rigidlimit::rigid_work(study_, solves_, how); }},
      "energy of the rigid motion", [this](SolveRecord record) {
        const Index count = std::ssize(solves_.times);
        const MatrixXd work = record.outcome == Outcome::success
                                  ? record.take("work", 1, count)
                                  : record.take_optional("work", any_size, any_size);
        // A solve that fails at a tolerance out of reach has values all the same.
        solves_.rigid_work = work.size() == count ? VectorXd(work.reshaped())
                                                  : VectorXd::Constant(count, std::nan(""));
      });
}

Task SolveTasks::rigid(RigidSolve& s) const {
  const bool in_quad = study_.solvers.precision == Precision::binary128;
  const Tolerance tolerance{s.rtol, s.atol};
  return single_task(
      {.identity = identities_.rigid(s.solver->name, tolerance, union_),
       .times = &solves_.times,
       .run =
           [this, &s, in_quad, how = how(tolerance)] {
             return record_of(in_quad ? solve_rigid_quad(study_, *s.solver, solves_.times, how)
                                      : solve_rigid(study_, *s.solver, solves_.rigid_start,
                                                    solves_.times, solves_.switching_times(), how));
           }},
      fmt::format("rigid, {}", s.solver->name), [this, &s](SolveRecord record) {
        s.result = rigid_motion_of(std::move(record), sizes_of(study_), solves_.times);
      });
}

Solve SolveTasks::compliant(const CompliantPair& pair, bool tighter) const {
  const std::string method = method_of_pair(study_, pair).name;
  const std::vector<double>& times = solves_.grids[pair.epsilon];
  const Tolerance tolerance = study_.solvers.tolerance_of(method, tighter);
  return {.identity =
              identities_.compliant(law_of_pair(study_, pair).name, method,
                                    study_.epsilons[pair.epsilon], tighter, grids_[pair.epsilon]),
          .times = &times,
          .run = [this, &pair, &times, tighter, how = how(tolerance)] {
            return record_of(
                compliant_motion(study_, pair, tighter, times, solves_.switching_times(), how));
          }};
}

SolveOptions SolveTasks::how(Tolerance tolerance) const {
  return solve_options(study_, tolerance, options_.stop_requested);
}

}  // namespace rigidlimit
