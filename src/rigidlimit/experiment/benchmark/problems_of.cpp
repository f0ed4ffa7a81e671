#include "rigidlimit/experiment/benchmark/problems_of.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/classical/problem_pieces.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/solve_identity.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/formulations/compliant/assembly_pair.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

namespace rigidlimit {

namespace {

/// The times of the judged errors: `end` alone, or `samples` equally spaced times up to it.
std::vector<double> judged_times(double end, int samples) {
  std::vector<double> times;
  for (int k = 1; k < samples; ++k) times.push_back(end * k / samples);
  times.push_back(end);
  return times;
}

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

ClassicalProblem made(const ClassicalSet& set) {
  ClassicalProblem problem = set.entry->make(set.parameters);
  if (set.end > 0.0) problem.end = set.end;
  return problem;
}

/// For a DAE, the ODE in fewer unknowns, which every method can solve; errors cover all unknowns.
PosedProblem posed(const ClassicalSet& set) {
  const ClassicalProblem problem = made(set);
  PosedProblem result{
      .problem = ode_with_instants(problem),
      .groups = [complete = problem.real.complete, n = problem.size()](const Solution& solution) {
        MatrixXd all(n, solution.states.cols());
        for (Index k = 0; k < all.cols(); ++k)
          all.col(k) =
              complete(solution.times[static_cast<std::size_t>(k)], solution.states.col(k));
        return GroupValues{all};
      }};
  if (problem.is_dae()) return result;
  for (const double atol : problem.tolerance.atol)
    result.atol_over_rtol.push_back(atol / problem.tolerance.rtol);
  return result;
}

/// The outcome of each solve of a reference that too few of them confirm, and the largest distances
/// from it.
std::string not_certified(const CertifiedReference& found) {
  std::vector<std::string> solves;
  for (const CertifyingSolve& s : found.solves)
    solves.push_back(fmt::format("{} ({} bits, rtol {:.0e}): {}", s.method, s.bits, s.rtol,
                                 s.outcome == Outcome::success
                                     ? fmt::format("differs by {:.2g}", s.distance.maxCoeff())
                                     : std::string(name_of(s.outcome))));
  return fmt::format("not certified, since its solves differ by more than their tolerances: {}",
                     fmt::join(solves, ", "));
}

/// ", in pieces between the switches at t = 1, 2": the first ones; empty without switches.
std::string pieces_text(const ClassicalProblem& problem) {
  constexpr std::size_t most = 5;
  std::vector<std::string> times;
  const std::vector<ClassicalProblem> pieces = pieces_of(problem);
  for (std::size_t k = 1; k < std::min(pieces.size(), most + 1); ++k)
    times.push_back(fmt::format("{:.10g}", pieces[k].t0));
  if (times.empty()) return "";
  return fmt::format(", in pieces between the switches at t = {}{}", fmt::join(times, ", "),
                     pieces.size() > most + 1 ? ", …" : "");
}

/// The values that sources print for this end. Without a solve in 113 bits a problem with printed
/// decimals has none: doubles round them, and no error bar covers that.
std::vector<PublishedValue> published_of(const ClassicalSet& set) {
  const ClassicalProblem problem = set.entry->make(set.parameters);
  std::vector<PublishedValue> all;
  if (made(set).end != problem.end || (problem.as_printed && !set.in_quad)) return all;
  for (const PublishedSolution& one : problem.published)
    for (std::size_t i = 0; i < one.values.size(); ++i)
      if (!one.values[i].text.empty())
        all.push_back({one.source, problem.unknowns[i], one.values[i]});
  return all;
}

/// published_of() with the numbers of the reference.
std::vector<PublishedValue> compared_with_published(const ClassicalSet& set,
                                                    const CertifiedReference& found,
                                                    const CertificationOptions& options) {
  std::vector<PublishedValue> all = published_of(set);
  if (all.empty()) return all;
  const ClassicalProblem problem = made(set);
  const VectorX<Quad> y = problem.as_printed ? solution_as_printed(problem, options) : found.y;
  for (PublishedValue& value : all) {
    const Index i = std::ranges::find(problem.unknowns, value.unknown) - problem.unknowns.begin();
    value.reference = static_cast<double>(y(i));
    value.bar = found.discretisation_bar(i);
    value.difference = static_cast<double>(y(i) - value.printed.value());
  }
  return all;
}

BenchmarkReference reference_of(const ClassicalSet& set,
                                const std::function<bool()>& stop_requested) {
  CertificationOptions options;
  options.in_quad = set.in_quad;
  options.stop_requested = stop_requested;
  const ClassicalProblem problem = made(set);
  const CertifiedReference found = certified_reference(problem, options);
  if (!found.certified) return {.message = not_certified(found)};
  std::vector<std::string> solves;
  for (const CertifyingSolve& s : found.solves)
    if (s.outcome == Outcome::success)
      solves.push_back(fmt::format("{} ({} bits, rtol {:.0e})", s.method, s.bits, s.rtol));
  return {
      .values = {found.y.template cast<double>()},
      .error = {found.error_bar.maxCoeff()},
      .how = fmt::format("{}: the first of {}{}; error: its distance to the same method in 53 bits",
                         set.name, fmt::join(solves, ", "), pieces_text(problem)),
      .published = compared_with_published(set, found, options)};
}

/// Judged at its end only, where the reference is.
void add_problems(const ClassicalSet& set, int, BenchmarkProblems& all) {
  const ClassicalProblem problem = made(set);
  const std::string& definition = set.entry->definition;
  const std::string determinants =
      fmt::format("classical={} parameters={} end={}",
                  definition.empty() ? set.entry->name : content_hash(definition),
                  fmt::join(set.parameters, ","), problem.end);
  all.problems.push_back({.name = set.name,
                          .system = set.entry->name,
                          .times = {problem.end},
                          .groups = {"all"},
                          .reference = all.references.size(),
                          .determinants = determinants,
                          .pose = [set] { return posed(set); }});
  const std::vector<PublishedValue> published = published_of(set);
  std::string of_reference = fmt::format("{} in_quad={}", determinants, set.in_quad);
  for (const PublishedValue& value : published) of_reference += " published=" + value.printed.text;
  all.references.push_back({.name = set.name,
                            .determinants = of_reference,
                            .published = published,
                            .find = [set](const std::function<bool()>& stop_requested) {
                              return reference_of(set, stop_requested);
                            }});
}

PosedProblem posed(long count, double epsilon) {
  const SleighChain chain{.count = count, .sleigh = {}, .hitch = {}};
  const Assembly assembly = assembly_of(chain);
  // A mass near 1 and C = 1: D = 2 is nearly critical.
  const MatrixXd one = MatrixXd::Identity(1, 1);
  auto motion = epsilon == 0.0 ? rigid_assembly(assembly, start_of(chain))
                               : compliant_assembly(assembly, start_of(chain),
                                                    {.stiffness = one, .damping = 2.0 * one},
                                                    epsilon, VectorXd::Zero(count));
  return {.problem = std::move(motion.problem),
          .groups = [back = std::move(motion.motion)](const Solution& solution) {
            const Motion m = back(solution);
            return GroupValues{m.q, m.v, m.lambda};
          }};
}

/// Only CVODE supports sparse matrices: there is no independent solver to judge a long chain.
BenchmarkReference reference_of(long count, double epsilon, const std::vector<double>& times,
                                const std::function<bool()>& stop_requested) {
  const PosedProblem posed_problem = posed(count, epsilon);
  std::vector<GroupValues> found;
  for (const double rtol : {1e-12, 1e-11}) {
    const Solution solution =
        solve_cvode_bdf(posed_problem.problem, times,
                        {.rtol = rtol, .atol = rtol / 100.0, .stop_requested = stop_requested});
    if (solution.outcome != Outcome::success)
      return {.message =
                  fmt::format("cvode_bdf at rtol {:.0e}: {}", rtol, name_of(solution.outcome))};
    found.push_back(posed_problem.groups(solution));
  }
  BenchmarkReference reference{.values = found[0],
                               .how =
                                   "cvode_bdf, rtol 1e-12; error: the distance to the same method "
                                   "at 1e-11 (not independent: no other method here is sparse)"};
  for (std::size_t g = 0; g < found[0].size(); ++g)
    reference.error.push_back((found[0][g] - found[1][g]).cwiseAbs().maxCoeff());
  return reference;
}

void add_problems(const ChainSet& set, int samples, BenchmarkProblems& all) {
  const std::vector<double> times = judged_times(set.end, samples);
  for (const double epsilon : set.epsilons)
    for (const long count : set.counts) {
      const std::string determinants = fmt::format("chain={} epsilon={}", count, epsilon);
      all.problems.push_back({.name = set.name,
                              .system = "sleigh_chain",
                              .epsilon = epsilon,
                              .formulation = epsilon == 0.0 ? "-" : "adapted",
                              .count = count,
                              .times = times,
                              .groups = {"q", "v", "lambda"},
                              .reference = all.references.size(),
                              .determinants = determinants,
                              .pose = [count, epsilon] { return posed(count, epsilon); }});
      all.references.push_back(
          {.name = fmt::format("{}, N = {}, ε = {:.4g}", set.name, count, epsilon),
           .determinants = determinants,
           .find = [count, epsilon, times](const std::function<bool()>& stop_requested) {
             return reference_of(count, epsilon, times, stop_requested);
           }});
    }
}

}  // namespace

BenchmarkProblems problems_of(const Benchmark& benchmark) {
  BenchmarkProblems all;
  for (const ProblemSet& set : benchmark.problems)
    std::visit([&](const auto& one) { add_problems(one, benchmark.samples, all); }, set);
  return all;
}

}  // namespace rigidlimit
