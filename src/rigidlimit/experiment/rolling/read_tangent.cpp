#include "rigidlimit/experiment/rolling/read_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {
namespace {

/// Both halves of a lift: x and dx/ds, or dx/dp with the unit of p.
std::vector<Component> lifted(const std::vector<Component>& components,
                              const ParameterInfo* parameter) {
  std::vector<Component> all = components;
  const std::string by = parameter ? parameter->name : "s";
  for (const Component& c : components) {
    const bool is_phrase = c.name.find(' ') != std::string::npos;
    Component derivative{.name = is_phrase ? fmt::format("d({})/d{}", c.name, by)
                                           : fmt::format("d{}/d{}", c.name, by),
                         .unit = c.unit};
    if (parameter && parameter->unit != "1")
      derivative.unit = fmt::format("{}/({})", c.unit, parameter->unit);
    all.push_back(derivative);
  }
  return all;
}

/// The entry with the components of the lift.
SystemEntry lifted(const SystemEntry& entry, const ParameterInfo* parameter) {
  SystemEntry lift = entry;
  SystemInfo& info = lift.info;
  info.equations +=
      fmt::format("\nand their derivative with respect to {}",
                  parameter ? "the parameter " + parameter->name : "the start, along a direction");
  info.closed_form = "none";
  info.coordinates = lifted(info.coordinates, parameter);
  info.velocities = lifted(info.velocities, parameter);
  info.contacts = lifted(info.contacts, parameter);
  lift.has_closed_form = false;
  return lift;
}

/// The parameter of this name; nullptr: no parameter.
const ParameterInfo* find_parameter(const Section& section, const SystemEntry& entry,
                                    const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const ParameterInfo& p : entry.parameters) names.push_back(p.name);
  if (names.empty())
    section.fail("parameter", fmt::format("{} has no parameters", entry.info.name));
  const auto at = std::ranges::find(entry.parameters, name, &ParameterInfo::name);
  if (at == entry.parameters.end())
    section.fail("parameter", "not known" + suggestion(name, names));
  return &*at;
}

void refuse_unfit(const Section& section, const RollingStudy& study) {
  if (study.model.switches)
    section.fail("",
                 "needs smooth equations, but the force has switches (if, abs, min, max, sign or "
                 "table of t, q or v), where the derivative of the motion may jump");
  if (std::ranges::count(study.contact.laws, "inertial") > 0)
    section.fail("", "is not valid for contact.law = \"inertial\", which has no contact force");
}

System lifted_model(const Section& section, const RollingStudy& study,
                    const ParameterInfo* parameter) {
  if (!parameter) return tangent_of(study.model);
  const auto at = static_cast<std::size_t>(parameter - study.system->parameters.data());
  try {
    return tangent_of(
        family_of(*study.system, study.parameters, at),
        {.value = VectorXd::Constant(1, study.parameters[at]), .direction = VectorXd::Ones(1)});
  } catch (const InputError& error) {
    section.fail("parameter", error.what());
  }
}

/// C*, D*, and the deflection (0, η0): the start of the spring does not depend on the direction,
/// apart from a prepared one.
void lift_contact(RollingStudy& study) {
  ContactSpec& contact = study.contact;
  const ViscoelasticLaw law = tangent_of(law_of(study));
  contact.stiffness = law.stiffness;
  contact.damping = law.damping;
  contact.damping_ratio.reset();
  if (contact.deflection.size() == 0) return;
  VectorXd deflection = VectorXd::Zero(2 * contact.deflection.size());
  deflection.tail(contact.deflection.size()) = contact.deflection;
  contact.deflection = deflection;
}

}  // namespace

void read_tangent(Section section, RollingStudy& study) {
  refuse_unfit(section, study);
  study.tangent = TangentSpec{.q = VectorXd::Zero(study.model.nq),
                              .v = VectorXd::Zero(study.model.n),
                              .system = study.system,
                              .initial = study.initial,
                              .contact = study.contact};
  rolling_keys::tangent().read(section, study);
  const TangentSpec& tangent = *study.tangent;
  const ParameterInfo* const parameter =
      find_parameter(section, *tangent.system, tangent.parameter);
  section.finish();
  if (!parameter && !(tangent.q.norm() + tangent.v.norm() > 0.0))
    section.fail("", "is 0: give a direction q or v of the start, or a parameter");
  System lift = lifted_model(section, study, parameter);
  const InitialState start =
      tangent_start(lift, study.initial, tangent.q, tangent.v, !study.project);
  if (!start.q.allFinite() || !start.v.allFinite())
    section.fail("", "has no finite projection on the tangent space of the constraints");
  if (!(start.q.tail(start.q.size() / 2).norm() + start.v.tail(start.v.size() / 2).norm() > 0.0) &&
      !parameter)
    section.fail("", "is orthogonal to all motions that the constraints admit");
  lift_contact(study);
  study.system = std::make_shared<const SystemEntry>(lifted(*study.system, parameter));
  study.model = std::move(lift);
  study.initial = start;
  study.contacts = contact_basis(study.model, study.initial.q);
}

}  // namespace rigidlimit
