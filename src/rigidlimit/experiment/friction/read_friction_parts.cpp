#include "rigidlimit/experiment/friction/read_friction_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/rolling/read_expectation.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

constexpr EventKind all_kinds[] = {EventKind::impact,       EventKind::touch, EventKind::detachment,
                                   EventKind::stick,        EventKind::slip,  EventKind::reversal,
                                   EventKind::accumulation, EventKind::kink};

/// Whether a whole motion can end so: the other outcomes say that it is not complete.
bool ends_a_motion(Outcome outcome) {
  return outcome != Outcome::not_run && outcome != Outcome::stopped_at_root &&
         outcome != Outcome::interrupted && outcome != Outcome::time_limit;
}

/// One number per contact, or one for all.
VectorXd read_stiffness(Section& section, const Key& declared, const FrictionStudy& study) {
  const std::string& key = declared.name;
  const Index nc = study.model.nc();
  const MatrixXd given = section.matrix(declared, nc, MatrixXd(MatrixXd::Identity(nc, nc)));
  VectorXd values = given.diagonal();
  if (!section.has(key)) return values;
  if (!given.isDiagonal(0.0) || !(values.array() > 0.0).all())
    section.fail(key, "must be one positive number, or a list with one per contact");
  for (const double value : values)
    if (!positive_magnitude.contains(value))
      section.fail(key, fmt::format("must be {}", positive_magnitude.text()));
  return values;
}

FrictionalLaw::Friction friction_of(const std::string& word) {
  return word == "projected" ? FrictionalLaw::Friction::projected
                             : FrictionalLaw::Friction::regularised;
}

std::vector<double> read_powers(Section& section) {
  constexpr Range valid{.low = 0.5, .high = 4.0};
  if (!section.has("tangential_power")) return {1.0};
  std::vector<double> powers = section.numbers(
      Key{"tangential_power", "1", "kappa of the projected law: eps_t = eps^kappa"}.otherwise(
          "[1.0]"),
      valid);
  std::ranges::sort(powers);
  if (std::ranges::adjacent_find(powers) != powers.end())
    section.fail("tangential_power", "a value occurs twice");
  return powers;
}

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

}  // namespace

const std::vector<std::string>& event_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const EventKind kind : all_kinds) all.emplace_back(name_of(kind));
    return all;
  }();
  return words;
}

void read_friction_contact(Section section, FrictionStudy& study) {
  FrictionContact& contact = study.contact;
  const std::vector<std::string> frictions = section.choice_or_choices(
      {"friction", "", "friction laws, which are compared; the regularised one creeps"},
      {"projected", "regularised"}, {{"projected"}});
  const std::vector<double> powers = read_powers(section);
  contact.laws.clear();
  for (const std::string& word : frictions) {
    if (friction_of(word) == FrictionalLaw::Friction::projected)
      for (const double power : powers) contact.laws.push_back({friction_of(word), power});
    else
      contact.laws.push_back({friction_of(word), 1.0});
  }
  contact.tangential_stiffness = read_stiffness(
      section,
      Key{"tangential_stiffness", "N/m", "C_t at eps = 1: for all contacts, or one for each"}
          .valid("number or list, each > 0")
          .otherwise("1.0"),
      study);
  contact.normal_stiffness =
      read_stiffness(section,
                     Key{"normal_stiffness", "N/m", "C_n at eps = 1 of unilateral contacts"}
                         .valid("number or list, each > 0")
                         .otherwise("1.0"),
                     study);
  contact.damping_ratio = section.number({"damping_ratio", "1", "zeta of the tangential contact"},
                                         positive_magnitude, contact.damping_ratio);
  contact.plastic_exponent =
      section.number({"plastic_exponent", "1", "beta of the normal damper if e = 0"},
                     {.low = 1.0, .high = 4.0, .low_open = true}, contact.plastic_exponent);
  contact.creep = section.number({"creep", "m/s", "creep speed at eps = 1 of the regularised law"},
                                 positive_magnitude, contact.creep);
  section.finish();
}

namespace {

Key expected_quantity() {
  return Key{"quantity", "", "compared quantity, or modes of the contacts"}.valid(
      "\"q\", \"v\", \"lambda\", \"event_time\", \"modes\"");
}

Key order_tolerance() {
  return Key{"within", "1", "tolerance of the order"}.otherwise("0.05; 0.1 with convergence");
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
  const std::vector<Component>& components = study.system->info.contacts;
  std::vector<std::string> names;
  for (const Component& component : components) names.push_back(component.name);
  ForceClaim force;
  force.component = section.choice(Key{"force", "", "sliding component whose force at T is claimed"}
                                       .valid("name of a contact component")
                                       .otherwise("none"),
                                   names, std::nullopt);
  force.row = std::ranges::find(names, force.component) - names.begin();
  force.at_end = section.number(
      Key{"force_at_end", "N", "this force at T, of every motion"}.otherwise("needed with force"),
      any_finite, std::nullopt);
  force.within =
      section.number({"force_within", "N", "tolerance of this force"}, positive, force.within);
  study.history.force = std::move(force);
}

void read_mode_claims(Section& section, FrictionStudy& study) {
  HistoryExpectation& history = study.history;
  history.slow = section.number({"slow", "m/s", "slower contacts stick in claims on modes"},
                                positive, history.slow);
  if (section.has("modes_at_start")) {
    history.modes_at_start = parts_of(
        section.text(Key{"modes_at_start", "",
                         "all solutions of the rigid laws at the start: \"slip,slip; stick,stick\""}
                         .otherwise("no claim"),
                     std::nullopt));
    for (const std::string& modes : *history.modes_at_start)
      require_modes(section, "modes_at_start", modes, study);
  }
  if (section.has("compliant_sliding")) {
    require_whole_motions(section, "compliant_sliding", study);
    const std::vector<std::string> words{name_of(Sliding::grows), name_of(Sliding::dies_out)};
    history.compliant_sliding =
        section.choice(
            Key{"compliant_sliding", "", "trend of the compliant sliding speed from T/2 to T"}
                .otherwise("no claim"),
            words, std::nullopt) == words[0]
            ? Sliding::grows
            : Sliding::dies_out;
  }
  history.ends_agree = section.flag(
      {"ends_agree", "", "compliant motions end in the modes of the rigid one, if it is unique"},
      history.ends_agree);
  if (history.ends_agree) require_whole_motions(section, "ends_agree", study);
  read_force(section, study);
}

}  // namespace

ModesClaim read_modes_claim(Section section, const FrictionStudy& study) {
  require_whole_motions(section, "quantity", study);
  section.text(expected_quantity(), std::nullopt);
  ModesClaim claim;
  claim.end = section.text(
      Key{"end", "", "modes claim: last modes of every motion, \"stick,stick\""}.otherwise(
          "no claim"),
      "");
  if (!claim.end.empty()) require_modes(section, "end", claim.end, study);
  const auto sequence_of = [](const char* key, const char* meaning) {
    return Key{key, "", meaning}.otherwise("no claim");
  };
  for (const auto& [declared, sequence] :
       {std::pair{
            sequence_of("rigid",
                        "modes claim: modes of the rigid motion, \"slip,slip > stick,stick\""),
            &claim.rigid},
        std::pair{sequence_of("compliant", "modes claim: modes of every compliant motion"),
                  &claim.compliant}}) {
    const std::string& key = declared.name;
    *sequence = section.text(declared, "");
    for (std::size_t at = 0; at < sequence->size();) {
      const std::size_t next = std::min(sequence->find(" > ", at), sequence->size());
      require_modes(section, key, sequence->substr(at, next - at), study);
      at = next + 3;
    }
  }
  if (claim.end.empty() && claim.rigid.empty() && claim.compliant.empty())
    section.fail("",
                 "needs rigid or compliant (modes in order: \"slip,slip > stick,stick\"), or "
                 "end (the last modes of every motion)");
  section.finish();
  return claim;
}

void read_history(Section section, FrictionStudy& study) {
  HistoryExpectation& history = study.history;
  std::vector<std::string> words;
  for (const Outcome outcome : all_outcomes())
    if (ends_a_motion(outcome)) words.emplace_back(name_of(outcome));
  history.outcome = outcome_named(section.choice(
      {"outcome", "", "outcome of the rigid solve: `explain WORD`"}, words, "success"));
  if (section.has("events")) {
    history.events = parts_of(section.text(
        Key{"events", "", "events of the rigid motion in order: \"impact floor; stick floor\""}
            .otherwise("no claim"),
        std::nullopt));
    for (const std::string& text : *history.events) require_event_text(section, text, study);
  }
  if (section.has("event_times"))
    history.event_times = section.numbers(
        Key{"event_times", "s", "times of all rigid events"}.otherwise("no claim"), non_negative);
  history.event_times_within =
      section.number({"event_times_within", "s", "tolerance of event_times"}, positive,
                     history.event_times_within);
  if (section.has("modes_at_end"))
    history.modes_at_end = section.text(
        Key{"modes_at_end", "", "modes of the rigid motion at T: \"slip,free\""}.otherwise(
            "no claim"),
        std::nullopt);
  if (section.has("moreau_jean_within"))
    history.moreau_jean_within =
        section.number(Key{"moreau_jean_within", "SI",
                           "largest distance in q of the independent motion with the smallest step"}
                           .otherwise("its order"),
                       positive, std::nullopt);
  history.energy_within =
      section.number({"energy_within", "1", "growth of the energy, relative to its range"},
                     {.low = 1e-15, .high = 1e-3}, history.energy_within);
  history.energy_conserved = section.flag(
      {"energy_conserved", "", "the energy is that of the start and of the work, to energy_within"},
      history.energy_conserved);
  read_mode_claims(section, study);
  section.finish();
}

namespace {

Measure read_measure(Section& section) {
  Measure measure;
  const std::string quantity = section.choice(
      expected_quantity(), {"q", "v", "lambda", "event_time", "modes"}, std::nullopt);
  if (quantity == "event_time") {
    measure.quantity = Quantity::event_time;
    for (const char* key : {"norm", "window"})
      if (section.has(key))
        section.fail(key, "is not valid for quantity = \"event_time\", which is a single number");
    if (section.has("kind"))
      measure.events = section.choice(
          Key{"kind", "", "kind of the events of quantity = \"event_time\""}.otherwise("all kinds"),
          event_words(), std::nullopt);
    return measure;
  }
  for (const Quantity q : all_quantities)
    if (quantity == name_of(q)) measure.quantity = q;
  const std::string norm =
      section.choice({"norm", "", "norm of the error over the window"}, {"sup", "l1", "l2"}, "sup");
  for (const Norm n : friction_norms)
    if (norm == name_of(n)) measure.norm = n;
  measure.window =
      section.choice({"window", "", "all times, or those at a distance time.margin from events"},
                     {"all", "away"}, "all") == "all"
          ? Window::all
          : Window::away;
  return measure;
}

bool overlaps(const ExpectationSpec& a, const ExpectationSpec& b, const FrictionStudy& study) {
  return std::ranges::any_of(study.contact.laws, [&](const ComparedLaw& law) {
    return a.concerns(name_of(law), a.measure) && b.concerns(name_of(law), a.measure);
  });
}

/// Removing further terms requires a constant refinement ratio.
std::vector<double> read_next_orders(Section& section, double order, const FrictionStudy& study) {
  if (!section.has("next_orders")) return {};
  std::vector<double> orders =
      section.numbers(Key{"next_orders", "1", "orders of further terms, removed before the fit"}
                          .valid("list, each > order")
                          .otherwise("none"),
                      positive);
  for (const double s : orders)
    if (!(s > order))
      section.fail("next_orders",
                   fmt::format("{} must be greater than the leading order {}", s, order));
  const std::vector<double>& epsilons = study.epsilons;
  if (epsilons.size() < orders.size() + 3)
    section.fail("next_orders",
                 fmt::format("{} terms leave fewer than 3 of {} ε; give fewer terms or more ε",
                             orders.size(), epsilons.size()));
  for (std::size_t k = 2; k < epsilons.size(); ++k)
    if (std::abs(epsilons[k - 1] * epsilons[k - 1] / (epsilons[k - 2] * epsilons[k]) - 1.0) > 1e-6)
      section.fail("next_orders",
                   "needs ε in geometric progression; give from, to and count in [epsilon]");
  return orders;
}

/// Reads `ratio` and `order_only`, with the meaning of rolling studies.
void read_constant(Section& section, const FrictionStudy& study, ExpectationSpec& e) {
  if (section.has("ratio")) {
    read_ratio(section, e);
    const bool impacts = std::ranges::any_of(study.model.contacts, [](const ContactPoint& contact) {
      return contact.normal == Normal::unilateral;
    });
    for (const ComparedLaw& law : study.contact.laws) {
      if (!e.concerns(name_of(law), e.measure)) continue;
      const bool projected = law.friction == FrictionalLaw::Friction::projected;
      if (!projected || (impacts ? law.tangential_power <= 1.0 : law.tangential_power != 1.0))
        section.fail(
            "ratio",
            fmt::format("is not valid for the law {}, which has no predicted coefficient {}",
                        text_of(law), impacts ? "at impacts" : "without impacts"));
    }
    if (e.measure.norm != Norm::sup)
      section.fail("ratio", "needs norm = \"sup\"; no other norm has a predicted coefficient");
  }
  read_order_only(section, e);
}

}  // namespace

ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study) {
  ExpectationSpec e;
  e.measure = read_measure(section);
  if (section.has("friction"))
    e.law = section.choice(Key{"friction", "", "friction law of the claim"}.otherwise("every law"),
                           {"projected", "regularised"}, std::nullopt);
  if (section.has("tangential_power"))
    e.tangential_power =
        section.number(Key{"tangential_power", "1", "kappa of the claim"}.otherwise("every kappa"),
                       positive, std::nullopt);
  for (const char* other : {"convergence", "at_most"})
    for (const char* key : {"order", "ratio", "order_only"})
      if (section.has(other) && section.has(key))
        section.fail(key, fmt::format("conflicts with `{}`; give only one of them", other));
  if (section.has("convergence")) {
    section.choice(
        Key{"convergence", "", "in place of order: the error does not decrease"}.otherwise(
            "see order"),
        {"none"}, std::nullopt);
    e.convergence = Convergence::none;
    e.within = section.number(order_tolerance(), {.low = 0.0, .high = 0.25, .low_open = true}, 0.1);
  } else if (section.has("at_most")) {
    e.convergence = Convergence::bounded;
    e.within = section.number(
        Key{"at_most", "SI", "in place of order: bound of the error at every epsilon"}.otherwise(
            "see order"),
        positive, std::nullopt);
  } else {
    read_constant(section, study, e);
    if (section.has("order") || !e.ratio)
      e.order = section.number(Key{"order", "1", "order of the error as epsilon -> 0"}.otherwise(
                                   "needed without ratio, convergence or at_most"),
                               any_finite, std::nullopt);
    e.within =
        section.number(order_tolerance(), {.low = 0.0, .high = 0.25, .low_open = true}, e.within);
    if (e.order) e.next_orders = read_next_orders(section, *e.order, study);
  }
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
