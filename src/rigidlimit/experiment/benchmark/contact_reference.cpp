#include "rigidlimit/experiment/benchmark/contact_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

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
