#include "rigidlimit/study/compliant_side.hpp"

#include "rigidlimit/study/contact_data.hpp"

namespace rigidlimit {

MotionProblem<OdeProblem> compliant_problem(const Pair& pair, const Study& study,
                                            Formulation formulation, double epsilon) {
  const ViscoelasticLaw law = law_of(pair, study);
  const VectorXd eta0 = initial_deflection(pair, study);
  return formulation == Formulation::adapted
             ? pair.compliant_adapted(study.initial, law, epsilon, eta0, {})
             : pair.compliant(study.initial, law, epsilon, eta0);
}

}  // namespace rigidlimit
