#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <type_traits>
#include <utility>

#include "rigidlimit/classical/problem_pieces.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit {

namespace {

SolveOptions options_at(const ClassicalProblem& problem, const CertificationOptions& options,
                        double rtol, Index unknowns) {
  SolveOptions solve;
  solve.rtol = rtol;
  for (Index i = 0; i < unknowns; ++i)
    solve.atol_of.push_back(problem.tolerance.atol[static_cast<std::size_t>(i)] *
                            (rtol / problem.tolerance.rtol));
  solve.max_steps = options.max_steps;
  solve.stop_requested = options.stop_requested;
  return solve;
}

/// Calls `solve`, which returns a SolutionOf<T> at the end, and completes its state by `complete`.
template <class T, class Solve, class Complete>
CertifyingSolve timed_reference(const ClassicalProblem& problem, std::string method, double rtol,
                                const Solve& solve, const Complete& complete) {
  const std::clock_t begin = std::clock();
  const SolutionOf<T> solution = solve();
  CertifyingSolve result;
  result.method = std::move(method);
  result.bits = std::numeric_limits<T>::digits;
  result.rtol = rtol;
  result.outcome = solution.outcome;
  result.work = solution.work;
  result.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (solution.outcome == Outcome::success)
    result.y = complete(T(problem.end), solution.states.col(0)).template cast<Quad>();
  else
    result.y = VectorX<Quad>::Constant(problem.size(), std::numeric_limits<Quad>::quiet_NaN());
  return result;
}

template <class T>
const ClassicalIn<T>& side_of(const ClassicalProblem& problem) {
  if constexpr (std::is_same_v<T, double>)
    return problem.real;
  else
    return problem.quad;
}

/// Solves one piece after the other, each from the end of the one before. `posed(piece)` is its
/// problem, `solve(problem, times)` solves it.
template <class T, class Posed, class Solve>
SolutionOf<T> solved_across(const std::vector<ClassicalProblem>& pieces, const Posed& posed,
                            const Solve& solve) {
  SolutionOf<T> all;
  for (const ClassicalProblem& piece : pieces) {
    auto problem = posed(piece);
    const bool follows = all.states.cols() > 0;
    if (follows) {
      const VectorX<T> before = all.states.col(0);
      problem.y0 = side_of<T>(piece).begin ? side_of<T>(piece).begin(before) : before;
    }
    SolutionOf<T> next = solve(problem, std::vector<double>{piece.end});
    Work work = all.work;
    add(work, next.work);
    all = std::move(next);
    if (follows) all.work = work;
    if (all.outcome != Outcome::success) break;
  }
  return all;
}

template <class T>
CertifyingSolve radau_on_ode(const ClassicalProblem& problem, const CertificationOptions& options,
                             double rtol, int stages) {
  const ClassicalIn<T>& side = side_of<T>(problem);
  const SolveOptions solve = options_at(problem, options, rtol, side.ode.y0.size());
  const auto posed = [&](const ClassicalProblem& piece) {
    OdeProblemOf<T> ode = side_of<T>(piece).ode;
    if constexpr (!std::is_same_v<T, double>)
      if (options.as_printed && piece.as_printed) ode = *piece.as_printed;
    return ode;
  };
  return timed_reference<T>(
      problem, stages == 0 ? "radau_iia" : "radau_iia_" + std::to_string(stages), rtol,
      [&] {
        return solved_across<T>(pieces_of(problem), posed,
                                [&](const OdeProblemOf<T>& ode, const std::vector<double>& end) {
                                  return solve_radau_iia<T>(ode, end, solve, {.stages = stages});
                                });
      },
      side.complete);
}

int index_of(const ClassicalProblem& problem) {
  const std::vector<int>& index = problem.real.dae->index;
  return *std::max_element(index.begin(), index.end());
}

CertifyingSolve radau_on_dae(const ClassicalProblem& problem, const CertificationOptions& options) {
  // Index 3 in double: below 1e-9 the corrections are smaller than round-off / h³. The pendulum
  // takes 750 to 1500 steps for 1e-9 to 1e-11 alike, and does not finish at 1e-13.
  const double rtol = index_of(problem) == 3 ? std::max(options.rtol, 1e-9) : options.rtol;
  const SolveOptions solve = options_at(problem, options, rtol, problem.size());
  return timed_reference<double>(
      problem, "radau_iia, dae", rtol,
      [&] {
        return solved_across<double>(
            pieces_of(problem), [](const ClassicalProblem& piece) { return *piece.real.dae; },
            [&](const MassProblemOf<double>& dae, const std::vector<double>& end) {
              return solve_radau_iia<double>(dae, end, solve, {});
            });
      },
      [](double, const VectorXd& y) { return y; });
}

/// Solves the ODE by a method of another family.
CertifyingSolve other_method(const ClassicalProblem& problem, const CertificationOptions& options,
                             const char* name, double least_rtol) {
  const double rtol = std::max(options.rtol, least_rtol);
  const SolveOptions solve = options_at(problem, options, rtol, problem.real.ode.y0.size());
  const OdeMethod& method = *find_ode_method(name);
  return timed_reference<double>(
      problem, name, rtol,
      [&] { return method.solve(ode_with_instants(problem), {problem.end}, solve); },
      problem.real.complete);
}

VectorXd distance(const VectorX<Quad>& a, const VectorX<Quad>& b) {
  return (a - b).cwiseAbs().cast<double>();
}

/// Whether a distance is explained by the tolerance. The error of a step grows along the motion:
/// the most sensitive problem (OREGO's period) needs a factor of 10⁴. The accelerations and
/// multipliers of index 3 are excluded: the error control weights their errors by h².
bool explained(const ClassicalProblem& problem, const CertifyingSolve& solve) {
  if (solve.outcome != Outcome::success) return false;
  const bool all = !problem.is_dae() || index_of(problem) < 3;
  const Index controlled = all ? problem.size() : problem.real.ode.y0.size();
  for (Index i = 0; i < controlled; ++i) {
    const double atol =
        problem.tolerance.atol[static_cast<std::size_t>(i)] / problem.tolerance.rtol;
    const double size = std::abs(static_cast<double>(solve.y(i)));
    if (!(solve.distance(i) <= 1e4 * solve.rtol * (atol + size))) return false;
  }
  return true;
}

/// The closed form at the end. Throws InputError if a solve differs by more than this tolerance
/// explains.
CertifyingSolve closed_form(const ClassicalProblem& problem, const CertifyingSolve& solve,
                            double rtol) {
  CertifyingSolve closed{.method = "closed form",
                         .rtol = rtol,
                         .outcome = Outcome::success,
                         .y = problem.real.exact(problem.end).cast<Quad>()};
  if (solve.outcome != Outcome::success) return closed;
  closed.distance = distance(closed.y, solve.y);
  if (explained(problem, closed)) return closed;
  Index worst = 0;
  const double apart = closed.distance.maxCoeff(&worst);
  throw InputError(
      fmt::format("problem.exact: differs from {} by {:.3g} in component {} at t = {:g}",
                  solve.method, apart, worst + 1, problem.end));
}

}  // namespace

CertifiedReference certified_reference(const ClassicalProblem& problem,
                                       const CertificationOptions& options) {
  CertifiedReference reference;
  auto& solves = reference.solves;
  if (options.in_quad) {
    solves.push_back(radau_on_ode<Quad>(problem, options, options.quad_rtol, 0));
    solves.push_back(radau_on_ode<Quad>(problem, options, 100.0 * options.quad_rtol, 7));
    solves.push_back(radau_on_ode<double>(problem, options, options.rtol, 0));
  } else {
    solves.push_back(radau_on_ode<double>(problem, options, options.rtol, 0));
    solves.push_back(radau_on_ode<double>(problem, options, 10.0 * options.rtol, 5));
  }
  std::size_t same_code = solves.size();
  if (problem.is_dae()) {
    solves.push_back(radau_on_dae(problem, options));
    solves.push_back(other_method(problem, options, "runge_kutta_fehlberg78", 0.0));
  } else {
    // Order 4 takes (1e13)^(1/4) = 1800 steps, order 8 takes 42.
    solves.push_back(other_method(problem, options, "rosenbrock4", 1e-11));
    solves.push_back(other_method(problem, options, "cvode_bdf", 1e-11));
  }

  bool by_another = false;
  if (problem.real.exact) {
    CertifyingSolve closed = closed_form(problem, solves.front(), options.rtol);
    if (!options.in_quad) {  // a solve in 113 bits is better than a closed form in 53
      solves.insert(solves.begin(), std::move(closed));
      ++same_code;
      by_another = true;
    }
  }
  reference.y = solves.front().y;
  for (CertifyingSolve& solve : solves) solve.distance = distance(solve.y, reference.y);
  reference.discretisation_bar = solves[1].distance;
  reference.error_bar = solves[same_code - 1].distance;
  for (std::size_t i = same_code; i < solves.size(); ++i)
    by_another = by_another || explained(problem, solves[i]);
  reference.certified = by_another && explained(problem, solves[1]);
  return reference;
}

VectorX<Quad> solution_as_printed(const ClassicalProblem& problem, CertificationOptions options) {
  options.as_printed = true;
  return radau_on_ode<Quad>(problem, options, options.quad_rtol, 0).y;
}

namespace {

/// A motion and the outcome of its solve.
struct Arrival {
  Outcome outcome = Outcome::not_run;
  Motion motion;
};

SolveOptions options_at(double rtol, const std::function<bool()>& stop_requested) {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = rtol / 100.0;
  options.max_steps = 200'000;
  options.stop_requested = stop_requested;
  return options;
}

Arrival solved(const RollingStudy& study, const char* method, double epsilon,
               const std::vector<double>& times, const std::function<bool()>& stop_requested) {
  const auto problem = contact_problem(study, Formulation::adapted, epsilon);
  const Solution solution =
      find_ode_method(method)->solve(problem.problem, times, options_at(1e-13, stop_requested));
  return {solution.outcome, problem.motion(solution)};
}

Arrival solved_in_quad(const RollingStudy& study, double epsilon, const std::vector<double>& times,
                       const std::function<bool()>& stop_requested) {
  const SolveOptions options = options_at(1e-16, stop_requested);
  if (epsilon == 0.0) {
    const RigidMotion rigid =
        solve_rigid_quad(study, *find_rigid_solver("radau_iia"), times, options);
    return {rigid.outcome, rigid.motion.rounded};
  }
  RollingStudy adapted = study;
  adapted.solvers.formulation = Formulation::adapted;
  adapted.solvers.own.clear();
  const QuadCompliantMotion quad = solve_compliant_quad(
      adapted, *find_law(study.contact.laws.front()), "radau_iia", epsilon, false, times, options);
  return {quad.ending.outcome, quad.motion.rounded};
}

ContactReference::Distance distance(const std::string& solver, const Motion& a, const Motion& b) {
  const Motion d = difference(a, b);
  return {.solver = solver,
          .q = d.q.cwiseAbs().maxCoeff(),
          .v = d.v.cwiseAbs().maxCoeff(),
          .lambda = d.lambda.cwiseAbs().maxCoeff()};
}

}  // namespace

MotionProblem<OdeProblem> contact_problem(const RollingStudy& study, Formulation formulation,
                                          double epsilon) {
  if (epsilon > 0.0)
    return compliant_problem(study, *find_law(study.contact.laws.front()), formulation, epsilon);
  const InitialState start = rigid_start(study);
  return formulation == Formulation::adapted ? rigid_reduced(study.model, start)
                                             : rigid_eliminated(study.model, start);
}

std::array<double, 3> ContactReference::error_bar() const {
  std::array<double, 3> bar{};
  for (const Distance& d : distances)
    bar = {std::max(bar[0], d.q), std::max(bar[1], d.v), std::max(bar[2], d.lambda)};
  return bar;
}

ContactReference contact_reference(const RollingStudy& study, double epsilon,
                                   const std::vector<double>& times,
                                   const std::function<bool()>& stop_requested) {
  const bool in_quad = !study.contacts.redundant();
  std::vector<const char*> others{"radau_iia"};
  ContactReference reference;
  reference.solver =
      in_quad ? "radau_iia in 113 bits, rtol 1e-16" : "radau_iia_7 in double, rtol 1e-13";
  if (in_quad) others.insert(others.begin(), "radau_iia_7");
  const Arrival best = in_quad ? solved_in_quad(study, epsilon, times, stop_requested)
                               : solved(study, "radau_iia_7", epsilon, times, stop_requested);
  if (best.outcome != Outcome::success) {
    reference.message = fmt::format("{}: {}", reference.solver, name_of(best.outcome));
    return reference;
  }
  for (const char* other : others)
    if (const Arrival arrival = solved(study, other, epsilon, times, stop_requested);
        arrival.outcome == Outcome::success)
      reference.distances.push_back(
          distance(fmt::format("{} in double, rtol 1e-13", other), arrival.motion, best.motion));
  if (reference.distances.empty())
    reference.message = "no other solver succeeds, so the reference has no error bar";
  else
    reference.motion = best.motion;
  return reference;
}

}  // namespace rigidlimit
