#include "rigidlimit/experiment/rolling/read_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
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

/// The place of the parameter in the study's values; nullptr: no parameter.
const ParameterInfo* read_parameter(Section& section, const SystemEntry& entry) {
  const Key key =
      Key{"parameter", "", "of a system written as formulas: the derivative with respect to it"}
          .otherwise("none");
  section.declare(key, "name of a parameter", "none");
  if (!section.has("parameter")) return nullptr;
  std::vector<std::string> names;
  for (const ParameterInfo& p : entry.parameters) names.push_back(p.name);
  if (names.empty())
    section.fail("parameter", fmt::format("{} has no parameters", entry.info.name));
  const std::string name = section.choice("parameter", names, std::nullopt);
  return &*std::ranges::find(entry.parameters, name, &ParameterInfo::name);
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
  const SystemInfo& info = study.system->info;
  TangentSpec tangent{
      .q = {}, .v = {}, .system = study.system, .initial = study.initial, .contact = study.contact};
  const ParameterInfo* const parameter = read_parameter(section, *study.system);
  tangent.q = section.vector(
      Key{"q", "SI", "direction of the start: derivative of initial.q, by coordinate"}.otherwise(
          "0"),
      info.coordinates, VectorXd(VectorXd::Zero(study.model.nq)));
  tangent.v = section.vector(
      Key{"v", "SI", "likewise of initial.v; projected on the derivative of G v = 0"}.otherwise(
          "0"),
      info.velocities, VectorXd(VectorXd::Zero(study.model.n)));
  if (parameter) tangent.parameter = parameter->name;
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
  study.tangent = std::move(tangent);
}

}  // namespace rigidlimit
