#include "rigidlimit/asymptotics/contact_series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"
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

namespace {

/// The Delassus matrix of the rows as unit vectors has the condition number 1/independence², and
/// terms of the expansion contain its inverse squared: relative errors of 1e-16/independence⁴.
template <class T>
void require_resolved(double independence) {
  const double least = 2.0 * std::pow(static_cast<double>(std::numeric_limits<T>::epsilon()), 0.25);
  if (independence < least)
    throw InputError(fmt::format(
        "two of the contact rows almost coincide: as a unit vector, one has a part of {:.2g} that "
        "is independent of the other rows, and {} precision resolves an expansion from {:.1g} on",
        independence, std::is_same_v<T, double> ? "double" : "quadruple", least));
}

}  // namespace

template <class T>
ActingContacts<T>::ActingContacts(const ContactBasis& basis, const ViscoelasticLaw& law)
    : rows(basis.rows),
      combination(basis.combination.cast<T>()),
      slow_deflection(law.damping_exponent == 2.0) {
  require_expandable(law, combination.rows());
  require_resolved<T>(basis.independence);
  const MatrixX<T>& H = combination;
  force_of_deflection = law.stiffness.cast<T>() * H;
  force_of_sliding = law.damping.cast<T>() * H;
  stiffness = H.transpose() * force_of_deflection;
  damping = H.transpose() * force_of_sliding;
}

template <class T>
VectorX<T> ActingContacts<T>::acting_deflection(const VectorXd& eta) const {
  // C = 0 is possible for β = 2: then no deflection has an effect.
  if (rank() == combination.rows()) return eta.cast<T>();
  if (stiffness.isZero(T(0))) return VectorX<T>::Zero(rank());
  VectorX<T> acting = force_of_deflection.transpose() * eta.cast<T>();
  SmallLu<T> factors;  // indefinite under a tangent lift
  factors.compute(stiffness);
  factors.solve_in_place(acting);
  return acting;
}

template <class T>
VectorX<T> ActingContacts<T>::internal_force(const ViscoelasticLaw& law,
                                             const VectorXd& eta) const {
  return law.stiffness.cast<T>() * eta.cast<T>() - force_of_deflection * acting_deflection(eta);
}

template <class T>
MatrixX<T> ActingContacts<T>::deflection(const MatrixX<T>& acting, const VectorXd& eta0) const {
  const VectorX<T> offset = eta0.cast<T>() - combination * acting_deflection(eta0);
  return (combination * acting).colwise() + offset;
}

template struct ActingContacts<double>;
template struct ActingContacts<Quad>;

double small_parameter(const ViscoelasticLaw& law, double epsilon) {
  return power_of_epsilon(law) == 2 ? epsilon * epsilon : epsilon;
}

int power_of_epsilon(const ViscoelasticLaw& law) {
  return law.damping_exponent == 2.0 ? 2 : 1;
}

void require_expandable(const ViscoelasticLaw& law, Index m) {
  const bool slow_deflection = law.damping_exponent == 2.0;
  if (law.damping_exponent != 1.0 && !slow_deflection)
    throw InputError(fmt::format("the expansion needs the damping exponent 1 or 2, not {}",
                                 law.damping_exponent));
  require_positive(under_lift(law.stiffness), "the stiffness", !slow_deflection);
  require_positive(under_lift(law.damping), "the damping of an expansion", true);
  if (law.stiffness.rows() != m || law.damping.rows() != m)
    throw InputError(
        fmt::format("the system has {} contact components, but stiffness {} and damping {}", m,
                    law.stiffness.rows(), law.damping.rows()));
}

}  // namespace rigidlimit
