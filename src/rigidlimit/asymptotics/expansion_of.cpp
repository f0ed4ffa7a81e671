#include "rigidlimit/asymptotics/expansion_of.hpp"

#include <fmt/format.h>

namespace rigidlimit::detail {

void require_expandable(const ViscoelasticLaw& law, const VectorXd& eta0, const VectorXd& sliding,
                        double speed, const MatrixXd& delassus) {
  const Index m = delassus.rows();
  if (law.damping_exponent != 1.0)
    throw InputError(fmt::format("the expansion covers the damping exponent 1 only, not {}",
                                 law.damping_exponent));
  require_positive(law.stiffness, "the stiffness", true);
  require_positive(law.damping, "the damping of an expansion", true);
  if (law.stiffness.rows() != m || law.damping.rows() != m || eta0.size() != m)
    throw InputError(fmt::format(
        "a system with {} contact components, but stiffness {}, damping {} and deflection {}", m,
        law.stiffness.rows(), law.damping.rows(), eta0.size()));
  if (!eta0.allFinite())
    throw InputError(fmt::format("the deflection must be finite; its sum is {}", eta0.sum()));
  if (!(sliding.norm() <= 1e-10 * (1.0 + speed)))
    throw InputError(fmt::format(
        "the expansion starts from a consistent velocity; here |G v| = {:.6g}", sliding.norm()));
  const VectorXd spectrum = delassus.selfadjointView<Eigen::Lower>().eigenvalues();
  if (!(spectrum.minCoeff() > 1e-12 * spectrum.maxCoeff()))
    throw InputError(fmt::format(
        "the expansion needs independent contacts; the Delassus matrix has the eigenvalues {:.6g} "
        "to {:.6g}",
        spectrum.minCoeff(), spectrum.maxCoeff()));
}

VectorXd missing_load(const MatrixXd& stiffness, const VectorXd& multiplier, const VectorXd& eta0) {
  const VectorXd missing_force = multiplier - stiffness * eta0;
  // A spring that was prepared with Λ(0) from another computation differs by its round-off. What is
  // dropped changes λ by 1e-10 of its size.
  if (missing_force.norm() <= 1e-10 * (1.0 + multiplier.norm()))
    return VectorXd::Zero(multiplier.size());
  return stiffness.ldlt().solve(missing_force);
}

}  // namespace rigidlimit::detail
