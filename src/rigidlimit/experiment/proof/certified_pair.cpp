#include "rigidlimit/experiment/proof/certified_pair.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"

namespace rigidlimit {

std::string obstacle_to_proof(const RollingStudy& study) {
  if (std::ranges::find(study.contact.laws, "viscoelastic") == study.contact.laws.end())
    return "it is for the viscoelastic law";
  if (study.against != Against::rigid)
    return "the reference is a composite expansion, not the rigid motion";
  if (study.tangent) return "its system is a tangent lift, whose mass matrix is indefinite";
  if (study.contacts.redundant() && study.contact.preparation == ContactSpec::Preparation::given)
    return "its contacts are redundant, and contact.deflection is given";
  if (study.model.switches) return "its equations have switches";
  return {};
}

namespace {

/// The equations of the independent contacts alone.
std::shared_ptr<const RecordedSystem> independent_system(const RollingStudy& study) {
  if (!study.contacts.redundant()) return study.model.recorded;
  auto system = std::make_shared<RecordedSystem>(*study.model.recorded);
  const std::vector<Index> rows = independent_places(study.contacts, system->ne);
  const Index all = system->ne + system->m;
  system->constraints = tape_of(
      [&](const ExpressionVector& q) -> ExpressionMatrix {
        return inlined(study.model.recorded->constraints, q)
            .reshaped(all, system->n)(rows, Eigen::all);
      },
      system->nq);
  system->constraint_drift = tape_of(
      [&](const ExpressionVector& x) -> ExpressionMatrix {
        return inlined(study.model.recorded->constraint_drift, x)(rows);
      },
      2 * system->nq + system->n);
  system->m = study.contacts.rank();
  return system;
}

}  // namespace

MotionPair motion_pair(const RollingStudy& study, const MatrixXd& stiffness,
                       const MatrixXd& damping, const std::function<bool()>& stop_requested) {
  return {.system = independent_system(study),
          .explicit_time = study.model.explicit_time,
          .stiffness = stiffness,
          .damping = damping,
          .combination = study.contacts.redundant() ? study.contacts.combination : MatrixXd(),
          .q = study.initial.q,
          .v = study.initial.v,
          .t = study.initial.t,
          .end = study.time.end,
          .stop_requested = stop_requested};
}

EnclosedPair certified_pair(const RollingStudy& study, double epsilon,
                            const std::function<bool()>& stop_requested) {
  const ViscoelasticLaw law = law_of(study);
  const MatrixXd damping = std::pow(epsilon, 1.0 - law.damping_exponent) * law.damping;
  EnclosureQuestion question{.pair = motion_pair(study, law.stiffness, damping, stop_requested),
                             .epsilon = epsilon,
                             .sliding = study.project};
  question.pair.end = study.time.end_at(epsilon);
  switch (study.contact.preparation) {
    case ContactSpec::Preparation::unloaded:
      question.deflection = VectorXd::Zero(study.contacts.rank());
      break;
    case ContactSpec::Preparation::given: question.deflection = study.contact.deflection; break;
    case ContactSpec::Preparation::prepared: break;
  }
  return EnclosedPair(question);
}

EnclosureReport report_on(const EnclosedPair& pair, double epsilon) {
  const auto [q, v, lambda] = pair.radii();
  return {.epsilon = epsilon, .steps = pair.steps(), .q = q, .v = v, .lambda = lambda};
}

CertifiedDistances::CertifiedDistances(const EnclosedPair& pair, const PreciseMotion& compliant,
                                       const PreciseMotion& rigid, const Windows& windows)
    : pair_(pair),
      windows_(windows),
      compliant_(pair.compliant_distance(compliant.rounded, compliant.rest)),
      rigid_(pair.rigid_distance(rigid.rounded, rigid.rest)) {}

ProvedSizes CertifiedDistances::sizes(const Measure& measure) const {
  const auto quantity = static_cast<EnclosedPair::Quantity>(measure.quantity);
  const double from = measure.window == Window::after ? windows_.after : 0.0;
  const Enclosure error = measure.norm == Norm::sup
                              ? pair_.largest(quantity, measure.row, from)
                              : pair_.mean_square(quantity, measure.row, from);
  return {.lower = error.lower,
          .upper = error.upper,
          .solver = magnitude(compliant_.most, measure, windows_),
          .least_solver = magnitude(compliant_.least, measure, windows_),
          .reference = magnitude(rigid_.most, measure, windows_),
          .least_reference = magnitude(rigid_.least, measure, windows_)};
}

}  // namespace rigidlimit
