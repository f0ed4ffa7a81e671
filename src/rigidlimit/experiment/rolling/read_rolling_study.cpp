#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/quad_side.hpp"
#include "rigidlimit/experiment/rolling/read_bounds.hpp"
#include "rigidlimit/experiment/rolling/read_contact.hpp"
#include "rigidlimit/experiment/rolling/read_expectation.hpp"
#include "rigidlimit/experiment/rolling/read_system.hpp"
#include "rigidlimit/experiment/rolling/read_tangent.hpp"
#include "rigidlimit/experiment/rolling/series_terms.hpp"
#include "rigidlimit/experiment/spec/geometric_values.hpp"
#include "rigidlimit/experiment/spec/read_name.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

void read_identity(Section section, RollingStudy& study) {
  study.name = read_directory_name(section, {"name", "", "directory of the results"});
  study.question = section.text({"question", "", "question that the results answer"}, "");
  study.source = section.text({"source", "", "source of the setting"}, "");
  study.against =
      section.choice(
          {"against", "", "limit: the rigid motion, or with its asymptotic expansion added"},
          {"rigid", "composite"}, "rigid") == "composite"
          ? Against::composite
          : Against::rigid;
  section.finish();
}

}  // namespace

std::vector<double> read_epsilons(Section section) {
  std::vector<double> values;
  if (section.has("values")) {
    for (const char* other : {"from", "to", "count"})
      if (section.has(other))
        section.fail(other, "conflicts with values; give either values, or from, to and count");
    values = section.numbers(
        Key{"values", "1", "values of epsilon"}.otherwise("needed: values, or from, to and count"),
        valid_epsilon);
  } else {
    values = read_geometric_values(section, valid_epsilon, "1");
  }
  section.finish();
  std::ranges::sort(values, std::greater{});
  if (std::ranges::adjacent_find(values) != values.end())
    section.fail(section.has("values") ? "values" : "to", "an epsilon occurs twice");
  return values;
}

namespace {

void read_time(Section section, RollingStudy& study) {
  TimeGrid& grid = study.time;
  grid.end = section.number({"end", "s", "end T of the motion"}, valid_time, std::nullopt);
  grid.stretch = section.number({"stretch", "1", "s in the interval [0, T eps^-s]; 1: long times"},
                                {.low = 0.0, .high = 2.0}, grid.stretch);
  grid.samples = static_cast<int>(
      section.count({"samples", "", "uniform samples on [0, T], both ends included"},
                    {2, 1'000'000}, grid.samples));
  grid.layer_samples = static_cast<int>(
      section.count({"layer_samples", "", "samples on the initial layer 0 <= t <= layer_width eps"},
                    {2, 1'000'000}, grid.layer_samples));
  grid.layer_width =
      section.number({"layer_width", "1", "width of the initial layer in units of eps"},
                     {.low = 0.0, .high = 1e6, .low_open = true}, grid.layer_width);
  grid.end_only = section.choice({"grid", "", "\"end\": only 0 and T, for claims on steps alone"},
                                 {"layered", "end"}, "layered") == "end";
  // A quarter of the interval exceeds every layer of a small ε and leaves most of the motion.
  study.after = section.number(Key{"after", "s", "the window \"after\" is t > after"}
                                   .valid(">= 0 and < end")
                                   .otherwise("end/4"),
                               {.low = 0.0, .high = grid.end, .high_open = true}, 0.25 * grid.end);
  section.finish();
}

Formulation read_formulation(Section& section, const Key& declared, const ContactSpec& contact,
                             Formulation otherwise) {
  if (section.has("formulation") && !keys_of(contact).preparation)
    section.fail(
        "formulation",
        fmt::format("is not used by contact.law = {}, which is always solved in (q, v); remove it",
                    names_of_laws(contact)));
  return section.choice(declared, {"natural", "adapted"}, name_of(otherwise)) == "adapted"
             ? Formulation::adapted
             : Formulation::natural;
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
void read_precision(Section& section, const RollingStudy& study, SolverSpec& s) {
  if (section.choice({"precision", "", "\"quad\": 113 bits, radau_iia on both sides"},
                     {"double", "quad"}, name_of(s.precision)) == "double")
    return;
  s.precision = Precision::binary128;
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
void read_steps(Section& section, SolverSpec& s) {
  if (!section.has("steps")) return;
  s.steps = section.count(
      Key{"steps", "", "equal steps in place of tolerances, for methods with equal steps"}
          .otherwise("none"),
      {1, 100'000'000}, std::nullopt);
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

/// Checks that no compliant solver would be replaced by another method: a row must name its solver.
void require_forms(Section& section, const RollingStudy& study) {
  for (const std::string& law : study.contact.laws)
    for (const std::string& name : study.solvers.compliant)
      if (const std::string refusal = refusal_of(study, *find_law(law), name); !refusal.empty())
        section.fail("compliant", refusal + "; see 'rigidlimit list solvers'");
}

void read_solvers(Section section, RollingStudy& study) {
  SolverSpec& s = study.solvers;
  s.rigid = section.choices(
      {"rigid", "", "solvers of the rigid motion, which are compared: `list solvers`"},
      names_of_rigid_solvers(), s.rigid);
  s.compliant = section.choices(
      {"compliant", "", "solvers of the compliant motions, which are compared: `list solvers`"},
      names_of_compliant_solvers(), s.compliant);
  if (!study.system->has_closed_form && std::ranges::count(s.rigid, "closed_form") > 0)
    section.fail("rigid", fmt::format("{} has no closed form", study.system->info.name));
  const Range tolerance{.low = 0.0, .high = 0.1, .low_open = true};
  s.rtol = section.number({"rtol", "1", "relative tolerance of the compliant solves"}, tolerance,
                          s.rtol);
  s.atol = section.number({"atol", "SI", "absolute tolerance, of each component in its unit"},
                          tolerance, s.atol);
  // One rigid solve serves every ε, so it may cost more.
  s.rigid_rtol = section.number(
      Key{"rigid_rtol", "1", "relative tolerance of the rigid solves"}.otherwise("rtol/10"),
      tolerance, 0.1 * s.rtol);
  s.rigid_atol = section.number(
      Key{"rigid_atol", "SI", "absolute tolerance of the rigid solves"}.otherwise("atol/10"),
      tolerance, 0.1 * s.atol);
  s.reference_rtol = section.number(
      Key{"reference_rtol", "1", "relative tolerance of the independent rigid reference"}.otherwise(
          "1e-13, at most rigid_rtol"),
      tolerance, std::min(s.reference_rtol, s.rigid_rtol));
  s.reference_atol =
      section.number(Key{"reference_atol", "SI", "absolute tolerance of that reference"}.otherwise(
                         "1e-15, at most rigid_atol"),
                     tolerance, std::min(s.reference_atol, s.rigid_atol));
  s.tighten =
      section.number({"tighten", "1", "tolerance factor of the second solve, for the solver error"},
                     {.low = 0.0, .high = 0.2, .low_open = true}, s.tighten);
  s.max_steps = section.count({"max_steps", "", "steps of one solve; beyond it the row has failed"},
                              {1, 1'000'000'000}, s.max_steps);
  s.formulation =
      read_formulation(section, {"formulation", "", "variables: (q, v, eta), or (q, u, w, eta)"},
                       study.contact, s.formulation);
  read_steps(section, s);
  read_precision(section, study, s);
  for (const std::string& name : names_of_compliant_solvers()) {
    if (!section.has(name)) continue;
    Section own = section.section(name, "solvers.NAME");
    const CompliantSettings given{
        .tolerance = {.rtol = own.number(
                          Key{"rtol", "1", "relative tolerance of the compliant solver NAME"}
                              .otherwise("that of [solvers]"),
                          tolerance, s.rtol),
                      .atol = own.number(
                          Key{"atol", "SI", "absolute tolerance of this solver"}.otherwise(
                              "that of [solvers]"),
                          tolerance, s.atol)},
        .formulation =
            read_formulation(own,
                             Key{"formulation", "", "variables of this solver"}.otherwise(
                                 "that of [solvers]; own methods: natural"),
                             study.contact, formulation_for(name, section, study.contact, s))};
    own.finish();
    // The table of a solver that --set solvers.compliant left out is checked but unused.
    if (std::ranges::count(s.compliant, name) > 0) s.own[name] = given;
  }
  for (const std::string& name : s.compliant)
    if (const Formulation own = formulation_for(name, section, study.contact, s);
        own != s.formulation)
      s.own.try_emplace(name, CompliantSettings{{s.rtol, s.atol}, own});
  require_forms(section, study);
  section.finish();
}

void read_composite(Section section, RollingStudy& study) {
  if (section.has("order") && study.against != Against::composite)
    section.fail("order", "needs study.against = \"composite\"");
  if (study.against == Against::composite)  // The next order gives the predicted remainder.
    study.composite_order = static_cast<int>(section.count(
        {"order", "", "highest power of epsilon in the composite: its remainder is one higher"},
        {0, highest_order - 1}, 2));
  section.finish();
}

void read_output(Section section, RollingStudy& study) {
  const std::string kept = section.choice(
      {"samples", "",
       "motions that the store keeps; \"auto\": all of up to 200 pairs, else those of figures"},
      {"auto", "all", "none"}, "auto");
  for (const KeptSamples one : {KeptSamples::automatic, KeptSamples::all, KeptSamples::none})
    if (kept == name_of(one)) study.kept_samples = one;
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
  read_identity(root.section("study"), study);
  read_system(root.section("system"), systems, study);
  require_used_friction(root);
  read_initial(root.section("initial"), root.section("system"), study);
  read_contact(root.section("contact"), study);
  if (root.has("tangent")) read_tangent(root.section("tangent"), study);
  read_time(root.section("time"), study);
  read_solvers(root.section("solvers"), study);
  read_output(root.section("output"), study);
  read_composite(root.section("composite"), study);
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

}  // namespace

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

const Alternatives& alternative_keys() {
  static const Alternatives alternatives{
      {"epsilon.values", {"epsilon.from", "epsilon.to", "epsilon.count"}},
      {"epsilon.from", {"epsilon.values"}},
      {"contact.damping", {"contact.damping_ratio"}},
      {"contact.damping_ratio", {"contact.damping"}},
      {"contact.deflection", {"contact.preparation"}},
      {"contact.preparation", {"contact.deflection"}}};
  return alternatives;
}

RollingStudy read_rolling_study(const std::string& path, const std::vector<std::string>& overrides,
                                const SystemCatalogue& systems) {
  return read_rolling_study(TomlDocument::from_file(path, overrides, alternative_keys()), systems);
}

}  // namespace rigidlimit
