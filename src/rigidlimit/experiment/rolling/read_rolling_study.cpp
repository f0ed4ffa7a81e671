#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/experiment/rolling/read_claims.hpp"
#include "rigidlimit/experiment/rolling/read_initial.hpp"
#include "rigidlimit/experiment/rolling/read_tangent.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

namespace {

void read_contact(Section section, RollingStudy& study) {
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

void read_solvers(Section section, RollingStudy& study) {
  rolling_keys::solvers().read(section, study);
  if (!study.system->has_closed_form && std::ranges::count(study.solvers.rigid, "closed_form") > 0)
    section.fail("rigid", fmt::format("{} has no closed form", study.system->info.name));
  require_steps(section, study.solvers);
  require_precision(section, study);
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
  read_contact(root.section("contact"), study);
  if (root.has("tangent")) read_tangent(root.section("tangent"), study);
  rolling_keys::time().read_whole(root.section("time"), study);
  read_solvers(root.section("solvers"), study);
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
  text += contact().text(study) + epsilon().text(study) + time().text(study);
  text += solvers().text(study);
  for (const auto& [name, own] : study.solvers.own) text += solver().text(own, "solvers." + name);
  text += output().text(study);
  for (const ExpectationSpec& e : study.expectations) text += expectation().text(e);
  for (const StepsSpec& e : study.steps) text += steps().text(e);
  for (const BoundSpec& b : study.bounds) text += bound().text(b);
  return text;
}

}  // namespace

std::string resolved_toml(const RollingStudy& study) {
  return study.tangent ? text_of(without_lift(study)) : text_of(study);
}

RollingStudy read_rolling_study(const TomlDocument& document, const SystemCatalogue& systems) {
  Section root = document.root();
  if (root.has("sweep"))
    root.fail("sweep", "this file is a sweep; run it with rigidlimit run FILE");
  refuse_friction(root);
  root = document.root();  // the tables read above are not valid here
  for (const char* table : {"study", "system", "initial", "tangent", "contact", "epsilon", "time",
                            "solvers", "output", "composite", "expect", "bound"})
    root.has(table);
  root.finish();  // first, since the keys of a misspelt table would be reported as missing
  RollingStudy study = read_setting(root, systems);
  study.epsilons = read_epsilons(root.section("epsilon"));
  require_grids(root.section("time"), study);
  bool cut_known = root.section("time").has("after");
  for (Section& section : root.sections("expect")) {
    if (expects_steps(section)) {
      study.steps.push_back(read_steps_expectation(std::move(section), study));
      continue;
    }
    require_samples(section, study);
    study.expectations.push_back(read_expectation(std::move(section), study, cut_known));
  }
  require_prediction(root, study);
  for (Section& section : root.sections("bound")) {
    require_samples(section, study);
    std::ranges::move(read_bounds(std::move(section), study, cut_known),
                      std::back_inserter(study.bounds));
  }
  return study;
}

RollingStudy read_rolling_study(const std::string& path, const std::vector<std::string>& overrides,
                                const SystemCatalogue& systems) {
  return read_rolling_study(TomlDocument::from_file(path, overrides, alternative_keys()), systems);
}

}  // namespace rigidlimit
