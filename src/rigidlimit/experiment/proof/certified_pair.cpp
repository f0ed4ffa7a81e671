#include "rigidlimit/experiment/proof/certified_pair.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/problem_options.hpp"

namespace rigidlimit {

namespace {

/// H (m × r) with G = H G_I wherever E v = e, for all q: row j of G is Σ_k h_jk G_k + Σ_l m_jl E_l
/// with Σ_l m_jl e_l = 0, an identity of the tapes. Throws std::domain_error with the first row
/// that has no such numbers.
RationalRows exact_combination_of(const RollingStudy& study) {
  const RecordedSystem& system = *study.model.recorded;
  const PolynomialForm form(system.constraints);
  const Index ne = system.ne, all = ne + system.m;
  // A row of [E; G], then the entry of [e; 0].
  const auto row_of = [&](Index i) {
    std::vector<Polynomial> row;
    for (Index j = 0; j < system.n; ++j)
      row.push_back(form.result(static_cast<std::size_t>(i + all * j)));
    row.push_back(constant_polynomial(i < ne ? Rational(system.exact_rates(i)) : Rational(0)));
    return row;
  };
  std::vector<std::vector<Polynomial>> basis;
  for (const Index k : study.contacts.rows) basis.push_back(row_of(ne + k));
  for (Index l = 0; l < ne; ++l) basis.push_back(row_of(l));
  RationalRows H;
  for (Index j = 0; j < system.m; ++j) {
    auto x = exact_combination(row_of(ne + j), basis);
    if (!x)
      throw std::domain_error(fmt::format(
          "contact row {} depends on the others at the start, and no identity of the equations "
          "shows that it does so along the motion",
          j + 1));
    x->resize(study.contacts.rows.size());
    H.push_back(*std::move(x));
  }
  return H;
}

}  // namespace

std::string obstacle_in_rows(const RollingStudy& study) {
  if (!study.contacts.redundant()) return {};
  try {
    exact_combination_of(study);
    return {};
  } catch (const std::domain_error& error) {
    return error.what();
  } catch (const std::length_error&) {
    return "the contact rows are dependent, and too long to compare as polynomials";
  }
}

std::string obstacle_to_enclosure(const RollingStudy& study) {
  if (std::string refusal = refusal_of(consumers::enclosure, study); !refusal.empty())
    return refusal;
  if (study.contacts.redundant() && study.contact.preparation == ContactSpec::Preparation::given)
    return "its contacts are redundant, and contact.deflection is given";
  return obstacle_in_rows(study);
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
                       const MatrixXd& damping, const RunOptions& options,
                       const std::string& proof) {
  MotionPair pair{
      .system = independent_system(study),
      .explicit_time = study.model.explicit_time,
      .stiffness = stiffness,
      .damping = damping,
      .combination = study.contacts.redundant() ? exact_combination_of(study) : RationalRows{},
      .q = study.initial.q,
      .v = study.initial.v,
      .t = study.initial.t,
      .end = study.time.end,
      .stop_requested = options.stop_requested};
  if (options.on_proof)
    pair.on_part = [report = options.on_proof, proof](double part) { report(proof, part); };
  return pair;
}

EnclosedPair certified_pair(const RollingStudy& study, double epsilon, const RunOptions& options) {
  const ViscoelasticLaw law = law_of(study);
  const MatrixXd damping = std::pow(epsilon, 1.0 - law.damping_exponent) * law.damping;
  EnclosureQuestion question{.pair = motion_pair(study, law.stiffness, damping, options,
                                                 fmt::format("the proof at eps = {:.4g}", epsilon)),
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

std::optional<ProvedSizes> CertifiedDistances::sizes(const Measure& measure) const {
  if (!is_enclosed(measure.quantity)) return std::nullopt;
  const auto quantity = static_cast<EnclosedPair::Quantity>(measure.quantity);
  const double from = measure.window == Window::after ? windows_.after : 0.0;
  const Enclosure error = measure.norm == Norm::sup
                              ? pair_.largest(quantity, measure.row, from)
                              : pair_.mean_square(quantity, measure.row, from);
  return ProvedSizes{.lower = error.lower,
                     .upper = error.upper,
                     .solver = magnitude(compliant_.most, measure, windows_),
                     .least_solver = magnitude(compliant_.least, measure, windows_),
                     .reference = magnitude(rigid_.most, measure, windows_),
                     .least_reference = magnitude(rigid_.least, measure, windows_)};
}

}  // namespace rigidlimit
