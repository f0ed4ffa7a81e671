#include "rigidlimit/experiment/rolling/contact_data.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/experiment/rolling/piecewise.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// Λ(0) with the internal forces of a spring that starts with `load` (η0).
VectorXd multiplier_for(const RollingStudy& study, const VectorXd& load) {
  const InitialState start = rigid_start(study);
  const auto kkt = solve_kkt<double>(system_at_start(study.model, start), study.contacts, start.q,
                                     start.v, start.t);
  return selected_multiplier(study.contacts, study.contact.stiffness, load, kkt.multiplier);
}

MatrixXd damping_for_ratio(const RollingStudy& study, double ratio) {
  const MatrixXd A = delassus(study.model, study.initial.q);
  const MatrixXd& C = study.contact.stiffness;
  if (!study.contacts.redundant()) return ratio * critical_damping(A, C);
  return (2.0 * ratio * (C.diagonal().array() / A.diagonal().array()).sqrt()).matrix().asDiagonal();
}

}  // namespace

bool is_consistent(const System& system, const InitialState& state) {
  const double sliding = sliding_velocity(system, state).cwiseAbs().maxCoeff();
  return sliding <= 1e-13 * state.v.cwiseAbs().maxCoeff();
}

InitialState rigid_start(const RollingStudy& study) {
  InitialState start = study.initial;
  start.v = projected_velocity<double>(study.model, study.contacts, start.q, start.v);
  return start;
}

ViscoelasticLaw law_of(const RollingStudy& study) {
  const ContactSpec& contact = study.contact;
  ViscoelasticLaw law{.stiffness = contact.stiffness,
                      .damping = contact.damping,
                      .damping_exponent = contact.damping_exponent};
  if (contact.damping_ratio) law.damping = damping_for_ratio(study, *contact.damping_ratio);
  return law;
}

ViscoelasticLaw law_of(const RollingStudy& study, const LawInfo& law) {
  ViscoelasticLaw contact = law_of(study);
  if (!law.has_damper) contact.damping.setZero(study.model.m, study.model.m);
  return contact;
}

std::optional<Ringing> ringing_of(const RollingStudy& study, double epsilon) {
  const MatrixXd A = delassus(study.model, study.initial.q);
  const Index m = study.model.m;
  double fastest = 0.0, slowest_decay = std::numeric_limits<double>::infinity();
  for (const std::string& name : study.contact.laws) {
    const LawInfo& info = *find_law(name);
    if (!info.has_spring()) continue;
    const ViscoelasticLaw law = law_of(study, info);
    MatrixXd rate = MatrixXd::Zero(2 * m, 2 * m);  // of (y, y') with t in units of ε
    rate.topRightCorner(m, m).setIdentity();
    rate.bottomLeftCorner(m, m) = -A.lazyProduct(law.stiffness);
    rate.bottomRightCorner(m, m) =
        -std::pow(epsilon, 1.0 - law.damping_exponent) * A.lazyProduct(law.damping);
    for (const std::complex<double> s : eigenvalues_of(rate)) {
      if (!(std::abs(s.imag()) > std::abs(s.real()))) continue;
      fastest = std::max(fastest, std::abs(s.imag()));
      slowest_decay = std::min(slowest_decay, s.real() < 0.0 ? -s.real() : 0.0);
    }
  }
  if (fastest == 0.0) return std::nullopt;
  constexpr double decayed = 18.0;  // exp(−18) = 1.5e-8 of the first amplitude
  return Ringing{.period = 2.0 * std::numbers::pi / fastest * epsilon,
                 .duration = decayed / slowest_decay * epsilon};
}

VectorXd initial_deflection(const RollingStudy& study) {
  const VectorXd unloaded = VectorXd::Zero(study.model.m);
  switch (study.contact.preparation) {
    case ContactSpec::Preparation::given: return study.contact.deflection;
    case ContactSpec::Preparation::prepared:
      return symmetric_solve(study.contact.stiffness, multiplier_for(study, unloaded));
    case ContactSpec::Preparation::unloaded: break;
  }
  return unloaded;
}

VectorXd multiplier_at_start(const RollingStudy& study) {
  return multiplier_for(study, initial_deflection(study));
}

}  // namespace rigidlimit
