#include "rigidlimit/study/compliant_side.hpp"

#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/compliant.hpp"
#include "rigidlimit/study/contact_data.hpp"

namespace rigidlimit {

MotionProblem<OdeProblem> compliant_problem(const Study& study, const LawInfo& info,
                                            Formulation formulation, double epsilon) {
  const ViscoelasticLaw law = law_of(study, info);
  if (info.realisation)
    return realised(study.model, study.initial, *info.realisation, law.damping, epsilon);
  const VectorXd eta0 = initial_deflection(study);
  return formulation == Formulation::adapted
             ? compliant_adapted(study.model, study.initial, law, epsilon, eta0)
             : compliant_ode(study.model, study.initial, law, epsilon, eta0);
}

SolveOptions solve_options(const Study& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested) {
  SolveOptions options;
  options.rtol = tolerance.rtol;
  options.atol = tolerance.atol;
  options.max_steps = study.solvers.max_steps;
  options.stop_requested = stop_requested;
  return options;
}

}  // namespace rigidlimit
