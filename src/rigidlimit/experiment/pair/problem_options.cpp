#include "rigidlimit/experiment/pair/problem_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/experiment/pair/compliant_side.hpp"

namespace rigidlimit {
namespace {

using Preparation = ContactSpec::Preparation;

std::string laws_text(const RollingStudy& study) {
  return study.has_several_laws()
             ? fmt::format("contact.law = [\"{}\"]", fmt::join(study.contact.laws, "\", \""))
             : fmt::format("contact.law = \"{}\"", study.contact.laws.front());
}

bool has_law(const RollingStudy& study, const char* law) {
  return std::ranges::find(study.contact.laws, law) != study.contact.laws.end();
}

struct OptionRow {
  ProblemOption option;
  const char* key;
  std::string (*in_use)(const RollingStudy&);  ///< empty: not in use
  const char* advice;                          ///< after "is not covered by …"; may be empty
};

constexpr const char* choose_law = "; choose one with --set contact.law=NAME";

constexpr std::array rows{
    OptionRow{
        ProblemOption::several_laws, "contact.law",
        [](const RollingStudy& s) { return s.has_several_laws() ? laws_text(s) : std::string(); },
        choose_law},
    OptionRow{ProblemOption::other_law, "contact.law",
              [](const RollingStudy& s) {
                return has_law(s, "viscoelastic") ? std::string() : laws_text(s);
              },
              "; the law must be viscoelastic"},
    OptionRow{ProblemOption::damping_exponent, "contact.damping_exponent",
              [](const RollingStudy& s) {
                const double beta = s.contact.damping_exponent;
                return beta == 1.0 ? std::string()
                                   : fmt::format("contact.damping_exponent = {}", beta);
              },
              "; it needs 1"},
    OptionRow{ProblemOption::prepared_spring, "contact.preparation",
              [](const RollingStudy& s) {
                return std::string(s.contact.preparation == Preparation::prepared
                                       ? "contact.preparation = \"prepared\""
                                       : "");
              },
              ""},
    OptionRow{ProblemOption::prepared_joint, "contact.preparation",
              [](const RollingStudy& s) {
                return std::string(moves_start(s)
                                       ? "contact.preparation = \"prepared\" of constraint_position"
                                       : "");
              },
              "; q(0) must not depend on epsilon"},
    OptionRow{ProblemOption::given_deflection, "contact.deflection",
              [](const RollingStudy& s) {
                return s.contact.preparation == Preparation::given
                           ? fmt::format("contact.deflection = [{}]",
                                         fmt::join(s.contact.deflection, ", "))
                           : std::string();
              },
              "; it needs an unloaded or prepared spring"},
    OptionRow{ProblemOption::sliding_start, "initial.project",
              [](const RollingStudy& s) {
                return std::string(s.project && !is_consistent(s.model, s.initial)
                                       ? "initial.project = true with a start that slides"
                                       : "");
              },
              ""},
    OptionRow{ProblemOption::stretched_time, "time.stretch",
              [](const RollingStudy& s) {
                return s.time.stretch == 0.0 ? std::string()
                                             : fmt::format("time.stretch = {}", s.time.stretch);
              },
              "; the interval must not depend on epsilon"},
    OptionRow{ProblemOption::composite, "study.against",
              [](const RollingStudy& s) {
                return std::string(s.against == Against::composite ? "study.against = \"composite\""
                                                                   : "");
              },
              "; the reference must be the rigid motion"},
    OptionRow{ProblemOption::tangent, "tangent",
              [](const RollingStudy& s) { return std::string(s.tangent ? "[tangent]" : ""); },
              "; the mass matrix of a tangent lift is indefinite"},
    OptionRow{ProblemOption::switches, "system",
              [](const RollingStudy& s) {
                return std::string(s.model.switches ? "[system] with switches of the force" : "");
              },
              "; the equations must be smooth"},
    OptionRow{ProblemOption::redundant_contacts, "system",
              [](const RollingStudy& s) {
                return s.contacts.redundant()
                           ? fmt::format("[system] with {} contact rows of rank {}", s.model.m,
                                         s.contacts.rank())
                           : std::string();
              },
              ""},
    OptionRow{ProblemOption::members, "ensemble",
              [](const RollingStudy& s) { return std::string(s.ensemble ? "[ensemble]" : ""); },
              ", which is about the study alone; remove the table"}};

static_assert(rows.size() == all_problem_options.size());

const OptionRow& option_row(ProblemOption option) {
  return *std::ranges::find(rows, option, &OptionRow::option);
}

}  // namespace

const char* key_of(ProblemOption option) {
  return option_row(option).key;
}

std::string in_use(ProblemOption option, const RollingStudy& study) {
  return option_row(option).in_use(study);
}

namespace consumers {

using enum ProblemOption;

const ProblemConsumer proof{"the theorem", {prepared_spring, redundant_contacts}};
const ProblemConsumer theorem{"the theorem", {several_laws, prepared_spring, redundant_contacts}};
const ProblemConsumer enclosure{"the enclosures",
                                {several_laws, damping_exponent, prepared_spring, given_deflection,
                                 sliding_start, stretched_time, redundant_contacts}};
const ProblemConsumer expansion{
    "the expansion",
    {other_law, damping_exponent, prepared_spring, given_deflection, sliding_start, stretched_time,
     composite, tangent, switches, redundant_contacts}};
const ProblemConsumer composite_reference{
    "the composite expansion",
    {several_laws, other_law, damping_exponent, prepared_spring, given_deflection, sliding_start,
     stretched_time, composite, tangent, switches, redundant_contacts}};
const ProblemConsumer stiffness{
    "the search",
    {other_law, damping_exponent, prepared_spring, prepared_joint, given_deflection, sliding_start,
     stretched_time, tangent, switches, redundant_contacts}};
const ProblemConsumer ensemble{"the ensemble",
                               {damping_exponent, prepared_spring, given_deflection, members}};

}  // namespace consumers

std::string refusal_of(const ProblemConsumer& consumer, const RollingStudy& study) {
  for (const OptionRow& row : rows) {
    if (std::ranges::find(consumer.covered, row.option) != consumer.covered.end()) continue;
    if (const std::string value = row.in_use(study); !value.empty())
      return fmt::format("{} is not covered by {}{}", value, consumer.name, row.advice);
  }
  return {};
}

}  // namespace rigidlimit
