#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/ensemble/read_ensemble.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/rolling/read_claims.hpp"
#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {

namespace {

using RollingKeys = Keys<RollingStudy>;
using keys::of;

constexpr auto rolling_contact = keys::in(&RollingStudy::contact);
constexpr auto rolling_time = keys::in(&RollingStudy::time);
constexpr auto rolling_solvers = keys::in(&RollingStudy::solvers);
/// Refuses a key that no law of the study uses.
std::function<std::string(const RollingStudy&)> unless_used(bool ContactKeys::*use,
                                                            const char* reason = "") {
  return [use, reason](const RollingStudy& study) -> std::string {
    if (keys_of(study.contact).*use) return {};
    return fmt::format("is not used by contact.law = {}{}; remove it", quoted_laws(study.contact),
                       reason);
  };
}

/// The reason why a matrix of the contact is not valid; empty: it is valid.
std::string fault_in(const MatrixXd& X, bool strictly) {
  try {
    require_positive(X, "the matrix", strictly);
  } catch (const InputError& e) {
    return e.what();
  }
  const double largest = X.cwiseAbs().maxCoeff();
  if (largest == 0.0 || positive_magnitude.contains(largest)) return {};
  return fmt::format("the largest entry must be {}", positive_magnitude.text());
}

/// An interval of ε, if it is not the whole axis.
std::optional<std::string> interval_text(double from, double to) {
  if (from == 0.0 && std::isinf(to)) return std::nullopt;
  return toml_list(std::vector{from, to});
}

/// [lo, hi] in either order. from, to: members of the claim.
template <class Claim, class From, class To>
KeyRow<Claim> interval_row(From from, To to) {
  return Keys<Claim>::read_by(
      {"epsilon", "1", "interval of epsilon of the claim"}, "[lo, hi], each " + non_negative.text(),
      "all",
      [=](Section& section, const std::string& key, Claim& claim) {
        if (!section.has(key)) return;
        const std::vector<double> ends = section.numbers(key, non_negative);
        if (ends.size() != 2)
          section.fail(
              key, fmt::format("must be the two ends of an interval, not {} numbers", ends.size()));
        std::invoke(from, claim) = std::min(ends[0], ends[1]);
        std::invoke(to, claim) = std::max(ends[0], ends[1]);
      },
      [=](const Claim& claim) {
        return interval_text(std::invoke(from, claim), std::invoke(to, claim));
      });
}

const std::string& name_in_file(const std::string& law) {
  return law;
}
std::string name_in_file(const std::optional<std::string>& law) {
  return law.value_or("");
}

/// The law of a claim, optional for a study with one law.
template <class Claim>
KeyRow<Claim> law_row(const ClaimContext& of) {
  return Keys<Claim>::read_by(
      {"law", "", "law of the claim"}, "one of contact.law", needed("if contact.law is a list"),
      [of](Section& section, const std::string& key, Claim& claim) {
        const std::vector<std::string>& laws = of.study->contact.laws;
        claim.law =
            section.choice(key, laws, laws.size() > 1 ? std::nullopt : std::optional(laws.front()));
      },
      [](const Claim& claim) { return toml_text(name_in_file(claim.law)); });
}

/// law, quantity, norm, window and after of a claim on errors.
template <class Claim>
std::vector<KeyRow<Claim>> series_rows(const ClaimContext& of) {
  using C = Keys<Claim>;
  const auto quantity = [of](Section& section, const std::string& key, Claim& claim) {
    const SystemInfo& system = of.study->system->info;
    std::vector<std::string> names = names_of_measures(system);
    if (std::is_same_v<Claim, ExpectationSpec>) names.emplace_back("steps");  // expects_steps()
    if (section.text(key, std::nullopt) == name_of(Quantity::gap) &&
        !measure_named(name_of(Quantity::gap), system))
      section.fail(key,
                   fmt::format("\"gap\" is the position of joints, and {} has no "
                               "constraint_position",
                               of.study->tangent ? "the derivative of a motion" : system.name));
    claim.measure = *measure_named(section.choice(key, names, std::nullopt), system);
  };
  const std::vector<Window> windows{Window::all, Window::after};
  const auto window = [windows](Section& section, const std::string& key, Claim& claim) {
    if (section.has("after")) claim.measure.window = Window::after;
    const std::string word = section.choice(key, keys::names_of_values(windows),
                                            std::string(name_of(claim.measure.window)));
    claim.measure.window = word == name_of(Window::all) ? Window::all : Window::after;
  };
  const auto after = [of](Section& section, const std::string& key, Claim& claim) {
    if (!section.has(key)) return;
    if (claim.measure.window == Window::all) section.fail(key, "conflicts with window = \"all\"");
    claim.after = section.number(key, rolling_keys::begins_of_window(*of.study), std::nullopt);
    of.begin->take(section, *claim.after);
    of.study->after = *claim.after;
  };
  return {law_row<Claim>(of),
          C::read_by({"quantity", "", "quantity of the error, or one component: \"x\""},
                     "\"q\", \"v\", \"lambda\", \"gap\" of joints, or a name that `describe` lists",
                     needed(), quantity,
                     [](const Claim& c) { return toml_text(quantity_name(c.measure)); }),
          C::choice({"norm", "", "norm of the error over the window"},
                    keys::of(&Claim::measure, &Measure::norm), {Norm::sup, Norm::l2}),
          C::read_by({"window", "", "all times, or t >= time.after"},
                     keys::list_of(keys::names_of_values(windows)), "\"all\"; \"after\" with after",
                     window, [](const Claim& c) { return keys::text_of_value(c.measure.window); }),
          C::read_by({"after", "s", "begin of the window \"after\", one in a study"},
                     ">= 0 and < time.end", "time.after", after)};
}

}  // namespace

ContactKeys keys_of(const ContactSpec& contact) {
  const auto any_law = [](const ContactSpec& of, auto has) {
    return std::ranges::any_of(
        of.laws, [&](const std::string& name) { return std::invoke(has, *find_law(name)); });
  };
  const bool spring = any_law(contact, &LawInfo::has_spring);
  const bool damper = any_law(contact, [](const LawInfo& law) { return law.has_damper; });
  const bool relative = damper && contact.damping.size() == 0;
  return {.stiffness = spring || relative,
          .damping = damper,
          .exponent = any_law(contact, &LawInfo::is_viscoelastic),
          .preparation = spring};
}

std::string quoted_laws(const ContactSpec& contact) {
  return fmt::format("\"{}\"", fmt::join(contact.laws, "\", \""));
}

namespace rolling_keys {

const KeyTable<RollingStudy>& study() {
  static const KeyTable<RollingStudy> table{
      "study",
      joined<RollingStudy>(
          {heading_rows<RollingStudy>(),
           {RollingKeys::choice(
               {"against", "", "limit: the rigid motion, or with its asymptotic expansion added"},
               &RollingStudy::against, {Against::rigid, Against::composite})}})};
  return table;
}

const KeyTable<RollingStudy>& initial() {
  static const KeyTable<RollingStudy> table{
      "initial",
      joined<RollingStudy>(
          {start_rows<RollingStudy>("velocities at t = 0"),
           {RollingKeys::flag(
                {"project", "", "v may slide; the rigid motion starts from the projected v"},
                &RollingStudy::project),
            RollingKeys::flag(
                {"project_position", "",
                 "q may leave joints open; both motions start from the nearest closed q"},
                &RollingStudy::project_position)
                .unless([](const RollingStudy& s) {
                  return s.model.np > 0 ? "" : "needs a system with constraint_position or joints";
                })
                .written_if([](const RollingStudy& s) { return s.project_position; })}})};
  return table;
}

const KeyTable<RollingStudy>& tangent() {
  const auto direction = [](KeyName key, VectorXd TangentSpec::*x, auto SystemInfo::*components) {
    return RollingKeys::vector(
               key,
               of(
                   [](auto& s) -> auto& { return *s.tangent; }, x),
               [components](const RollingStudy& s) { return s.tangent->system->info.*components; },
               true)
        .otherwise("0");
  };
  static const KeyTable<RollingStudy> table{
      "tangent",
      {RollingKeys::text(
           {"parameter", "", "of a system written as formulas: the derivative with respect to it"},
           of(
               [](auto& s) -> auto& { return *s.tangent; }, &TangentSpec::parameter))
           .otherwise("none")
           .valid("name of a parameter")
           .written_if([](const RollingStudy& s) { return !s.tangent->parameter.empty(); }),
       direction({"q", "own", "direction of the start: derivative of initial.q, by coordinate"},
                 &TangentSpec::q, &SystemInfo::coordinates),
       direction({"v", "own", "likewise of initial.v; projected on the derivative of G v = 0"},
                 &TangentSpec::v, &SystemInfo::velocities)}};
  return table;
}

const KeyTable<RollingStudy>& contact() {
  using C = ContactSpec;
  using Preparation = C::Preparation;
  const auto size = [](const RollingStudy& s) { return s.model.m; };
  const auto is_given = [](const RollingStudy& s) {
    return s.contact.preparation == Preparation::given;
  };
  static const KeyTable<RollingStudy> table{
      "contact",
      {RollingKeys::choices({"law", "", "contact laws, which are compared: `list laws`"},
                            rolling_contact(&C::laws), [] { return names_of_laws(); }),
       RollingKeys::matrix({"stiffness", "N/m", "C: a number, the diagonal, or the matrix"},
                           rolling_contact(&C::stiffness), size)
           .otherwise("1.0",
                      [size](const RollingStudy& s) {
                        return MatrixXd(MatrixXd::Identity(size(s), size(s)));
                      })
           .valid("positive definite")
           .unless(unless_used(&ContactKeys::stiffness))
           .checked([](const RollingStudy& s) { return fault_in(s.contact.stiffness, true); }),
       RollingKeys::matrix({"damping", "N s/m", "D: a number, the diagonal, or the matrix"},
                           rolling_contact(&C::damping), size)
           .otherwise("see damping_ratio")
           .valid("positive semidefinite")
           .unless(unless_used(&ContactKeys::damping))
           .checked([](const RollingStudy& s) { return fault_in(s.contact.damping, false); })
           .written_if([](const RollingStudy& s) { return s.contact.damping.size() > 0; }),
       RollingKeys::number({"damping_ratio", "1", "D = ratio x critical damping at the start"},
                           rolling_contact(&C::damping_ratio), magnitude_or_zero)
           .checked([](const RollingStudy& s) {
             const double ratio = s.contact.damping_ratio.value_or(0.0);
             return ratio == 0.0 || positive_magnitude.contains(ratio)
                        ? std::string()
                        : "must be 0, or " + positive_magnitude.text();
           })
           .otherwise("1.0", [](const RollingStudy&) { return 1.0; })
           .unless([](const RollingStudy& s) {
             return s.contact.damping.size() > 0 ? "conflicts with damping; give only one of them"
                                                 : unless_used(&ContactKeys::damping)(s);
           }),
       RollingKeys::number(
           {"damping_exponent", "1", "beta of D/eps^beta; 1 keeps the ratio at every eps"},
           rolling_contact(&C::damping_exponent), {.low = 0.0, .high = 4.0})
           .unless(unless_used(&ContactKeys::exponent)),
       RollingKeys::vector(
           {"deflection", "m", "y(0)/eps^2 along the sliding directions"},
           rolling_contact(&C::deflection),
           [](const RollingStudy& s) {
             std::vector<Component> lengths = s.system->info.contacts;
             for (Component& c : lengths) c.unit = "m";
             return lengths;
           },
           false)
           .otherwise("none")
           .unless(unless_used(&ContactKeys::preparation))
           .checked([](const RollingStudy& s) {
             return rigidlimit::fault_in(s.system->info.contacts, s.contact.deflection);
           })
           .written_if(is_given),
       RollingKeys::choice({"preparation", "",
                            "spring at t = 0: unloaded, with Lambda (velocity rows preloaded, "
                            "joints open), or given"},
                           rolling_contact(&C::preparation),
                           {Preparation::unloaded, Preparation::prepared, Preparation::given})
           .otherwise("\"unloaded\"; \"given\" with deflection",
                      [](const RollingStudy& s) {
                        return s.contact.deflection.size() > 0 ? Preparation::given
                                                               : Preparation::unloaded;
                      })
           .unless(unless_used(&ContactKeys::preparation))}};
  return table;
}

Range begins_of_window(const RollingStudy& study) {
  return {.low = 0.0, .high = study.time.end, .high_open = true};
}

const KeyTable<RollingStudy>& time() {
  using T = TimeGrid;
  static const KeyTable<RollingStudy> table{
      "time",
      {end_row<RollingStudy>(),
       RollingKeys::number({"stretch", "1", "s in the interval [0, T eps^-s]; 1: long times"},
                           rolling_time(&T::stretch), {.low = 0.0, .high = 2.0}),
       RollingKeys::count({"samples", "", "uniform samples on [0, T], both ends included"},
                          rolling_time(&T::samples), {2, 1'000'000}),
       RollingKeys::count(
           {"layer_samples", "", "samples on the initial layer 0 <= t <= layer_width eps"},
           rolling_time(&T::layer_samples), {2, 1'000'000}),
       RollingKeys::number({"layer_width", "1", "width of the initial layer in units of eps"},
                           rolling_time(&T::layer_width),
                           {.low = 0.0, .high = 1e6, .low_open = true}),
       RollingKeys::choice({"grid", "", "\"end\": only 0 and T, for claims on steps alone"},
                           rolling_time(&T::end_only), {{"layered", false}, {"end", true}}),
       // A quarter of the interval exceeds every layer of a small ε and leaves most of the motion.
       RollingKeys::number({"after", "s", "the window \"after\" is t >= after"},
                           &RollingStudy::after, ">= 0 and < end", begins_of_window)
           .otherwise("end/4", [](const RollingStudy& s) { return 0.25 * s.time.end; })}};
  return table;
}

const KeyTable<RollingStudy>& solvers() {
  using S = SolverSpec;
  static const KeyTable<RollingStudy> table{
      "solvers",
      joined<RollingStudy>(
          {{RollingKeys::choices(
                {"rigid", "", "solvers of the rigid motion, which are compared: `list solvers`"},
                rolling_solvers(&S::rigid), names_of_rigid_solvers),
            RollingKeys::choices(
                {"compliant", "",
                 "solvers of the compliant motions, which are compared: `list solvers`"},
                rolling_solvers(&S::compliant), names_of_ode_methods)},
           compliant_tolerance_rows<RollingStudy>(),
           // One rigid solve serves every ε, so it may cost more.
           {RollingKeys::number({"rigid_rtol", "1", "relative tolerance of the rigid solves"},
                                rolling_solvers(&S::rigid_rtol), valid_tolerance)
                .otherwise("rtol/10", [](const RollingStudy& s) { return 0.1 * s.solvers.rtol; }),
            RollingKeys::number({"rigid_atol", "SI", "absolute tolerance of the rigid solves"},
                                rolling_solvers(&S::rigid_atol), valid_tolerance)
                .otherwise("atol/10", [](const RollingStudy& s) { return 0.1 * s.solvers.atol; }),
            RollingKeys::number(
                {"reference_rtol", "1", "relative tolerance of the independent rigid reference"},
                rolling_solvers(&S::reference_rtol), valid_tolerance)
                .otherwise("1e-13, at most rigid_rtol",
                           [](const RollingStudy& s) {
                             return std::min(S{}.reference_rtol, s.solvers.rigid_rtol);
                           }),
            RollingKeys::number({"reference_atol", "SI", "absolute tolerance of that reference"},
                                rolling_solvers(&S::reference_atol), valid_tolerance)
                .otherwise("1e-15, at most rigid_atol",
                           [](const RollingStudy& s) {
                             return std::min(S{}.reference_atol, s.solvers.rigid_atol);
                           }),
            RollingKeys::choice({"formulation", "", "variables: (q, v, eta), or (q, u, w, eta)"},
                                rolling_solvers(&S::formulation),
                                {Formulation::natural, Formulation::adapted})
                .unless(unless_used(&ContactKeys::preparation, always_natural)),
            RollingKeys::count(
                {"steps", "", "equal steps in place of tolerances, for methods with equal steps"},
                rolling_solvers(&S::steps), {1, 100'000'000})
                .otherwise("none")
                .written_if([](const RollingStudy& s) { return s.solvers.steps > 0; }),
            RollingKeys::choice({"precision", "", "\"quad\": 113 bits, radau_iia on both sides"},
                                rolling_solvers(&S::precision),
                                {Precision::binary64, Precision::binary128}),
            RollingKeys::flag(
                {"certified", "", "model errors are proved, and all other errors bounded"},
                rolling_solvers(&S::certified))
                .written_if([](const RollingStudy& s) { return s.solvers.certified; })}})};
  return table;
}

const KeyTable<CompliantSettings>& solver() {
  using S = CompliantSettings;
  static const KeyTable<S> table{
      "solvers.NAME",
      {Keys<S>::number({"rtol", "1", "relative tolerance of the compliant solver NAME"},
                       of(&S::tolerance, &Tolerance::rtol), valid_tolerance)
           .otherwise("that of [solvers]"),
       Keys<S>::number({"atol", "SI", "absolute tolerance of this solver"},
                       of(&S::tolerance, &Tolerance::atol), valid_tolerance)
           .otherwise("that of [solvers]"),
       Keys<S>::choice({"formulation", "", "variables of this solver"}, &S::formulation,
                       {Formulation::natural, Formulation::adapted})
           .otherwise("that of [solvers]; own methods: natural")}};
  return table;
}

const KeyTable<RollingStudy>& output() {
  static const KeyTable<RollingStudy> table{
      "output",
      {RollingKeys::choice(
          {"samples", "",
           "motions that the store keeps; \"auto\": all of up to 200 pairs, else those of "
           "figures"},
          &RollingStudy::kept_samples,
          {KeptSamples::automatic, KeptSamples::all, KeptSamples::none})}};
  return table;
}

const KeyTable<RollingStudy>& composite() {
  static const KeyTable<RollingStudy> table{
      "composite",
      // The next order gives the predicted remainder.
      {RollingKeys::count(
           {"order", "", "highest power of epsilon in the composite: its remainder is one higher"},
           &RollingStudy::composite_order, {0, highest_order - 1})
           .otherwise("2", [](const RollingStudy&) { return 2; })
           .unless([](const RollingStudy& s) {
             return s.against == Against::composite ? "" : "needs study.against = \"composite\"";
           })}};
  return table;
}

KeyTable<ExpectationSpec> expectation(const ClaimContext& of) {
  return {"[expect]", joined<ExpectationSpec>(
                          {series_rows<ExpectationSpec>(of),
                           order_rows({{"none", Convergence::none}, {"exact", Convergence::exact}},
                                      "needed without at_least, convergence or ratio; with "
                                      "composite.order = K: that of the "
                                      "first term behind K that is not zero")})};
}

KeyTable<StepsSpec> steps(const ClaimContext& of) {
  using S = StepsSpec;
  using N = Keys<S>;
  return {"[expect]",
          {law_row<S>(of), quantity_row<S>("steps", "growth of the steps as epsilon -> 0"),
           N::number({"growth_at_least", "1",
                      "least growth of quantity = \"steps\", in steps per decade of epsilon"},
                     &S::at_least, any_finite)
               .otherwise("none")
               .written_if([](const S& s) { return std::isfinite(s.at_least); }),
           N::number({"growth_at_most", "1", "largest growth of quantity = \"steps\""}, &S::at_most,
                     any_finite)
               .otherwise(needed("without growth_at_least"))
               .written_if([](const S& s) { return std::isfinite(s.at_most); }),
           interval_row<S>(&S::from, &S::to)}};
}

KeyTable<BoundTable> bound(const ClaimContext& of) {
  using B = BoundTable;
  using N = Keys<B>;
  // Both belong to a bound of the model error, which may be left out beside one of the solver
  // error.
  const auto of_model = [](std::optional<double> B::*member, const Range& range,
                           const char* other) {
    return [=](Section& section, const std::string& key, B& b) {
      if (section.has(key) || section.has(other) || !section.has("solver_error"))
        b.*member = section.number(key, range, std::nullopt);
    };
  };
  const auto text_of = [](std::optional<double> B::*member) {
    return [=](const B& b) {
      return b.*member ? std::optional(toml_text(*(b.*member))) : std::nullopt;
    };
  };
  return {
      "[bound]",
      joined<B>(
          {series_rows<B>(of),
           {N::read_by({"constant", "SI", "K of error + error bar <= K eps^power in every row"},
                       positive.text(), needed("without solver_error"),
                       of_model(&B::constant, positive, "power"), text_of(&B::constant)),
            N::read_by({"power", "1", "p of K eps^p"}, any_finite.text(), needed("with constant"),
                       of_model(&B::power, any_finite, "constant"), text_of(&B::power)),
            interval_row<B>(keys::of(&B::bound, &Bound::from), keys::of(&B::bound, &Bound::to)),
            N::number({"solver_error", "SI", "limit of the solver error, in addition or instead"},
                      &B::solver_error, positive),
            N::read_by(
                {"proved", "", "the bound is proved: in each row, or \"all\" eps at once"},
                "true, \"all\"", "false",
                [](Section& section, const std::string& key, B& b) {
                  if (!section.has(key)) return;
                  if (section.value(key).toml == "\"all\"")
                    b.proof = B::Proof::all;
                  else if (section.flag(key, false))
                    b.proof = B::Proof::rows;
                },
                [](const B& b) -> std::optional<std::string> {
                  if (b.proof == B::Proof::none) return std::nullopt;
                  return b.proof == B::Proof::rows ? "true" : "\"all\"";
                })}})};
}

}  // namespace rolling_keys

BoundTable::BoundTable(const BoundSpec& spec) : BoundSpec(spec) {
  if (spec.subject == Subject::solver_error) {
    solver_error = spec.bound.constant;
  } else {
    constant = spec.bound.constant;
    power = spec.bound.power;
  }
}

std::vector<BoundSpec> BoundTable::bounds() const {
  std::vector<BoundSpec> all;
  const auto add = [&](Subject about, double K, double p) {
    BoundSpec& spec = all.emplace_back(*this);
    spec.subject = about;
    spec.bound.constant = K;
    spec.bound.power = p;
  };
  if (constant) add(Subject::model_error, *constant, *power);
  if (solver_error) add(Subject::solver_error, *solver_error, 0.0);
  return all;
}

std::vector<KeyTableInfo> tables_of_rolling_studies() {
  using namespace rolling_keys;
  std::vector<KeyTableInfo> tables{
      study().info(),   composite().info(),    system_keys(),  initial().info(), tangent().info(),
      contact().info(), epsilon_keys().info(), time().info(),  solvers().info(), solver().info(),
      output().info(),  expectation().info(),  steps().info(), bound().info()};
  std::ranges::move(tables_of_ensembles(), std::back_inserter(tables));
  return tables;
}

}  // namespace rigidlimit
