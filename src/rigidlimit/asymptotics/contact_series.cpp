#include "rigidlimit/asymptotics/contact_series.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"

namespace rigidlimit {

EquationForms::EquationForms(const System& system)
    : nq(system.nq), n(system.n), ne(system.ne), m(system.m) {
  const auto form = [](const Tape& tape) {
    return std::make_shared<const SeriesForm>(series_form(tape));
  };
  mass = form(system.recorded->mass_matrix);
  rows = form(system.recorded->constraints);
  rate = form(system.recorded->coordinate_rate);
  force = form(system.recorded->force);
}

ActingContacts::ActingContacts(const ContactBasis& basis, const ViscoelasticLaw& law)
    : rows(basis.rows),
      stiffness(basis.combination.transpose() * law.stiffness * basis.combination),
      damping(basis.combination.transpose() * law.damping * basis.combination),
      force_of_deflection(law.stiffness * basis.combination),
      force_of_sliding(law.damping * basis.combination) {
  require_expandable(law, basis.combination.rows());
}

VectorXd ActingContacts::acting_deflection(const VectorXd& eta) const {
  return symmetric_solve(stiffness, VectorXd(force_of_deflection.transpose() * eta));
}

VectorXd ActingContacts::internal_force(const ViscoelasticLaw& law, const VectorXd& eta) const {
  return law.stiffness * eta - force_of_deflection * acting_deflection(eta);
}

void require_expandable(const ViscoelasticLaw& law, Index m) {
  if (law.damping_exponent != 1.0)
    throw InputError(
        fmt::format("the expansion needs the damping exponent 1, not {}", law.damping_exponent));
  require_positive(under_lift(law.stiffness), "the stiffness", true);
  require_positive(under_lift(law.damping), "the damping of an expansion", true);
  if (law.stiffness.rows() != m || law.damping.rows() != m)
    throw InputError(
        fmt::format("the system has {} contact components, but stiffness {} and damping {}", m,
                    law.stiffness.rows(), law.damping.rows()));
}

}  // namespace rigidlimit
