#include "rigidlimit/experiment/friction/friction_keys.hpp"

#include <algorithm>

#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {

namespace {

using FrictionKeys = Keys<FrictionStudy>;
using keys::of;
using Words = std::vector<std::string>;

constexpr auto friction_contact = keys::in(&FrictionStudy::contact);
constexpr auto friction_time = keys::in(&FrictionStudy::time);
constexpr auto friction_solvers = keys::in(&FrictionStudy::solvers);
constexpr auto claimed_history = keys::in(&FrictionStudy::history);
/// The words of a list of texts without repetition.
Words frictions_of(const FrictionContact& contact) {
  Words words;
  for (const ComparedLaw& law : contact.laws)
    if (std::ranges::find(words, name_of(law.friction)) == words.end())
      words.emplace_back(name_of(law.friction));
  return words;
}

std::vector<double> powers_of(const FrictionContact& contact) {
  std::vector<double> powers;
  for (const ComparedLaw& law : contact.laws)
    if (law.friction == FrictionalLaw::Friction::projected) powers.push_back(law.tangential_power);
  return powers.empty() ? std::vector{1.0} : powers;
}

std::vector<std::string> names_of_friction_laws() {
  std::vector<std::string> names;
  for (const auto law : friction_laws) names.emplace_back(name_of(law));
  return names;
}

/// The laws of [contact], with κ = 1.
void read_frictions(Section& section, const std::string& key, FrictionStudy& study) {
  study.contact.laws.clear();
  for (const std::string& word :
       section.choices(key, names_of_friction_laws(), Words{name_of(friction_laws.front())}))
    for (const FrictionalLaw::Friction law : friction_laws)
      if (word == name_of(law)) study.contact.laws.push_back({law, 1.0});
}

constexpr Range valid_power{.low = 0.5, .high = 4.0};

/// κ of the projected law: one law for each.
void read_powers(Section& section, const std::string& key, FrictionStudy& study) {
  if (!section.has(key)) return;
  std::vector<double> powers = section.numbers(key, valid_power);
  std::ranges::sort(powers);
  if (std::ranges::adjacent_find(powers) != powers.end()) section.fail(key, "a value occurs twice");
  std::vector<ComparedLaw> laws;
  for (const ComparedLaw& law : study.contact.laws)
    if (law.friction == FrictionalLaw::Friction::projected)
      for (const double power : powers) laws.push_back({law.friction, power});
    else
      laws.push_back(law);
  study.contact.laws = std::move(laws);
}

/// One number per contact, or one for all.
KeyRow<FrictionStudy> stiffness_row(KeyName key, VectorXd FrictionContact::*values,
                                    bool (*is_used)(const FrictionStudy&)) {
  return FrictionKeys::read_by(
      key, "number or list, each > 0", "1.0",
      [values, is_used](Section& section, const std::string& name, FrictionStudy& s) {
        const Index contacts = s.model.nc();
        const MatrixXd given =
            section.matrix(name, contacts, MatrixXd(MatrixXd::Identity(contacts, contacts)));
        s.contact.*values = given.diagonal();
        if (!section.has(name)) return;
        if (!is_used(s)) section.fail(name, no_unilateral_contact);
        if (!given.isDiagonal(0.0) || !(given.diagonal().array() > 0.0).all())
          section.fail(name, "must be one positive number, or a list with one per contact");
        for (const double value : s.contact.*values)
          if (!positive_magnitude.contains(value))
            section.fail(name, fmt::format("must be {}", positive_magnitude.text()));
      },
      [values, is_used](const FrictionStudy& s) -> std::optional<std::string> {
        if (!is_used(s)) return std::nullopt;
        return toml_list(s.contact.*values);
      });
}

/// Steps of Moreau and Jean's method, decreasing.
void read_moreau_jean(Section& section, const std::string& key, FrictionStudy& study) {
  std::vector<double>& all = study.solvers.moreau_jean;
  const double end = study.time.end;
  if (!section.has(key)) {
    for (const double part : {1e-3, 5e-4, 2.5e-4}) all.push_back(part * end);
    return;
  }
  if (section.has_empty_list(key)) return;
  all = section.numbers(key, {.low = 1e-7 * end, .high = end});
  double steps = 0.0;
  for (const double h : all) steps += end / h;
  constexpr double most = 1e8;  // a quarter of an hour, at ten microseconds each
  if (steps > most)
    section.fail(key, fmt::format("need {:.3g} steps in total; the limit is {:.0e}", steps, most));
  std::ranges::sort(all, std::greater{});
  if (std::ranges::adjacent_find(all) != all.end()) section.fail(key, "a step occurs twice");
}

/// The compliant problem has a single form: methods that need another one are rejected.
Words names_of_friction_solvers() {
  Words names;
  for (const OdeMethod& method : ode_methods())
    if (!needs_a_form(method)) names.emplace_back(method.name);
  return names;
}

/// Whether a whole motion can end so: the other outcomes say that it is not complete.
bool ends_a_motion(Outcome outcome) {
  return outcome != Outcome::not_run && outcome != Outcome::stopped_at_root &&
         outcome != Outcome::interrupted && outcome != Outcome::time_limit;
}

std::vector<std::pair<std::string, Outcome>> final_outcomes() {
  std::vector<std::pair<std::string, Outcome>> words;
  for (const Outcome outcome : all_outcomes())
    if (ends_a_motion(outcome)) words.emplace_back(name_of(outcome), outcome);
  return words;
}

/// "impact floor; stick floor" → its parts.
Words parts_of(const std::string& text) {
  Words parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find("; ", at), text.size());
    parts.push_back(text.substr(at, next - at));
    at = next + 2;
  }
  return parts;
}

/// A list of texts, given as one text with "; " between them.
KeyRow<FrictionStudy> parts_row(KeyName key, std::optional<Words> HistoryExpectation::*parts) {
  return FrictionKeys::read_by(
      key, "text", "no claim",
      [parts](Section& section, const std::string& name, FrictionStudy& s) {
        if (section.has(name)) s.history.*parts = parts_of(section.text(name, std::nullopt));
      },
      [parts](const FrictionStudy& s) -> std::optional<std::string> {
        const std::optional<Words>& given = s.history.*parts;
        if (!given) return std::nullopt;
        return toml_text(fmt::format("{}", fmt::join(*given, "; ")));
      });
}

/// A key of the claim on a force.
KeyRow<FrictionStudy> force_row(KeyName key, const std::string& values,
                                const DefaultWords& otherwise,
                                void (*read)(Section&, const std::string&, const SystemInfo&,
                                             ForceClaim&),
                                std::string (*text)(const ForceClaim&)) {
  return FrictionKeys::read_by(
      key, values, otherwise,
      [read](Section& section, const std::string& name, FrictionStudy& s) {
        if (section.has("force")) {
          if (!s.history.force) s.history.force.emplace();
          read(section, name, s.system->info, *s.history.force);
        } else if (section.has(name)) {
          section.fail(name, "needs `force`, the name of a sliding component");
        }
      },
      [text](const FrictionStudy& s) -> std::optional<std::string> {
        if (!s.history.force) return std::nullopt;
        return text(*s.history.force);
      });
}

std::vector<KeyRow<FrictionStudy>> force_rows() {
  return {force_row(
              {"force", "", "sliding component whose force at T is claimed"},
              "name of a contact component", "none",
              [](Section& section, const std::string& key, const SystemInfo& system,
                 ForceClaim& force) {
                Words names;
                for (const Component& one : system.contacts) names.push_back(one.name);
                force.component = section.choice(key, names, std::nullopt);
                force.row = std::ranges::find(names, force.component) - names.begin();
              },
              [](const ForceClaim& f) { return toml_text(f.component); }),
          force_row(
              {"force_at_end", "N", "this force at T, of every motion"}, any_finite.text(),
              needed("with force"),
              [](Section& section, const std::string& key, const SystemInfo&, ForceClaim& force) {
                force.at_end = section.number(key, any_finite, std::nullopt);
              },
              [](const ForceClaim& f) { return toml_text(f.at_end); }),
          force_row(
              {"force_within", "N", "tolerance of this force"}, positive.text(),
              toml_text(ForceClaim{}.within),
              [](Section& section, const std::string& key, const SystemInfo&, ForceClaim& force) {
                force.within = section.number(key, positive, force.within);
              },
              [](const ForceClaim& f) { return toml_text(f.within); })};
}

}  // namespace

const Words& event_words() {
  static const Words words = [] {
    Words all;
    for (const EventKind kind :
         {EventKind::impact, EventKind::touch, EventKind::detachment, EventKind::stick,
          EventKind::slip, EventKind::reversal, EventKind::accumulation, EventKind::kink})
      all.emplace_back(name_of(kind));
    return all;
  }();
  return words;
}

namespace friction_keys {

const KeyTable<FrictionStudy>& study() {
  static const KeyTable<FrictionStudy> table{"study", heading_rows<FrictionStudy>()};
  return table;
}

const KeyTable<FrictionStudy>& initial() {
  static const KeyTable<FrictionStudy> table{
      "initial", start_rows<FrictionStudy>("velocities at t = 0; they may slide")};
  return table;
}

const KeyTable<FrictionStudy>& contact() {
  using C = FrictionContact;
  static const KeyTable<FrictionStudy> table{
      "contact",
      {FrictionKeys::read_by(
           {"friction", "", "friction laws, which are compared; all but the first one creep"},
           "one or a list of: " + keys::list_of(names_of_friction_laws()),
           toml_list(Words{name_of(friction_laws.front())}), read_frictions,
           [](const FrictionStudy& s) { return toml_list(frictions_of(s.contact)); }),
       FrictionKeys::read_by(
           {"tangential_power", "1", "kappa of the projected law: eps_t = eps^kappa"},
           "list, each " + valid_power.text(), "[1.0]", read_powers,
           [](const FrictionStudy& s) { return toml_list(powers_of(s.contact)); }),
       stiffness_row(
           {"tangential_stiffness", "N/m", "C_t at eps = 1: for all contacts, or one for each"},
           &C::tangential_stiffness, [](const FrictionStudy&) { return true; }),
       stiffness_row({"normal_stiffness", "N/m", "C_n at eps = 1 of unilateral contacts"},
                     &C::normal_stiffness, has_unilateral_contact),
       FrictionKeys::number({"damping_ratio", "1", "zeta of the tangential contact"},
                            friction_contact(&C::damping_ratio), positive_magnitude),
       FrictionKeys::number({"plastic_exponent", "1", "beta of the normal damper if e = 0"},
                            friction_contact(&C::plastic_exponent),
                            {.low = 1.0, .high = 4.0, .low_open = true})
           .unless([](const FrictionStudy& s) {
             return has_unilateral_contact(s) ? "" : no_unilateral_contact;
           }),
       FrictionKeys::number({"creep", "m/s", "creep speed at eps = 1 of the laws that creep"},
                            friction_contact(&C::creep), positive_magnitude)
           .unless([](const FrictionStudy& s) {
             return std::ranges::all_of(s.contact.laws,
                                        [](const ComparedLaw& law) {
                                          return law.friction == FrictionalLaw::Friction::projected;
                                        })
                        ? "is not used by contact.friction = \"projected\"; remove it"
                        : "";
           })}};
  return table;
}

const KeyTable<FrictionStudy>& time() {
  using T = FrictionTime;
  static const KeyTable<FrictionStudy> table{
      "time",
      {end_row<FrictionStudy>(),
       FrictionKeys::count({"samples", "", "uniform samples on [0, T], both ends included"},
                           friction_time(&T::samples), {2, 100'000}),
       FrictionKeys::count({"layer_per_decade", "",
                            "samples in a decade of the distance to the start and to every event"},
                           friction_time(&T::layer_per_decade), {1, 1000}),
       FrictionKeys::number(
           {"layer_width", "1", "largest of these distances, in eps; the smallest is 1e-9 s"},
           friction_time(&T::layer_width), {.low = 1.0, .high = 1e6}),
       FrictionKeys::number(
           {"compared", "s", "compliant motions are compared up to here; 0: modes only"},
           friction_time(&T::compared), ">= 0 and <= end",
           [](const FrictionStudy& s) { return Range{.low = 0.0, .high = s.time.end}; })
           .otherwise("end", [](const FrictionStudy& s) { return s.time.end; }),
       // A hundredth of the interval exceeds the duration of every contact for the smaller half of
       // the ε.
       FrictionKeys::number({"margin", "s", "distance of the window \"away\" from events"},
                            friction_time(&T::margin), ">= 0 and < end",
                            [](const FrictionStudy& s) {
                              return Range{.low = 0.0, .high = s.time.end, .high_open = true};
                            })
           .otherwise("end/100", [](const FrictionStudy& s) { return 0.01 * s.time.end; }),
       FrictionKeys::flag(
           {"until_stop", "", "compare a rigid motion that ends early up to its end"},
           friction_time(&T::until_stop)),
       FrictionKeys::count({"matched_events", "", "rigid events searched for in compliant motions"},
                           friction_time(&T::matched_events), {0, 10'000})}};
  return table;
}

const KeyTable<FrictionStudy>& solvers() {
  using S = FrictionSolvers;
  using Reference = S::Reference;
  static const KeyTable<FrictionStudy> table{
      "solvers",
      joined<FrictionStudy>(
          {{FrictionKeys::choices(
                {"compliant", "",
                 "methods of the compliant motions, which are compared: `list solvers`"},
                friction_solvers(&S::compliant), names_of_friction_solvers),
            FrictionKeys::flag(
                {"locate_kinks", "",
                 "false: methods step across kinks, and compliant events have no times"},
                friction_solvers(&S::locate_kinks))},
           compliant_tolerance_rows<FrictionStudy>(),
           {FrictionKeys::choice({"reference", "", "reference of the compliant motions"},
                                 friction_solvers(&S::reference),
                                 {Reference::closed_form, Reference::event_driven})
                .otherwise("\"closed_form\" if the start has one, else \"event_driven\"",
                           [](const FrictionStudy& s) {
                             return has_closed_history(s) ? Reference::closed_form
                                                          : Reference::event_driven;
                           })
                .checked([](const FrictionStudy& s) {
                  return s.solvers.reference == Reference::event_driven || has_closed_history(s)
                             ? std::string()
                             : s.system->info.name +
                                   " has no closed-form history from this start "
                                   "with these parameters; use \"event_driven\"";
                }),
            FrictionKeys::number(
                {"rigid_rtol", "1", "relative tolerance of the event-driven motion"},
                friction_solvers(&S::rigid_rtol), valid_tolerance),
            FrictionKeys::number(
                {"rigid_atol", "SI", "absolute tolerance of the event-driven motion"},
                friction_solvers(&S::rigid_atol), valid_tolerance),
            FrictionKeys::count({"rigid_max_steps", "", "steps of the event-driven motion"},
                                friction_solvers(&S::rigid_max_steps), {1, 1'000'000'000}),
            FrictionKeys::read_by(
                {"moreau_jean", "s", "steps of the independent rigid motions; []: none"},
                "list, each >= end/1e7 and <= end", "end/1000, end/2000, end/4000",
                read_moreau_jean,
                [](const FrictionStudy& s) { return toml_list(s.solvers.moreau_jean); })}})};
  return table;
}

const KeyTable<FrictionStudy>& inequality() {
  static const KeyTable<FrictionStudy> table{
      "inequality",
      {FrictionKeys::count({"draws", "", "random virtual velocities for each sample; 0: no check"},
                           &FrictionStudy::inequality_draws, {0, 100'000})}};
  return table;
}

const KeyTable<FrictionStudy>& history() {
  using H = HistoryExpectation;
  static const KeyTable<FrictionStudy> table{
      "history",
      joined<FrictionStudy>(
          {{FrictionKeys::choice({"outcome", "", "outcome of the rigid solve: `explain WORD`"},
                                 claimed_history(&H::outcome), final_outcomes()),
            parts_row({"events", "",
                       "events of the rigid motion in order: \"impact floor; stick floor\""},
                      &H::events),
            FrictionKeys::numbers({"event_times", "s", "times of all rigid events"},
                                  claimed_history(&H::event_times), non_negative)
                .otherwise("no claim"),
            FrictionKeys::number({"event_times_within", "s", "tolerance of event_times"},
                                 claimed_history(&H::event_times_within), positive),
            FrictionKeys::text(
                {"modes_at_end", "", "modes of the rigid motion at T: \"slip,free\""},
                claimed_history(&H::modes_at_end))
                .otherwise("no claim"),
            FrictionKeys::number(
                {"moreau_jean_within", "SI",
                 "largest distance in q of the independent motion with the smallest step"},
                claimed_history(&H::moreau_jean_within), positive)
                .otherwise("its order"),
            FrictionKeys::number(
                {"energy_within", "1", "growth of the energy, relative to its range"},
                claimed_history(&H::energy_within), {.low = 1e-15, .high = 1e-3}),
            FrictionKeys::flag(
                {"energy_conserved", "",
                 "the energy is that of the start and of the work, to energy_within"},
                claimed_history(&H::energy_conserved)),
            FrictionKeys::number({"slow", "m/s", "slower contacts stick in claims on modes"},
                                 claimed_history(&H::slow), positive),
            parts_row({"modes_at_start", "",
                       "all solutions of the rigid laws at the start: \"slip,slip; stick,stick\""},
                      &H::modes_at_start),
            FrictionKeys::choice(
                {"compliant_sliding", "", "trend of the compliant sliding speed from T/2 to T"},
                claimed_history(&H::compliant_sliding), {Sliding::grows, Sliding::dies_out})
                .otherwise("no claim"),
            FrictionKeys::flag(
                {"ends_agree", "",
                 "compliant motions end in the modes of the rigid one, if it is unique"},
                claimed_history(&H::ends_agree))},
           force_rows()})};
  return table;
}

const KeyTable<ExpectationSpec>& expectation() {
  using E = ExpectationSpec;
  using N = Keys<E>;
  const auto is_time = [](const E& e) { return e.measure.quantity == Quantity::event_time; };
  const auto unless_time = [is_time](const E& e) {
    return is_time(e) ? "is not valid for quantity = \"event_time\", which is a single number" : "";
  };
  const auto bound_of = [](const E& e) -> std::optional<std::string> {
    if (e.convergence != Convergence::bounded) return std::nullopt;
    return toml_text(e.within);
  };
  static const KeyTable<E> table{
      "[expect]",
      joined<E>({{N::choice({"quantity", "", "compared quantity"},
                            of(&E::measure, &Measure::quantity),
                            {Quantity::q, Quantity::v, Quantity::lambda, Quantity::event_time})
                      .needed(),
                  N::text({"kind", "", "kind of the events of quantity = \"event_time\""},
                          of(&E::measure, &Measure::events))
                      .otherwise("all kinds")
                      .valid("\"impact\", \"stick\", ...")
                      .unless([is_time](const E& e) {
                        return is_time(e) ? "" : "needs quantity = \"event_time\"";
                      })
                      .checked([](const E& e) {
                        const Words& words = event_words();
                        return std::ranges::find(words, e.measure.events) != words.end()
                                   ? std::string()
                                   : fmt::format("not known; valid kinds: {}",
                                                 fmt::join(words, ", "));
                      })
                      .written_if([](const E& e) { return !e.measure.events.empty(); }),
                  N::choice({"norm", "", "norm of the error over the window"},
                            of(&E::measure, &Measure::norm), {Norm::sup, Norm::l1, Norm::l2})
                      .unless(unless_time),
                  N::choice({"window", "",
                             "all times, or those at a distance time.margin from events"},
                            of(&E::measure, &Measure::window), {Window::all, Window::away})
                      .unless(unless_time),
                  N::choice({"friction", "", "friction law of the claim"}, &E::law,
                            names_of_friction_laws)
                      .otherwise("every law"),
                  N::number({"tangential_power", "1", "kappa of the claim"}, &E::tangential_power,
                            positive)
                      .otherwise("every kappa"),
                  N::read_by(
                      {"at_most", "SI", "in place of order: bound of the error at every epsilon"},
                      positive.text(), "see order",
                      [](Section& section, const std::string& key, E& e) {
                        if (!section.has(key)) return;
                        e.convergence = Convergence::bounded;
                        e.within = section.number(key, positive, std::nullopt);
                      },
                      bound_of)},
                 order_rows({{"none", Convergence::none}},
                            "needed without at_least, ratio, convergence or at_most"),
                 {N::numbers(
                      {"next_orders", "1", "orders of further terms, removed before the fit"},
                      &E::next_orders, positive)
                      .valid("list, each > order")
                      .otherwise("none")
                      .unless([](const E& e) { return e.order ? "" : "needs `order`"; })
                      .written_if([](const E& e) { return !e.next_orders.empty(); })}})};
  return table;
}

const KeyTable<ModesClaim>& modes() {
  using M = ModesClaim;
  using N = Keys<M>;
  const auto row = [](KeyName key, std::string M::*modes) {
    return N::text(key, modes).otherwise("no claim").written_if([modes](const M& m) {
      return !(m.*modes).empty();
    });
  };
  static const KeyTable<M> table{
      "[expect]",
      {quantity_row<M>("modes", "modes of the contacts"),
       row({"end", "", "modes claim: last modes of every motion, \"stick,stick\""}, &M::end),
       row({"rigid", "", "modes claim: modes of the rigid motion, \"slip,slip > stick,stick\""},
           &M::rigid),
       row({"compliant", "", "modes claim: modes of every compliant motion"}, &M::compliant)}};
  return table;
}

}  // namespace friction_keys

std::vector<KeyTableInfo> tables_of_friction_studies() {
  using namespace friction_keys;
  return {study().info(),        system_keys(),        initial().info(), contact().info(),
          epsilon_keys().info(), time().info(),        solvers().info(), inequality().info(),
          history().info(),      expectation().info(), modes().info()};
}

}  // namespace rigidlimit
