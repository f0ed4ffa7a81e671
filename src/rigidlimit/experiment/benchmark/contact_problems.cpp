// The motions of a rolling study as benchmark problems.
#include <fmt/format.h>

#include "rigidlimit/experiment/benchmark/contact_reference.hpp"
#include "rigidlimit/experiment/benchmark/problems_of.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/solve_identity.hpp"

namespace rigidlimit {

namespace {

GroupValues groups_of(const Motion& motion) {
  return {motion.q, motion.v, motion.lambda};
}

BenchmarkReference reference_of(const RollingStudy& study, double epsilon,
                                const std::vector<double>& times,
                                const std::function<bool()>& stop_requested) {
  const ContactReference found = contact_reference(study, epsilon, times, stop_requested);
  BenchmarkReference reference{.message = found.message};
  if (!found.message.empty()) return reference;
  reference.values = groups_of(found.motion);
  for (const double bar : found.error_bar()) reference.error.push_back(bar);
  reference.how = found.solver + "; error: the distance of";
  for (const ContactReference::Distance& d : found.distances)
    reference.how += (&d == &found.distances.front() ? " " : " and ") + d.solver;
  return reference;
}

PosedProblem posed(const RollingStudy& study, Formulation formulation, double epsilon) {
  auto motion = contact_problem(study, formulation, epsilon);
  return {.problem = std::move(motion.problem),
          .groups = [back = std::move(motion.motion)](const Solution& solution) {
            return groups_of(back(solution));
          }};
}

}  // namespace

void add_problems(const ContactSet& set, int samples, BenchmarkProblems& all) {
  const std::string setting = SolveIdentities(*set.study).setting(set.study->contact.laws.front());
  for (const double epsilon : set.epsilons) {
    const std::string determinants = fmt::format("{} epsilon={}", setting, epsilon);
    const std::vector<double> times = judged_times(set.study->time.end_at(epsilon), samples);
    for (const Formulation formulation : set.formulations)
      all.problems.push_back(
          {.name = set.name,
           .system = std::string(set.study->system->info.name),
           .epsilon = epsilon,
           .formulation = name_of(formulation),
           .times = times,
           .groups = {"q", "v", "lambda"},
           .reference = all.references.size(),
           .determinants = fmt::format("{} formulation={}", determinants, name_of(formulation)),
           .pose = [study = set.study, formulation, epsilon] {
             return posed(*study, formulation, epsilon);
           }});
    all.references.push_back(
        {.name = fmt::format("{}, ε = {:.4g}", set.name, epsilon),
         .determinants = determinants,
         .find = [study = set.study, epsilon, times](const std::function<bool()>& stop_requested) {
           return reference_of(*study, epsilon, times, stop_requested);
         }});
  }
}

}  // namespace rigidlimit
