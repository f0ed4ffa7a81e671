#include "rigidlimit/experiment/rolling/read_contact.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

template <class Fact>
bool any_law(const ContactSpec& contact, Fact fact) {
  return std::ranges::any_of(
      contact.laws, [&](const std::string& name) { return std::invoke(fact, *find_law(name)); });
}

/// The deflections along the sliding directions.
std::vector<Component> lengths_of(std::vector<Component> contacts) {
  for (Component& c : contacts) c.unit = "m";
  return contacts;
}

void refuse_meaningless(Section& section, const ContactSpec& contact) {
  const ContactKeys keys = keys_of(contact);
  const std::pair<const char*, bool> meanings[] = {
      {"damping", keys.damping},         {"damping_ratio", keys.damping},
      {"stiffness", keys.stiffness},     {"damping_exponent", keys.exponent},
      {"preparation", keys.preparation}, {"deflection", keys.preparation}};
  for (const auto& [key, means_something] : meanings)
    if (!means_something && section.has(key))
      section.fail(
          key, fmt::format("is not used by contact.law = {}; remove it", names_of_laws(contact)));
}

/// C and D with their checks.
void read_matrices(Section& section, Index m, ContactSpec& contact) {
  contact.stiffness =
      section.matrix(Key{"stiffness", "N/m", "C: a number, the diagonal, or the matrix"}
                         .valid("positive definite")
                         .otherwise("1.0"),
                     m, MatrixXd(MatrixXd::Identity(m, m)));
  if (section.has("damping"))
    contact.damping =
        section.matrix(Key{"damping", "N s/m", "D: a number, the diagonal, or the matrix"}
                           .valid("positive semidefinite")
                           .otherwise("see damping_ratio"),
                       m, std::nullopt);
  else
    contact.damping_ratio =
        section.number({"damping_ratio", "1", "D = ratio x critical damping at the start"},
                       magnitude_or_zero, 1.0);
  contact.damping_exponent = section.number(
      {"damping_exponent", "1", "beta of D/eps^beta; 1 keeps the ratio at every eps"},
      {.low = 0.0, .high = 4.0}, 1.0);
  const auto checked = [&](const char* key, const MatrixXd& X, bool strictly) {
    try {
      require_positive(X, "the matrix", strictly);
    } catch (const InputError& e) {
      section.fail(key, e.what());
    }
    const double largest = X.cwiseAbs().maxCoeff();
    if (largest > 0.0 && !positive_magnitude.contains(largest))
      section.fail(key, fmt::format("the largest entry must be {}", positive_magnitude.text()));
  };
  checked("stiffness", contact.stiffness, true);
  if (section.has("damping")) checked("damping", contact.damping, false);
}

void read_spring(Section& section, const std::vector<Component>& contacts, ContactSpec& contact) {
  const std::string preparation = section.choice(
      Key{"preparation", "", "spring at t = 0: unloaded, carrying Lambda, or deflection"}.otherwise(
          "\"unloaded\"; \"given\" with deflection"),
      {"unloaded", "prepared", "given"}, section.has("deflection") ? "given" : "unloaded");
  using Preparation = ContactSpec::Preparation;
  contact.preparation = preparation == "given"      ? Preparation::given
                        : preparation == "prepared" ? Preparation::prepared
                                                    : Preparation::unloaded;
  if (contact.preparation == Preparation::given) {
    contact.deflection = section.vector(
        Key{"deflection", "m", "y(0)/eps^2 along the sliding directions"}.otherwise("none"),
        lengths_of(contacts), std::nullopt);
    if (const std::string fault = fault_in(contacts, contact.deflection); !fault.empty())
      section.fail("deflection", fault);
  } else if (section.has("deflection")) {
    section.fail(
        "deflection",
        fmt::format("conflicts with preparation = \"{}\"; remove one of them", preparation));
  }
}

}  // namespace

ContactKeys keys_of(const ContactSpec& contact) {
  const bool spring = any_law(contact, &LawInfo::has_spring);
  const bool damper = any_law(contact, [](const LawInfo& law) { return law.has_damper; });
  const bool relative = damper && contact.damping.size() == 0;
  return {.stiffness = spring || relative,
          .damping = damper,
          .exponent = any_law(contact, &LawInfo::is_viscoelastic),
          .preparation = spring};
}

void read_contact(Section section, RollingStudy& study) {
  ContactSpec& contact = study.contact;
  contact.laws = section.choice_or_choices(
      {"law", "", "contact laws, which are compared: `list laws`"}, names_of_laws(), contact.laws);
  if (section.has("damping") && section.has("damping_ratio"))
    section.fail("damping", "give either damping or damping_ratio, not both");
  read_matrices(section, study.model.m, contact);
  refuse_meaningless(section, contact);
  read_spring(section, study.system->info.contacts, contact);
  section.finish();
  if (!study.model.lagrange_coordinates &&
      any_law(contact, [](const LawInfo& law) { return law.realisation == Realisation::inertial; }))
    section.fail("law",
                 "the inertial law needs Lagrange's equations, but the velocities of this system "
                 "are not the rates of its coordinates");
}

std::string names_of_laws(const ContactSpec& contact) {
  return fmt::format("\"{}\"", fmt::join(contact.laws, "\", \""));
}

}  // namespace rigidlimit
