#include "rigidlimit/experiment/ensemble/members.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

using Of = VariedNumber::Of;

double own_number(const RollingStudy& study, const VariedNumber& number) {
  const auto at = static_cast<Index>(number.index);
  switch (number.of) {
    case Of::coordinate: return study.initial.q(at) / number.unit_value;
    case Of::velocity: return study.initial.v(at) / number.unit_value;
    case Of::parameter: return study.parameters[number.index];
    case Of::damping_ratio: break;
  }
  return *study.contact.damping_ratio;
}

/// Values of all parameters of the system.
std::vector<double> parameters_with(const RollingStudy& study, const VectorXd& numbers) {
  std::vector<double> values = study.parameters;
  const EnsembleSpec& ensemble = *study.ensemble;
  for (std::size_t k = 0; k < ensemble.vary.size(); ++k)
    if (ensemble.vary[k].of == Of::parameter)
      values[ensemble.vary[k].index] = numbers(static_cast<Index>(k));
  return values;
}

/// Without the projection of v.
InitialState start_with(const RollingStudy& study, const VectorXd& numbers) {
  const EnsembleSpec& ensemble = *study.ensemble;
  const std::vector<double> values = parameters_with(study, numbers);
  InitialState start = study.initial;
  start.q.conservativeResize(ensemble.model.nq);
  for (std::size_t i = 0; i < ensemble.parameters.size(); ++i)
    start.q(study.initial.q.size() + static_cast<Index>(i)) = values[ensemble.parameters[i]];
  for (std::size_t k = 0; k < ensemble.vary.size(); ++k) {
    const VariedNumber& number = ensemble.vary[k];
    const double value = numbers(static_cast<Index>(k)) * number.unit_value;
    const auto at = static_cast<Index>(number.index);
    if (number.of == Of::coordinate) start.q(at) = value;
    if (number.of == Of::velocity) start.v(at) = value;
  }
  return start;
}

double damping_ratio_with(const RollingStudy& study, const VectorXd& numbers) {
  const std::vector<VariedNumber>& vary = study.ensemble->vary;
  for (std::size_t k = 0; k < vary.size(); ++k)
    if (vary[k].of == Of::damping_ratio) return numbers(static_cast<Index>(k));
  return *study.contact.damping_ratio;
}

/// The largest |e| and |g| of the invariants and joints.
double misfit_at(const System& model, const VectorXd& q) {
  VectorXd e(model.ni), g(model.np);
  if (e.size() > 0) model.in<double>().invariants(q, e);
  if (g.size() > 0) model.in<double>().positions(q, g);
  double largest = 0.0;
  for (const VectorXd* x : {&e, &g})
    if (x->size() > 0) largest = std::max(largest, x->cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace

MatrixXd drawn_numbers(const RollingStudy& study) {
  const EnsembleSpec& ensemble = *study.ensemble;
  MatrixXd all(std::ssize(ensemble.vary), static_cast<Index>(ensemble.count()));
  for (Index i = 0; i < all.rows(); ++i) {
    const VariedNumber& number = ensemble.vary[static_cast<std::size_t>(i)];
    all(i, 0) = own_number(study, number);
    for (Index k = 1; k < all.cols(); ++k)
      all(i, k) = number.drawn(ensemble.seed, static_cast<std::size_t>(k));
  }
  return all;
}

LaneMember member_with(const RollingStudy& study, const VectorXd& numbers) {
  const System& model = study.ensemble->model;
  LaneMember member{.start = start_with(study, numbers),
                    .law = {.stiffness = study.contact.stiffness,
                            .damping = study.contact.damping,
                            .damping_exponent = study.contact.damping_exponent},
                    .eta0 = VectorXd::Zero(model.m)};
  InitialState& start = member.start;
  const ContactBasis contacts = contact_basis(model, start.q);
  start.v = projected_velocity<double>(model, contacts, start.q, start.v);
  if (study.contact.damping_ratio)
    member.law.damping = damping_ratio_with(study, numbers) *
                         critical_damping(delassus(model, start.q), member.law.stiffness);
  switch (study.contact.preparation) {
    case ContactSpec::Preparation::given: member.eta0 = study.contact.deflection; break;
    case ContactSpec::Preparation::prepared:
      member.eta0 =
          symmetric_solve(member.law.stiffness,
                          solve_kkt<double>(model, contacts, start.q, start.v, start.t).multiplier);
      break;
    case ContactSpec::Preparation::unloaded: break;
  }
  return member;
}

std::string fault_of_member(const RollingStudy& study, const VectorXd& numbers) {
  const EnsembleSpec& ensemble = *study.ensemble;
  const SystemEntry& entry = *study.system;
  for (std::size_t k = 0; k < ensemble.vary.size(); ++k) {
    const VariedNumber& number = ensemble.vary[k];
    const double value = numbers(static_cast<Index>(k));
    const Range range = number.of == Of::parameter    ? entry.parameters[number.index].range
                        : number.of == Of::coordinate ? entry.info.coordinates[number.index].range
                        : number.of == Of::velocity   ? entry.info.velocities[number.index].range
                                                      : positive_magnitude;
    const double in_range = number.of == Of::parameter ? value : value * number.unit_value;
    if (!range.contains(in_range))
      return fmt::format("{} = {:.6g} must be {}", number.key, value, range.text());
  }
  try {
    entry.start(parameters_with(study, numbers));  // conditions on parameters
  } catch (const InputError& error) {
    return error.what();
  }
  const InitialState start = start_with(study, numbers);
  const double misfit = misfit_at(ensemble.model, start.q);
  if (misfit > 1e-9 * (1.0 + start.q.cwiseAbs().maxCoeff()))
    return fmt::format(
        "its start violates the invariants or joints of the system by {:.3g}: vary velocities, or "
        "coordinates and parameters that these do not contain",
        misfit);
  const LaneMember member = member_with(study, numbers);
  if (!member.start.v.allFinite() || !member.law.damping.allFinite() || !member.eta0.allFinite())
    return "its start is not finite";
  return {};
}

}  // namespace rigidlimit
