// A system of the catalogue with compliant contacts, and its states.
#pragma once

#include <cmath>
#include <string>

#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit::test {

inline FrictionalLaw law_of(const FrictionalSystem& system, FrictionalLaw::Friction friction) {
  FrictionalLaw law;
  law.friction = friction;
  law.tangential_stiffness = VectorXd::LinSpaced(system.nc(), 40.0, 60.0);
  law.normal_stiffness = VectorXd::LinSpaced(system.nc(), 100.0, 140.0);
  law.tangential_power = 1.25;
  law.damping_ratio = 0.8;
  return law;
}

/// Random states near the start, with loaded contacts and forces inside and outside the discs.
class CompliantCase {
 public:
  CompliantCase(const std::string& name, FrictionalLaw::Friction friction)
      : entry(*find_system(builtin_systems(), name)),
        system(entry.make_frictional(entry.frictional_default_values())),
        start(entry.frictional_start(entry.frictional_default_values())),
        law(law_of(system, friction)),
        compliant(frictional_compliant(system, start, law, epsilon)) {
    springs = friction == FrictionalLaw::Friction::projected ? system.smooth.m : 0;
    for (const ContactPoint& c : system.contacts)
      if (c.normal == Normal::unilateral) ++unilateral;
  }

  VectorXd random_y() {
    const Index nq = system.smooth.nq, n = system.smooth.n, m = system.smooth.m;
    VectorXd y = compliant.problem.y0;
    for (Index i = 0; i < nq; ++i) y(i) += random.uniform(-0.01, 0.01);
    for (Index i = nq; i < nq + n; ++i) y(i) += random.uniform(-0.5, 0.5);
    const double load = std::pow(10.0, random.uniform(-3.0, 0.0));
    for (Index i = 0; i < springs; ++i) y(nq + n + i) = load * random.uniform(-0.05, 0.05);
    for (Index i = 0; i < m; ++i) y(nq + n + springs + i) = load * random.uniform();
    for (Index i = 0; i < unilateral; ++i) {
      y(y.size() - 2 * unilateral + i) = random.uniform(-0.3, 0.1);
      y(y.size() - unilateral + i) = random.uniform(-1.0, 1.0);
    }
    return y;
  }
  VectorXd rate(const VectorXd& y, double t = 0.3) const {
    VectorXd f = VectorXd::Constant(y.size(), 777.0);
    compliant.problem.rhs(t, y, f);
    return f;
  }
  Motion motion(const VectorXd& y, double t = 0.3) const {
    Solution solution;
    solution.times = {t};
    solution.states = y;
    return compliant.motion(solution);
  }
  VectorXd roots(const VectorXd& y, double t = 0.3) const {
    VectorXd values = VectorXd::Constant(compliant.problem.roots->count, 777.0);
    compliant.problem.roots->values(t, y, values);
    return values;
  }

  double epsilon = 0.25;
  const SystemEntry& entry;
  FrictionalSystem system;
  InitialState start;
  FrictionalLaw law;
  MotionProblem<OdeProblem> compliant;
  RandomNumbers random{707};
  Index springs = 0, unilateral = 0;
};

}  // namespace rigidlimit::test
