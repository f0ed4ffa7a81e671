#include "rigidlimit/experiment/friction/read_friction_claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/friction/friction_keys.hpp"

namespace rigidlimit {

namespace {

std::vector<std::string> contact_names(const FrictionStudy& study) {
  std::vector<std::string> names;
  for (const ContactPoint& contact : study.model.contacts) names.push_back(contact.name);
  return names;
}

/// Splits "impact floor; stick floor" into its parts.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find("; ", at), text.size());
    parts.push_back(text.substr(at, next - at));
    at = next + 2;
  }
  return parts;
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

void read_force(Section& section, FrictionStudy& study) {
  if (!section.has("force")) {
    for (const char* key : {"force_at_end", "force_within"})
      if (section.has(key)) section.fail(key, "needs `force`, the name of a sliding component");
    return;
  }
  require_whole_motions(section, "force", study);
  std::vector<std::string> names;
  for (const Component& component : study.system->info.contacts) names.push_back(component.name);
  ForceClaim force;
  force.component = section.choice("force", names, std::nullopt);
  force.row = std::ranges::find(names, force.component) - names.begin();
  force.at_end = section.number("force_at_end", any_finite, std::nullopt);
  force.within = section.number("force_within", positive, force.within);
  study.history.force = std::move(force);
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
  const bool impacts = std::ranges::any_of(study.model.contacts, [](const ContactPoint& contact) {
    return contact.normal == Normal::unilateral;
  });
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
  section.has("quantity");  // the caller has read it
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
  HistoryExpectation& history = study.history;
  if (section.has("events")) {
    history.events = parts_of(section.text("events", std::nullopt));
    for (const std::string& text : *history.events) require_event_text(section, text, study);
  }
  if (section.has("modes_at_start")) {
    history.modes_at_start = parts_of(section.text("modes_at_start", std::nullopt));
    for (const std::string& modes : *history.modes_at_start)
      require_modes(section, "modes_at_start", modes, study);
  }
  if (history.compliant_sliding) require_whole_motions(section, "compliant_sliding", study);
  if (history.ends_agree) require_whole_motions(section, "ends_agree", study);
  read_force(section, study);
  section.finish();
}

ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study) {
  ExpectationSpec e;
  if (section.has("at_most")) {
    e.convergence = Convergence::bounded;
    e.within = section.number("at_most", positive, std::nullopt);
  }
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
