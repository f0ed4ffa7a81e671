#include "rigidlimit/experiment/rolling/compliant_side.hpp"

#include <fmt/format.h>

#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

MotionProblem<OdeProblem> compliant_problem(const RollingStudy& study, const LawInfo& info,
                                            Formulation formulation, double epsilon) {
  const ViscoelasticLaw law = law_of(study, info);
  if (info.realisation)
    return realised(study.model, study.initial, *info.realisation, law.damping, epsilon);
  const VectorXd eta0 = initial_deflection(study);
  return formulation == Formulation::adapted
             ? compliant_adapted(study.model, study.initial, law, epsilon, eta0)
             : compliant_ode(study.model, study.initial, law, epsilon, eta0);
}

std::string refusal_of(const RollingStudy& study, const LawInfo& law, const std::string& solver) {
  const OdeMethod& method = *find_ode_method(solver);
  if (!needs_a_form(method)) return "";
  const MatrixXd one = MatrixXd::Identity(study.model.m, study.model.m);
  const ViscoelasticLaw unit{.stiffness = one, .damping = one};
  const VectorXd eta0 = VectorXd::Zero(study.model.m);
  const bool adapted = study.solvers.settings_of(solver).formulation == Formulation::adapted;
  const auto specimen = law.realisation
                            ? realised(study.model, study.initial, *law.realisation, one, 1.0)
                        : adapted ? compliant_adapted(study.model, study.initial, unit, 1.0, eta0)
                                  : compliant_ode(study.model, study.initial, unit, 1.0, eta0);
  const std::string refusal = refusal_of(method, specimen.problem);
  if (refusal.empty()) return "";
  return fmt::format(
      "{} {} ({}, law {}{})", solver, refusal, study.system->info.name, law.name,
      law.realisation ? "" : fmt::format(", {} variables", adapted ? "adapted" : "natural"));
}

SolveOptions solve_options(const RollingStudy& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested) {
  SolveOptions options;
  options.rtol = tolerance.rtol;
  options.atol = tolerance.atol;
  options.max_steps = study.solvers.max_steps;
  options.stop_requested = stop_requested;
  return options;
}

}  // namespace rigidlimit
