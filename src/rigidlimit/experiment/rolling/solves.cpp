#include "rigidlimit/experiment/rolling/solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/evenly_spaced.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// Position of a rigid solve, added if it is new: a reference may also be a solver of the study.
std::size_t rigid_solve(Solves& solves, const RigidSolver& solver, double rtol, double atol) {
  const auto at = std::ranges::find_if(solves.rigid, [&](const RigidSolve& s) {
    return s.solver == &solver && s.rtol == rtol && s.atol == atol;
  });
  if (at != solves.rigid.end()) return static_cast<std::size_t>(at - solves.rigid.begin());
  solves.rigid.push_back({.solver = &solver, .rtol = rtol, .atol = atol});
  return solves.rigid.size() - 1;
}

void plan_rigid(const RollingStudy& study, Solves& solves) {
  const SolverSpec& spec = study.solvers;
  const bool exact =
      study.model.closed_form && study.model.closed_form(solves.rigid_start, {0.0}).has_value();
  const bool in_quad = spec.precision == Precision::binary128;
  for (const std::string& name : spec.rigid) {
    const RigidSolver& solver = *find_rigid_solver(name);
    const RigidSolver& reference =
        in_quad ? quad_reference_for(solver) : reference_for(solver, exact, solves.rigid_method);
    // IDA as a reference keeps the tolerances of the rigid side: it cannot meet the tighter ones.
    const bool tight =
        reference.form == RigidForm::eliminated || reference.form == RigidForm::reduced;
    const std::size_t judged = rigid_solve(solves, solver, spec.rigid_rtol, spec.rigid_atol);
    const std::size_t judge =
        rigid_solve(solves, reference, tight ? spec.reference_rtol : spec.rigid_rtol,
                    tight ? spec.reference_atol : spec.rigid_atol);
    solves.judged.push_back({.solve = judged, .reference = judge});
  }
}

/// Finds the switches, which must be known before the grids are made.
void find_crossings(const RollingStudy& study, Solves& solves) {
  if (!study.model.switches) return;
  const double end = study.time.end_at(study.epsilons.back());
  const Tolerance tight{study.solvers.reference_rtol, study.solvers.reference_atol};
  const PiecewiseMotion found =
      rigid_by_elimination(study, solves.rigid_start, uniform_grid(end, study.time.samples), {},
                           solves.rigid_method, solve_options(study, tight, {}));
  for (const auto& crossing : found.crossings)
    if (crossing.t < end) solves.crossings.push_back(crossing);
  if (std::isfinite(found.slides_from))
    solves.no_crossings = fmt::format(
        "the rigid motion slides along a switch of the force from t = {:.6g} s", found.slides_from);
  else if (found.outcome != Outcome::success)
    solves.no_crossings =
        fmt::format("the switches of the force are not located: {}", found.message);
}

}  // namespace

PairAxes axes_of(const RollingStudy& study) {
  PairAxes axes{.laws = {}, .solvers = study.solvers.compliant, .epsilons = study.epsilons};
  for (const std::string& law : study.contact.laws)
    axes.laws.push_back({.name = law, .tangential_power = {}});
  return axes;
}

const LawInfo& law_of_pair(const RollingStudy& study, const CompliantPair& pair) {
  return *find_law(study.contact.laws[pair.law]);
}

const OdeMethod& method_of_pair(const RollingStudy& study, const CompliantPair& pair) {
  return *find_ode_method(study.solvers.compliant[pair.solver]);
}

std::vector<std::size_t> drawn_epsilons(std::size_t count) {
  return evenly_spaced(count, 8);
}

bool is_drawn(const RollingStudy& study, const CompliantPair& pair) {
  return pair.solver == 0 &&
         std::ranges::count(drawn_epsilons(study.epsilons.size()), pair.epsilon) > 0;
}

bool keeps_motion(const RollingStudy& study, const CompliantPair& pair) {
  if (study.kept_samples == KeptSamples::none) return false;
  const std::size_t pairs = axes_of(study).count();
  return study.kept_samples == KeptSamples::all ||
         (study.kept_samples == KeptSamples::automatic && pairs <= most_whole_pairs) ||
         is_drawn(study, pair);
}

std::vector<double> Solves::switching_times() const {
  std::vector<double> all;
  for (const auto& crossing : crossings) all.push_back(crossing.t);
  return all;
}

std::vector<SwitchCrossing> switch_crossings(const Solves& solves) {
  std::vector<SwitchCrossing> all;
  for (const PiecewiseMotion::Crossing& c : solves.crossings)
    all.push_back({.t = c.t, .which = c.which, .before = c.before, .after = c.after});
  return all;
}

std::vector<SwitchCrossing> switch_crossings(const RollingStudy& study) {
  Solves solves;
  solves.rigid_start = rigid_start(study);
  solves.rigid_method = rigid_method_for(study, solves.rigid_start);
  find_crossings(study, solves);
  if (!solves.no_crossings.empty()) throw InputError(solves.no_crossings, study.name);
  return switch_crossings(solves);
}

Solves planned_solves(const RollingStudy& study) {
  Solves solves;
  solves.rigid_start = rigid_start(study);
  solves.rigid_method = rigid_method_for(study, solves.rigid_start);
  find_crossings(study, solves);
  const std::vector<double> switches = solves.switching_times();
  for (const double epsilon : study.epsilons)
    solves.grids.push_back(grid_for(
        study.time, epsilon,
        {.switches = switches, .after = study.after, .ringing = ringing_of(study, epsilon)}));
  solves.times = rigid_times(study, solves.rigid_start, solves.rigid_method, solves.grids);
  solves.rigid_work =  // set by its task
      VectorXd::Constant(static_cast<Index>(solves.times.size()), std::nan(""));
  solves.windows.after = study.after;
  solves.windows.events = switches;
  // A switch at the beginning of the window "after" is located to rounding only.
  for (const double t : switches)
    if (std::abs(t - study.after) <= 1e-12 * solves.times.back()) solves.windows.after = t;
  plan_rigid(study, solves);
  return solves;
}

namespace {

constexpr int most_norm_nodes = 20'000;  // a rigid solve stops at each: at most a tenth of a second

/// Whether every second sample predicts the samples between: then all samples, with half the
/// distance, predict the motion between them within a 256th of that.
bool is_told_by_half(const MatrixXd& samples, const std::vector<double>& times) {
  constexpr double tolerance = 1e-12;
  return distance_from_half(samples, times).maxCoeff() <= tolerance * samples.cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<double> rigid_times(const RollingStudy& study, const InitialState& start,
                                const std::string& method,
                                const std::vector<std::vector<double>>& grids) {
  // A polynomial through samples cannot represent a jump.
  if (grids.size() < least_ensemble || study.time.end_only ||
      study.solvers.precision != Precision::binary64 || study.model.switches)
    return union_of(grids);
  double end = 0.0;
  for (const auto& grid : grids) end = std::max(end, grid.back());
  const auto rigid = rigid_eliminated(rigid_model(study.model), start);
  const Tolerance tight{study.solvers.reference_rtol, study.solvers.reference_atol};
  for (int count = 2 * (study.time.samples / 2) + 1; count <= most_norm_nodes;
       count = 2 * count - 1) {
    std::vector<double> times = uniform_grid(end, count);
    const Solution solution =
        find_ode_method(method)->solve(rigid.problem, times, solve_options(study, tight, {}));
    if (solution.outcome != Outcome::success) break;
    const Motion motion = rigid.motion(solution);
    if (is_told_by_half(motion.q, times) && is_told_by_half(motion.v, times) &&
        is_told_by_half(motion.lambda, times))
      return times;
  }
  return union_of(grids);
}

}  // namespace rigidlimit
