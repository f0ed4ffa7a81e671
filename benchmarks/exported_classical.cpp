#include "exported_classical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/experiment/benchmark/certified_reference.hpp"
#include "rigidlimit/experiment/problem_source/classical_source.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

constexpr long most_classical_steps = 100000;

/// y -> all unknowns at the end time.
Tape end_tape(const ExportedClassical& exported) {
  const auto& complete = exported.problem.tapes.complete;
  const bool as_is = exported.form == ClassicalForm::dae || !complete;
  return tape_of(
      [&](V y) -> ExpressionMatrix {
        if (as_is) return y;
        const ExpressionVector t = ExpressionVector::Constant(1, Expression(exported.problem.end));
        return inlined(*complete, joined(t, y));
      },
      exported.equations().y0.size());
}

/// Stages of a method of the Radau IIA family; 0: variable. −1: another family.
int radau_stages(const OdeMethod& method) {
  constexpr std::array names{"radau_iia", "radau_iia_3", "radau_iia_5", "radau_iia_7"};
  constexpr std::array stages{0, 3, 5, 7};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::strcmp(method.name, names[i]) == 0) return stages[i];
  return -1;
}

}  // namespace

std::string name_of(ClassicalForm form) {
  return form == ClassicalForm::ode ? "ode" : "dae";
}

const OdeProblem& ExportedClassical::equations() const {
  if (form == ClassicalForm::dae) return *problem.real.dae;
  return problem.real.ode;
}

ExportedClassical exported_classical(const std::string& name, const std::string& form) {
  const ClassicalEntry* entry = find_classical_problem(name);
  if (!entry) throw InputError(fmt::format("no classical problem '{}'", name));
  if (form != "ode" && form != "dae")
    throw InputError(fmt::format("no form '{}'; there are: ode, dae", form));
  if (form == "dae" && !entry->dae) throw InputError(fmt::format("{} is not a DAE", name));
  ExportedClassical exported{.problem = entry->make_default(),
                             .form = form == "dae" ? ClassicalForm::dae : ClassicalForm::ode,
                             .tapes = {}};
  static_cast<RateTapes&>(exported.tapes) =
      recorded_classical(exported.problem, exported.form == ClassicalForm::dae);
  exported.tapes.end = end_tape(exported);
  check_tapes(exported.tapes, exported.equations());
  return exported;
}

std::vector<double> atol_over_rtol(const ExportedClassical& exported) {
  const RecommendedTolerance& recommended = exported.problem.tolerance;
  std::vector<double> ratios;
  for (Index i = 0; i < exported.equations().y0.size(); ++i)  // the first of all unknowns
    ratios.push_back(recommended.atol[static_cast<std::size_t>(i)] / recommended.rtol);
  return ratios;
}

std::string refusal_of(const OdeMethod& method, const ExportedClassical& exported) {
  if (exported.form == ClassicalForm::ode) return refusal_of(method, exported.problem.real.ode);
  return radau_stages(method) < 0 ? "it accepts no mass matrix" : "";
}

Solution solve(const ExportedClassical& exported, const OdeMethod& method, double rtol) {
  SolveOptions options;
  options.rtol = rtol;
  options.max_steps = most_classical_steps;
  options.atol_of = atol_over_rtol(exported);
  for (double& atol : options.atol_of) atol *= rtol;
  if (exported.form == ClassicalForm::ode)
    return method.solve(exported.problem.real.ode, {exported.problem.end}, options);
  return solve_radau_iia<double>(*exported.problem.real.dae, {exported.problem.end}, options,
                                 {.stages = radau_stages(method)});
}

VectorXd end_of(const ExportedClassical& exported, const Solution& solution) {
  const VectorXd y = solution.states.col(0);
  if (exported.form == ClassicalForm::dae) return y;
  return exported.problem.real.complete(exported.problem.end, y);
}

ClassicalReference classical_reference(const ClassicalProblem& problem) {
  const CertifiedReference found = certified_reference(problem);
  if (!found.certified)
    throw std::runtime_error("too few solves succeeded to certify the reference");
  ClassicalReference reference{.end = found.y.cast<double>(), .scale = {}};
  const double least = found.error_bar.maxCoeff();
  reference.scale = reference.end.unaryExpr([least](double y) {
    return std::abs(y) > least ? std::abs(y) : std::numeric_limits<double>::infinity();
  });
  reference.error_bar = found.error_bar.cwiseQuotient(reference.scale).maxCoeff();
  return reference;
}

}  // namespace rigidlimit
