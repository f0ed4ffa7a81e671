#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/ensemble/read_ensemble.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/problem_options.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/experiment/proof/certified_pair.hpp"
#include "rigidlimit/experiment/rolling/read_claims.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/mechanics/closed_joints.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {

namespace {

void read_rolling_contact(Section section, RollingStudy& study) {
  const Index m = study.model.m;
  study.contact.stiffness = MatrixXd::Identity(m, m);
  study.contact.damping_ratio = 1.0;
  // Whether D is given decides whether C is used.
  if (section.has("damping")) study.contact.damping = MatrixXd::Zero(m, m);
  rolling_keys::contact().read(section, study);
  if (study.contact.damping.size() > 0) study.contact.damping_ratio.reset();
  using Preparation = ContactSpec::Preparation;
  const bool given = study.contact.preparation == Preparation::given;
  if (!given && section.has("deflection"))
    section.fail("deflection",
                 fmt::format("conflicts with preparation = \"{}\"; remove one of them",
                             name_of(study.contact.preparation)));
  if (given && !section.has("deflection"))
    section.missing("deflection", "preparation = \"given\" needs it");
  section.finish();
  if (!study.model.lagrange_coordinates &&
      std::ranges::any_of(study.contact.laws, [](const std::string& law) {
        return find_law(law)->realisation == Realisation::inertial;
      }))
    section.fail("law",
                 "the inertial law needs Lagrange's equations, but the velocities of this system "
                 "are not the rates of its coordinates");
}

/// The variables of a solver without a setting of its own: those of [solvers]. Adapted variables in
/// fixed coordinates become singular where the body turns far, so that a user's method that does
/// not move them gets natural ones unless the file says otherwise.
Formulation formulation_for(const std::string& solver, Section& section, const ContactSpec& contact,
                            const SolverSpec& s) {
  const OdeMethod* const method = find_ode_method(solver);
  const bool stays = method && method->own && !method->own->moves_coordinates;
  return stays && !section.has("formulation") && keys_of(contact).preparation ? Formulation::natural
                                                                              : s.formulation;
}

/// Checks that all solvers of a study in 113 bits support them.
void require_precision(Section& section, const RollingStudy& study) {
  const SolverSpec& s = study.solvers;
  if (s.precision == Precision::binary64) return;
  for (const auto& [key, names] : {std::pair{"rigid", &s.rigid}, {"compliant", &s.compliant}})
    for (const std::string& name : *names)
      if (!solves_in_quad(name))
        section.fail(
            key,
            fmt::format("precision = \"quad\" needs radau_iia on both sides; {} computes in double",
                        name));
  for (const std::string& law : study.contact.laws)
    if (!find_law(law)->has_spring())
      section.fail("precision", fmt::format("must be \"double\" for the law {}", law));
  if (s.steps > 0) section.fail("precision", "must be \"double\" for equal steps");
  if (study.model.switches)
    section.fail("precision",
                 "must be \"double\" for a force with switches (if, abs, min, max, sign or table "
                 "of t, q or v)");
  if (study.contacts.redundant())
    section.fail("precision",
                 "must be \"double\" for redundant contacts, whose internal forces are known in "
                 "double only");
}

/// Checks that all solvers of a study with equal steps support them.
void require_steps(Section& section, const SolverSpec& s) {
  if (s.steps == 0) return;
  const auto is_able = [](const OdeMethod& m) { return m.fixed_step && m.dense_output; };
  std::vector<std::string> able;
  for (const OdeMethod& method : ode_methods())
    if (is_able(method)) able.emplace_back(method.name);
  for (const std::string& name : s.compliant)
    if (!is_able(*find_ode_method(name)))
      section.fail("steps",
                   fmt::format("{} has no equal steps: it chooses its step sizes, or shortens "
                               "steps at output times; valid solvers.compliant: {}",
                               name, fmt::join(able, ", ")));
}

/// Reads [solvers.NAME] of each compliant solver.
void read_own_settings(Section& section, RollingStudy& study) {
  SolverSpec& s = study.solvers;
  for (const std::string& name : names_of_ode_methods()) {
    if (!section.has(name)) continue;
    Section own = section.section(name);
    CompliantSettings given{.tolerance = {.rtol = s.rtol, .atol = s.atol},
                            .formulation = formulation_for(name, section, study.contact, s)};
    if (!keys_of(study.contact).preparation && own.has("formulation"))
      own.fail("formulation", fmt::format("is not used by contact.law = {}{}; remove it",
                                          quoted_laws(study.contact), always_natural));
    rolling_keys::solver().read(own, given);
    own.finish();
    // The table of a solver that --set solvers.compliant left out is checked but unused.
    if (std::ranges::count(s.compliant, name) > 0) s.own[name] = given;
  }
  for (const std::string& name : s.compliant)
    if (const Formulation own = formulation_for(name, section, study.contact, s);
        own != s.formulation)
      s.own.try_emplace(name, CompliantSettings{{s.rtol, s.atol}, own});
}

/// The texts of a list or of one text; empty for other values, which the reader of the key refuses.
std::vector<std::string> solver_words(Section& section, const std::string& key) {
  try {
    return section.texts(key);
  } catch (const InputError&) {
    try {
      return {section.text(key, std::nullopt)};
    } catch (const InputError&) {
      return {};
    }
  }
}

/// Refuses a solver of the rigid motion as one of the compliant motions, and the reverse.
void refuse_solvers_of_other_side(Section& section) {
  const std::vector<std::string> rigid = names_of_rigid_solvers(),
                                 compliant = names_of_ode_methods();
  for (const auto& [key, own, side, other] : {std::tuple("rigid", &rigid, "compliant", &compliant),
                                              {"compliant", &compliant, "rigid", &rigid}}) {
    if (!section.has(key)) continue;
    for (const std::string& word : solver_words(section, key))
      if (std::ranges::count(*own, word) == 0 && std::ranges::count(*other, word) > 0)
        section.fail(key, fmt::format("'{0}' is a solver of {1} motions: give it in solvers.{1}; "
                                      "'rigidlimit list solvers' has those of {2} motions",
                                      word, side, key));
  }
}

void read_rolling_solvers(Section section, RollingStudy& study) {
  refuse_solvers_of_other_side(section);
  rolling_keys::solvers().read(section, study);
  if (!study.system->has_closed_form && std::ranges::count(study.solvers.rigid, "closed_form") > 0)
    section.fail("rigid", fmt::format("{} has no closed form", study.system->info.name));
  require_steps(section, study.solvers);
  require_precision(section, study);
  if (const std::string obstacle = obstacle_to_enclosure(study);
      study.solvers.certified && !obstacle.empty())
    section.fail("certified", fmt::format("no motion of this study has a proof: {}", obstacle));
  read_own_settings(section, study);
  // No compliant solver is replaced by another method: a row must name its solver.
  for (const std::string& law : study.contact.laws)
    for (const std::string& name : study.solvers.compliant)
      if (const std::string refusal = refusal_of(study, *find_law(law), name); !refusal.empty())
        section.fail("compliant", refusal + "; see 'rigidlimit list solvers'");
  section.finish();
}

/// Rejects a coefficient of friction in the study's own system, unless contact.law tells that the
/// contacts hold. A system in a file of its own serves both kinds of study.
void require_used_friction(Section& root) {
  Section system = root.section("system");
  if (system.has("file") || !system.has("contacts") || root.section("contact").has("law")) return;
  for (Section& contact : system.sections("contacts"))
    if (contact.has("friction"))
      contact.fail("friction",
                   "is not used: without keys of friction in [contact] this file is a rolling "
                   "study, whose contacts do not slip. For a friction study, set contact.friction "
                   "= \"projected\"; for a rolling study, set contact.law, or give the rows of "
                   "`sliding` as system.constraint");
}

/// All tables but [epsilon], [[expect]] and [[bound]].
RollingStudy read_setting(Section& root, const SystemCatalogue& systems) {
  RollingStudy study;
  rolling_keys::study().read_whole(root.section("study"), study);
  read_system(root.section("system"), systems, study);
  require_used_friction(root);
  read_initial(root.section("initial"), root.section("system"), study);
  read_rolling_contact(root.section("contact"), study);
  if (root.has("tangent")) read_tangent(root.section("tangent"), study);
  rolling_keys::time().read_whole(root.section("time"), study);
  read_rolling_solvers(root.section("solvers"), study);
  rolling_keys::output().read_whole(root.section("output"), study);
  rolling_keys::composite().read_whole(root.section("composite"), study);
  return study;
}

/// Throws InputError at `time` if a sample time is not finite or the samples do not fit into
/// memory.
void require_grids(const Section& time, const RollingStudy& study) {
  if (const double end = study.time.end_at(study.epsilons.back()); !(end <= longest_time))
    time.fail("stretch",
              fmt::format(
                  "the interval ends at T ε^(-stretch) = {:.3g} s at ε = {}; the limit is {:.0e} s",
                  end, study.epsilons.back(), longest_time));
  // Thousands of times more than any study needs, and a tenth of the memory of a computer.
  constexpr double most = 2e7;
  const double samples = study.time.samples + study.time.layer_samples;
  const double instants = samples * static_cast<double>(study.epsilons.size());
  if (instants <= most) return;
  time.fail("samples",
            fmt::format("with layer_samples = {} and {} values of epsilon the motions have {:.3g} "
                        "samples; the limit is {:.0e}",
                        study.time.layer_samples, study.epsilons.size(), instants, most));
}

/// Rejects a prepared spring of joints where it has no start, and under a composite reference.
void require_moved_start(const Section& contact, const RollingStudy& study) {
  if (!moves_start(study)) return;
  if (study.against == Against::composite)
    contact.fail("preparation", refusal_of(consumers::composite_reference, study));
  try {
    compliant_start(study, study.epsilons.front(), study.initial);
  } catch (const InputError& error) {
    contact.fail("preparation", error.what());
  }
}

/// Rejects claims about errors where only the end is sampled.
void require_samples(const Section& section, const RollingStudy& study) {
  if (study.time.end_only)
    section.fail("quantity",
                 "time.grid = \"end\" gives output at 0 and T alone, so errors over the interval "
                 "are unknown: only [[expect]] with quantity = \"steps\" is valid with it");
}

/// Rejects the keys of a friction study.
void refuse_friction(Section& root) {
  constexpr const char* told = "this file is a friction study; run it with rigidlimit run FILE";
  for (const char* table : {"history", "inequality"})
    if (root.has(table)) root.fail(table, told);
  Section contact = root.section("contact");
  for (const char* key : {"tangential_stiffness", "friction"})
    if (contact.has(key)) contact.fail(key, told);
}

/// The study whose system, start and contact are those of the file.
RollingStudy without_lift(RollingStudy study) {
  study.system = study.tangent->system;
  study.initial = study.tangent->initial;
  study.contact = study.tangent->contact;
  return study;
}

std::string text_of(const RollingStudy& study) {
  using namespace rolling_keys;
  std::string text = rolling_keys::study().text(study).substr(1);
  if (study.composite_order) text += composite().text(study);
  text += system_text(*study.system, study.system->parameters, study.parameters);
  text += initial().text(study);
  if (study.tangent) text += tangent().text(study);
  text += contact().text(study) + epsilon_keys().text({study.epsilons}) + time().text(study);
  text += solvers().text(study);
  for (const auto& [name, own] : study.solvers.own) text += solver().text(own, "solvers." + name);
  text += output().text(study);
  for (const ExpectationSpec& e : study.expectations) text += expectation().text(e);
  for (const StepsSpec& e : study.steps) text += steps().text(e);
  for (const BoundSpec& b : study.bounds) text += bound().text(BoundTable(b));
  if (study.ensemble) text += ensemble_text(*study.ensemble);
  return text;
}

}  // namespace

std::string resolved_toml(const RollingStudy& study) {
  return study.tangent ? text_of(without_lift(study)) : text_of(study);
}

RollingStudy read_rolling_study(const TomlDocument& document, const SystemCatalogue& systems) {
  static const auto tables = tables_of_keys(tables_of_rolling_studies());
  Section root = document.root(tables);
  if (root.has("sweep"))
    root.fail("sweep", "this file is a sweep; run it with rigidlimit run FILE");
  refuse_friction(root);
  root = document.root(tables);  // the tables read above are not valid here
  for (const char* table : {"study", "system", "initial", "tangent", "contact", "epsilon", "time",
                            "solvers", "output", "composite", "expect", "bound", "ensemble"})
    root.has(table);
  root.finish();  // first, since the keys of a misspelt table would be reported as missing
  RollingStudy study = read_setting(root, systems);
  study.epsilons = read_epsilons(root.section("epsilon"));
  require_grids(root.section("time"), study);
  require_moved_start(root.section("contact"), study);
  GivenBegin begin;
  if (Section time = root.section("time"); time.has("after")) begin.take(time, study.after);
  for (Section& section : root.sections("expect")) {
    if (expects_steps(section)) {
      study.steps.push_back(read_steps_expectation(std::move(section), study));
      continue;
    }
    require_samples(section, study);
    study.expectations.push_back(read_expectation(std::move(section), study, begin));
  }
  require_prediction(root, study);
  for (Section& section : root.sections("bound")) {
    require_samples(section, study);
    std::ranges::move(read_bounds(std::move(section), study, begin),
                      std::back_inserter(study.bounds));
  }
  if (root.has("ensemble")) read_ensemble(root.section("ensemble"), study);
  return study;
}

RollingStudy read_rolling_study(const std::string& path, const std::vector<std::string>& overrides,
                                const SystemCatalogue& systems) {
  return read_rolling_study(TomlDocument::from_file(path, overrides, alternative_keys()), systems);
}

namespace {

void require_rolling_system(const Section& system, const Section& initial,
                            const RollingStudy& study) {
  try {
    check_system(study.model, study.system->info.name, study.initial);
  } catch (const InputError& error) {
    fail_in(system, initial, study.system->parameters, study.parameters, error.what());
  }
}

/// Rejects parameters of contacts that slip.
void refuse_contact_parameters(Section& section, const SystemEntry& entry) {
  for (const ParameterInfo& p : entry.contact_parameters)
    if (section.has(p.name))
      section.fail(p.name,
                   "is not used in a rolling study, whose contacts do not slip; remove it, or use "
                   "a friction study");
}

const char* sliding_text(const System& model) {
  return model.recorded->clock >= 0 ? "|G v + b|" : "|G v|";
}

/// A velocity, in its given units, with as few digits as roll: "[1.5, 0, 3]".
std::string shortest_text(const RollingStudy& study, const VectorXd& v) {
  constexpr int most = 17;
  const std::vector<Component>& components = study.system->info.velocities;
  const VectorXd rolling = given_values(visible(components), visible(components, v));
  for (int digits = 3; digits < most; ++digits) {
    InitialState rounded = study.initial;
    VectorXd given(rolling.size());
    std::vector<std::string> texts;
    for (Index k = 0; k < rolling.size(); ++k) {
      const bool is_noise = std::abs(rolling(k)) < 1e-15 * rolling.cwiseAbs().maxCoeff();
      texts.push_back(is_noise ? "0" : fmt::format("{:.{}g}", rolling(k), digits));
      given(k) = std::stod(texts.back());
    }
    rounded.v = completed(components, si_values(visible(components), given), study.initial.v);
    if (is_consistent(study.model, rounded)) return fmt::format("[{}]", fmt::join(texts, ", "));
  }
  return fmt::format("[{:.17g}]", fmt::join(rolling, ", "));
}

/// Rejects the start in a file of formulas that slides: a wrong sign in it would be another start,
/// and the start of a slipping contact is not one of rolling.
void refuse_sliding_text(Section& initial, Section system, const RollingStudy& study,
                         const VectorXd& rolling) {
  const double sliding = sliding_velocity(study.model, study.initial).cwiseAbs().maxCoeff();
  const bool rates = study.system->info.velocities.empty() || study.model.lagrange_coordinates;
  // A forgotten prime in a row makes the right start slide: doubts about formulas come first.
  const std::vector<std::string> doubts = study.system->warnings();
  const std::string slides = fmt::format(
      "{}the start of {} slides: {} = {:.6g} m/s, so rigid rolling cannot start there. {} "
      "the projected velocity, {} = {}, set initial.project = true, or give initial.v",
      doubts.empty() ? "" : fmt::format("{}; ", fmt::join(doubts, "; ")), study.system->info.name,
      sliding_text(study.model), sliding,
      doubts.empty() ? "Use" : "Correct the formula first. If it is right, use",
      rates ? "start_rate" : "start", shortest_text(study, rolling));
  if (initial.has("q")) initial.fail("q", slides);
  system.fail(system.has("file") ? "file" : rates ? "coordinates" : "velocities", slides);
}

/// The velocity of a start without initial.v, which is that of the system. If it slides, it is kept
/// with initial.project, refused if a file of formulas states it, and projected if an entry of the
/// catalogue has it: such a start rolls for the default parameters and at its own q only.
void take_default_velocity(Section& initial, const Section& system, RollingStudy& study) {
  const VectorXd rolling = rigid_start(study).v;
  if (!rolling.allFinite() || !study.initial.v.allFinite()) return;  // refused by check_system()
  if (!is_consistent(study.model, study.initial)) {
    if (study.project) return;
    if (!study.system->definition.empty()) refuse_sliding_text(initial, system, study, rolling);
    study.projected_default = study.initial.v;
  }
  study.initial.v = rolling;
}

}  // namespace

void read_system(Section section, const SystemCatalogue& systems, RollingStudy& study) {
  study.system = chosen_system(section, systems, &SystemEntry::rolls);
  refuse_contact_parameters(section, *study.system);
  study.parameters = read_parameters(section, study.system->parameters);
  section.finish();
  study.model = made_of(section, study.parameters, study.system->make);
}

namespace {

/// The first joint that is open at q, by its place in g: its position exceeds the rounding of the
/// coordinates, a change of each by 1e-9 of its size. Empty: all are closed.
std::optional<Index> open_joint(const System& model, const VectorXd& q) {
  constexpr double share = 1e-9;
  const VectorXd g = joint_positions<double>(model, q);
  VectorXd bar = VectorXd::Constant(model.np, 1e-14);
  for (Index i = 0; i < model.nq; ++i) {
    VectorXd other = q;
    other(i) += share * std::abs(q(i));
    bar += (joint_positions<double>(model, other) - g).cwiseAbs();
  }
  for (Index i = 0; i < model.np; ++i)
    if (!(std::abs(g(i)) <= bar(i))) return i;
  return std::nullopt;
}

/// A joint starts closed: a spring with a fixed gap at the start has no limit, as the velocity
/// along the joint grows like 1/ε. An open start is refused, or replaced by the nearest closed one
/// with initial.project_position.
void close_joints(Section& section, const Section& system, RollingStudy& study) {
  const System& model = study.model;
  const std::optional<Index> open = open_joint(model, study.initial.q);
  if (!open) return;
  const std::vector<Component>& components = study.system->info.coordinates;
  const auto row = static_cast<std::size_t>(model.m - model.np + *open);
  std::string text = fmt::format(
      "the joint \"{}\" is open at the start: its constraint_position is {:.6g} there, and must be "
      "0",
      study.system->info.contacts[row].name,
      joint_positions<double>(model, study.initial.q)(*open));
  const auto closed = coordinates_with<double>(model, study.initial.q, VectorXd::Zero(model.np));
  if (closed && study.project_position) {
    study.open_start = study.initial.q;
    study.initial.q = *closed;
    require_ranges(section, system, study.initial, study.system->info, study.system->parameters,
                   study.parameters);
    return;
  }
  if (study.project_position)
    text += ". The projection of initial.project_position does not converge from here";
  else if (closed)
    text += fmt::format(
        ". The nearest closed start is q = [{:.17g}]; initial.project_position = true takes it",
        fmt::join(given_values(visible(components), visible(components, *closed)), ", "));
  fail_in(system, section, study.system->parameters, study.parameters, text);
}

}  // namespace

void read_initial(Section section, const Section& system, RollingStudy& study) {
  const SystemInfo& info = study.system->info;
  study.initial = study.system->start(study.parameters);
  rolling_keys::initial().read(section, study);
  section.finish();
  require_ranges(section, system, study.initial, info, study.system->parameters, study.parameters);
  close_joints(section, system, study);

  try {
    study.contacts = contact_basis(study.model, study.initial.q);
  } catch (const NearlyDependentRows& rows) {
    const auto name = [&](Index i) {
      return fmt::format("\"{}\"", info.contacts[static_cast<std::size_t>(i)].name);
    };
    fail_in(system, section, study.system->parameters, study.parameters,
            rows.text(name(rows.first), name(rows.second)));
  } catch (const InputError& error) {
    fail_in(system, section, study.system->parameters, study.parameters, error.what());
  }
  if (!section.has("v")) take_default_velocity(section, system, study);
  require_rolling_system(system, section, study);
  VectorXd restoring(study.model.nq);
  rigid_model(study.model).in<double>().restoring_rate(study.initial.q, restoring);
  if (!restoring.allFinite())
    fail_in(system, section, study.system->parameters, study.parameters,
            "the invariants, gaps and positions of joints that stay zero are linearly dependent "
            "here");
  const auto kkt =
      solve_kkt<double>(study.model, study.contacts, study.initial.q, study.initial.v, 0.0);
  if (!kkt.multiplier.allFinite())
    fail_in(system, section, study.system->parameters, study.parameters,
            "the accelerations of this start are not finite");
  const double sliding = sliding_velocity(study.model, study.initial).cwiseAbs().maxCoeff();
  if (study.project || is_consistent(study.model, study.initial)) return;
  section.fail(
      "v",
      fmt::format("slides: {} = {:.6g} m/s, so rigid rolling cannot start here. Write v = "
                  "{}, the projected velocity, or set initial.project = true: the rigid "
                  "motion then starts from the projection and the compliant motion from v as given",
                  sliding_text(study.model), sliding, shortest_text(study, rigid_start(study).v)));
}

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
                         .unit = c.unit,
                         .is_clock = c.is_clock};
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
  info.positions.clear();  // a difference of motions has no position
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
  if (moves_start(study))
    section.fail(
        "",
        "is not valid for contact.preparation = \"prepared\" of constraint_position, whose "
        "q(0) depends on epsilon");
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
        family_of(*study.system, study.parameters, {at}),
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
