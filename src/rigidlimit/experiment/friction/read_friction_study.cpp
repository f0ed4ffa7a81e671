#include "rigidlimit/experiment/friction/read_friction_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/friction/friction_keys.hpp"
#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

void read_system(Section section, const SystemCatalogue& systems, FrictionStudy& study) {
  study.system = chosen_system(section, systems, &SystemEntry::slips);
  study.parameters = read_parameters(section, study.system->frictional_parameters());
  section.finish();
  study.model = made_of(section, study.parameters, study.system->make_frictional);
}

/// Rejects unusable parameters here, where the message can name the unusual one.
void require_frictional_system(const Section& system, const Section& initial,
                               const FrictionStudy& study) {
  try {
    check_system(study.model.smooth, study.system->info.name,
                 {study.initial.q, least_exact_velocity(study.model.smooth, study.initial.q)});
  } catch (const InputError& error) {
    fail_in(system, initial, study.system->frictional_parameters(), study.parameters, error.what());
  }
}

void read_initial(Section section, const Section& system, FrictionStudy& study) {
  const SystemInfo& info = study.system->info;
  study.initial = study.system->frictional_start(study.parameters);
  friction_keys::initial().read(section, study);
  section.finish();
  require_ranges(section, system, study.initial, info, study.system->frictional_parameters(),
                 study.parameters);
  require_frictional_system(system, section, study);
}

void require_roots(Section& section, const FrictionSolvers& solvers) {
  if (!solvers.locate_kinks) return;
  for (const std::string& name : solvers.compliant)
    if (!find_ode_method(name)->roots)
      section.fail("compliant",
                   fmt::format("{} does not locate roots; choose another solver, or set "
                               "solvers.locate_kinks = false to step across the kinks",
                               name));
}

void read_friction_solvers(Section section, FrictionStudy& study) {
  friction_keys::solvers().read(section, study);
  require_roots(section, study.solvers);
  section.finish();
}

/// Checks that the samples fit into memory, as for a rolling study.
void require_grid(Section time, const FrictionStudy& study) {
  constexpr double most = 2e7;
  const double motions = static_cast<double>(study.epsilons.size()) *
                         static_cast<double>(study.contact.laws.size()) *
                         static_cast<double>(study.solvers.compliant.size());
  const double instants = motions * study.time.samples;
  if (instants <= most) return;
  time.fail(
      "samples",
      fmt::format("{} compliant motions would have {:.3g} samples in total; the limit is {:.0e}",
                  motions, instants, most));
}

}  // namespace

FrictionStudy read_friction_study(const TomlDocument& document, const SystemCatalogue& systems) {
  static const auto tables = tables_of_keys(tables_of_friction_studies());
  Section root = document.root(tables);
  for (const char* table : {"study", "system", "initial", "contact", "epsilon", "time", "solvers",
                            "inequality", "history", "expect"})
    root.has(table);
  root.finish();
  FrictionStudy study;
  friction_keys::study().read_whole(root.section("study"), study);
  read_system(root.section("system"), systems, study);
  read_initial(root.section("initial"), root.section("system"), study);
  friction_keys::contact().read_whole(root.section("contact"), study);
  if (root.has("epsilon")) study.epsilons = read_epsilons(root.section("epsilon"));
  friction_keys::time().read_whole(root.section("time"), study);
  read_friction_solvers(root.section("solvers"), study);
  require_grid(root.section("time"), study);
  friction_keys::inequality().read_whole(root.section("inequality"), study);
  read_history(root.section("history"), study);
  for (const Section& section : root.sections("expect")) {
    if (study.epsilons.empty())
      root.fail("expect", "an order needs [epsilon]; without it only the rigid motion is solved");
    Section one = section;
    if (one.has("quantity") && one.text("quantity", std::nullopt) == "modes")
      study.modes.push_back(read_modes_claim(section, study));
    else if (study.time.compared == 0.0)
      one.fail("quantity", "needs compared motions; time.compared = 0 compares modes only");
    else
      study.expectations.push_back(read_friction_expectation(section, study));
  }
  return study;
}

std::string resolved_toml(const FrictionStudy& study) {
  using namespace friction_keys;
  std::string text =
      friction_keys::study().text(study).substr(1) +
      system_text(*study.system, study.system->frictional_parameters(), study.parameters) +
      initial().text(study) + contact().text(study);
  if (!study.epsilons.empty()) text += epsilon_keys().text({study.epsilons});
  text +=
      time().text(study) + solvers().text(study) + inequality().text(study) + history().text(study);
  for (const ExpectationSpec& e : study.expectations) text += expectation().text(e);
  for (const ModesClaim& claim : study.modes) text += modes().text(claim);
  return text;
}

FrictionStudy read_friction_study(const std::string& path,
                                  const std::vector<std::string>& overrides,
                                  const SystemCatalogue& systems) {
  return read_friction_study(TomlDocument::from_file(path, overrides, alternative_keys()), systems);
}

namespace {

std::vector<std::string> contact_names(const FrictionStudy& study) {
  std::vector<std::string> names;
  for (const ContactPoint& contact : study.model.contacts) names.push_back(contact.name);
  return names;
}

/// "impact floor": a kind, then contacts.
void require_event_text(Section& section, const std::string& text, const FrictionStudy& study) {
  const std::vector<std::string> names = contact_names(study);
  std::size_t at = text.find(' ');
  const auto known = [](const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  };
  if (!known(event_words(), text.substr(0, at)))
    section.fail("events", fmt::format("'{}' does not begin with a kind of event; valid kinds: {}",
                                       text, fmt::join(event_words(), ", ")));
  while (at != std::string::npos) {
    const std::size_t next = text.find(' ', at + 1);
    const std::string name = text.substr(at + 1, next - at - 1);
    if (!known(names, name))
      section.fail("events", fmt::format("'{}' names an unknown contact '{}'; valid contacts: {}",
                                         text, name, fmt::join(names, ", ")));
    at = next;
  }
}

/// "slip,free": a mode for each contact.
void require_modes(Section& section, const std::string& key, const std::string& modes,
                   const FrictionStudy& study) {
  Index count = 0;
  for (std::size_t at = 0; at <= modes.size(); ++count) {
    const std::size_t next = std::min(modes.find(',', at), modes.size());
    const std::string mode = modes.substr(at, next - at);
    if (mode != "free" && mode != "stick" && mode != "slip")
      section.fail(key, fmt::format("'{}' is not a mode: free, stick or slip", mode));
    at = next + 1;
  }
  if (count != study.model.nc())
    section.fail(key, fmt::format("'{}' has {} modes; the system has {} contacts: {}", modes, count,
                                  study.model.nc(), fmt::join(contact_names(study), ", ")));
}

/// Modes and forces at T need compliant motions that reach T.
void require_whole_motions(const Section& section, const std::string& key,
                           const FrictionStudy& study) {
  if (study.epsilons.empty()) section.fail(key, "needs compliant motions: give [epsilon]");
  if (study.time.compared != 0.0 && study.time.compared != study.time.end)
    section.fail(key, fmt::format("needs motions up to the end; time.compared = {} ends them "
                                  "earlier: remove it, or set 0 to compare modes only",
                                  study.time.compared));
}

/// Removing further terms requires a constant refinement ratio.
void require_next_orders(const Section& section, const ExpectationSpec& e,
                         const FrictionStudy& study) {
  for (const double s : e.next_orders)
    if (!(s > *e.order))
      section.fail("next_orders",
                   fmt::format("{} must be greater than the leading order {}", s, *e.order));
  const std::vector<double>& epsilons = study.epsilons;
  if (epsilons.size() < e.next_orders.size() + 3)
    section.fail("next_orders",
                 fmt::format("{} terms leave fewer than 3 of {} ε; give fewer terms or more ε",
                             e.next_orders.size(), epsilons.size()));
  for (std::size_t k = 2; k < epsilons.size(); ++k)
    if (std::abs(epsilons[k - 1] * epsilons[k - 1] / (epsilons[k - 2] * epsilons[k]) - 1.0) > 1e-6)
      section.fail("next_orders",
                   "needs ε in geometric progression; give from, to and count in [epsilon]");
}

/// Checks that the limit of a ratio has a predicted coefficient.
void require_prediction(const Section& section, const ExpectationSpec& e,
                        const FrictionStudy& study) {
  const bool impacts = has_unilateral_contact(study);
  for (const ComparedLaw& law : study.contact.laws) {
    if (!e.concerns(name_of(law), e.measure)) continue;
    const bool projected = law.friction == FrictionalLaw::Friction::projected;
    if (!projected || (impacts ? law.tangential_power <= 1.0 : law.tangential_power != 1.0))
      section.fail("ratio",
                   fmt::format("is not valid for the law {}, which has no predicted coefficient {}",
                               text_of(law), impacts ? "at impacts" : "without impacts"));
  }
  if (e.measure.norm != Norm::sup)
    section.fail("ratio", "needs norm = \"sup\"; no other norm has a predicted coefficient");
}

bool overlaps(const ExpectationSpec& a, const ExpectationSpec& b, const FrictionStudy& study) {
  return std::ranges::any_of(study.contact.laws, [&](const ComparedLaw& law) {
    return a.concerns(name_of(law), a.measure) && b.concerns(name_of(law), a.measure);
  });
}

}  // namespace

ModesClaim read_modes_claim(Section section, const FrictionStudy& study) {
  require_whole_motions(section, "quantity", study);
  ModesClaim claim;
  friction_keys::modes().read(section, claim);
  if (!claim.end.empty()) require_modes(section, "end", claim.end, study);
  for (const auto& [key, sequence] :
       {std::pair{"rigid", &claim.rigid}, {"compliant", &claim.compliant}})
    for (std::size_t at = 0; at < sequence->size();) {
      const std::size_t next = std::min(sequence->find(" > ", at), sequence->size());
      require_modes(section, key, sequence->substr(at, next - at), study);
      at = next + 3;
    }
  if (claim.end.empty() && claim.rigid.empty() && claim.compliant.empty())
    section.fail("",
                 "needs rigid or compliant (modes in order: \"slip,slip > stick,stick\"), or "
                 "end (the last modes of every motion)");
  section.finish();
  return claim;
}

void read_history(Section section, FrictionStudy& study) {
  friction_keys::history().read(section, study);
  const HistoryExpectation& history = study.history;
  if (history.events)
    for (const std::string& text : *history.events) require_event_text(section, text, study);
  if (history.modes_at_end) require_modes(section, "modes_at_end", *history.modes_at_end, study);
  if (history.modes_at_start)
    for (const std::string& modes : *history.modes_at_start)
      require_modes(section, "modes_at_start", modes, study);
  if (history.compliant_sliding) require_whole_motions(section, "compliant_sliding", study);
  if (history.ends_agree) require_whole_motions(section, "ends_agree", study);
  if (history.force) require_whole_motions(section, "force", study);
  section.finish();
}

ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study) {
  ExpectationSpec e;
  friction_keys::expectation().read(section, e);
  if (e.ratio) require_prediction(section, e, study);
  if (!e.judges_errors() && !e.ratio) section.missing("order", "any finite number");
  if (!e.next_orders.empty()) require_next_orders(section, e, study);
  section.finish();
  if (e.measure.quantity == Quantity::event_time && !study.solvers.locate_kinks)
    section.fail("quantity", "compliant events have times only with solvers.locate_kinks = true");
  if (std::ranges::none_of(study.contact.laws, [&](const ComparedLaw& law) {
        return e.concerns(name_of(law), e.measure);
      }))
    section.fail("", "no law in [contact] has this friction and tangential_power");
  for (const ExpectationSpec& other : study.expectations)
    if (overlaps(e, other, study))
      section.fail("quantity", "another [[expect]] has the same measure and law");
  return e;
}

}  // namespace rigidlimit
