#include "rigidlimit/experiment/friction/read_friction_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/read_friction_parts.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/read_system.hpp"
#include "rigidlimit/experiment/spec/read_name.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

void read_identity(Section section, FrictionStudy& study) {
  study.name = read_directory_name(section, {"name", "", "directory of the results"});
  study.question = section.text({"question", "", "question that the results answer"}, "");
  study.source = section.text({"source", "", "source of the setting"}, "");
  section.finish();
}

void read_system(Section section, const SystemCatalogue& systems, FrictionStudy& study) {
  study.system = chosen_system(section, systems, &SystemEntry::slips);
  study.parameters = read_parameters(section, study.system->frictional_parameters());
  section.finish();
  try {
    study.model = study.system->make_frictional(study.parameters);
  } catch (const InputError& error) {
    if (!error.where().empty()) throw;  // of a formula
    section.fail("", error.what());
  }
}

/// Rejects unusable parameters here, where the message can name the unusual one.
void require_sound_system(const Section& system, const Section& initial,
                          const FrictionStudy& study) {
  try {
    check_system(study.model.smooth, study.system->info.name,
                 {study.initial.q, VectorXd::Zero(study.model.smooth.n)});
  } catch (const InputError& error) {
    fail_in(system, initial, study.system->frictional_parameters(), study.parameters, error.what());
  }
}

void read_initial(Section section, const Section& system, FrictionStudy& study) {
  const SystemInfo& info = study.system->info;
  const InitialState otherwise = study.system->frictional_start(study.parameters);
  study.initial.q =
      section.vector(Key{"q", "SI", "coordinates at t = 0"}.otherwise("start of the system"),
                     info.coordinates, otherwise.q);
  study.initial.v = section.vector(
      Key{"v", "SI", "velocities at t = 0; they may slide"}.otherwise("start of the system"),
      info.velocities, otherwise.v);
  section.finish();
  require_ranges(section, system, study.initial, info, study.system->frictional_parameters(),
                 study.parameters);
  require_sound_system(system, section, study);
}

void read_time(Section section, FrictionStudy& study) {
  FrictionTime& time = study.time;
  time.end = section.number({"end", "s", "end T of the motion"}, valid_time, std::nullopt);
  time.samples = static_cast<int>(
      section.count({"samples", "", "uniform samples on [0, T], both ends included"}, {2, 100'000},
                    time.samples));
  time.layer_per_decade = static_cast<int>(
      section.count({"layer_per_decade", "",
                     "samples in a decade of the distance to the start and to every event"},
                    {1, 1000}, time.layer_per_decade));
  time.layer_width = section.number(
      {"layer_width", "1", "largest of these distances, in eps; the smallest is 1e-9 s"},
      {.low = 1.0, .high = 1e6}, time.layer_width);
  time.compared = section.number(
      Key{"compared", "s", "compliant motions are compared up to here; 0: modes only"}
          .valid(">= 0 and <= end")
          .otherwise("end"),
      {.low = 0.0, .high = time.end}, time.end);
  // A hundredth of the interval exceeds the duration of every contact for the smaller half of the
  // ε.
  time.margin = section.number(Key{"margin", "s", "distance of the window \"away\" from events"}
                                   .valid(">= 0 and < end")
                                   .otherwise("end/100"),
                               {.low = 0.0, .high = time.end, .high_open = true}, 0.01 * time.end);
  time.until_stop = section.flag(
      {"until_stop", "", "compare a rigid motion that ends early up to its end"}, time.until_stop);
  time.matched_events = static_cast<int>(
      section.count({"matched_events", "", "rigid events searched for in compliant motions"},
                    {0, 10'000}, time.matched_events));
  section.finish();
}

/// The compliant problem has a single form: methods that need another one are rejected.
std::vector<std::string> names_of_friction_solvers() {
  std::vector<std::string> names;
  for (const OdeMethod& method : ode_methods())
    if (!needs_a_form(method)) names.emplace_back(method.name);
  return names;
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

bool has_closed_history(const FrictionStudy& study) {
  return study.model.closed_history && study.model.closed_history(study.initial, {study.time.end});
}

void read_solvers(Section section, FrictionStudy& study) {
  constexpr Range tolerance{.low = 1e-16, .high = 1.0, .high_open = true};
  FrictionSolvers& s = study.solvers;
  s.compliant = section.choice_or_choices(
      {"compliant", "", "methods of the compliant motions, which are compared: `list solvers`"},
      names_of_friction_solvers(), s.compliant);
  s.locate_kinks = section.flag(
      {"locate_kinks", "", "false: methods step across kinks, and compliant events have no times"},
      s.locate_kinks);
  require_roots(section, s);
  s.rtol = section.number({"rtol", "1", "relative tolerance of the compliant solves"}, tolerance,
                          s.rtol);
  s.atol = section.number({"atol", "SI", "absolute tolerance, of each component in its unit"},
                          {.low = 1e-300, .high = 1.0}, s.atol);
  s.tighten =
      section.number({"tighten", "1", "tolerance factor of the second solve, for the solver error"},
                     {.low = 1e-3, .high = 0.5}, s.tighten);
  s.max_steps = section.count({"max_steps", "", "steps of one solve; beyond it the row has failed"},
                              {1, 1'000'000'000}, s.max_steps);
  const bool closed = has_closed_history(study);
  const std::string reference =
      section.choice(Key{"reference", "", "reference of the compliant motions"}.otherwise(
                         "\"closed_form\" if the start has one, else \"event_driven\""),
                     {"closed_form", "event_driven"}, closed ? "closed_form" : "event_driven");
  if (reference == "closed_form" && !closed)
    section.fail("reference", fmt::format("{} has no closed-form history from this start with "
                                          "these parameters; use \"event_driven\"",
                                          study.system->info.name));
  s.reference = reference == "closed_form" ? FrictionSolvers::Reference::closed_form
                                           : FrictionSolvers::Reference::event_driven;
  s.rigid_rtol =
      section.number({"rigid_rtol", "1", "relative tolerance of the event-driven motion"},
                     tolerance, s.rigid_rtol);
  s.rigid_atol =
      section.number({"rigid_atol", "SI", "absolute tolerance of the event-driven motion"},
                     {.low = 1e-300, .high = 1.0}, s.rigid_atol);
  s.rigid_max_steps = section.count({"rigid_max_steps", "", "steps of the event-driven motion"},
                                    {1, 1'000'000'000}, s.rigid_max_steps);
  if (section.has_empty_list("moreau_jean")) {
    s.moreau_jean.clear();
  } else if (section.has("moreau_jean")) {
    s.moreau_jean =
        section.numbers(Key{"moreau_jean", "s", "steps of the independent rigid motions; []: none"}
                            .valid("list, each >= end/1e7 and <= end")
                            .otherwise("end/1000, end/2000, end/4000"),
                        {.low = 1e-7 * study.time.end, .high = study.time.end});
    double steps = 0.0;
    for (const double h : s.moreau_jean) steps += study.time.end / h;
    constexpr double most = 1e8;  // a quarter of an hour, at ten microseconds each
    if (steps > most)
      section.fail("moreau_jean",
                   fmt::format("need {:.3g} steps in total; the limit is {:.0e}", steps, most));
    std::ranges::sort(s.moreau_jean, std::greater{});
    if (std::ranges::adjacent_find(s.moreau_jean) != s.moreau_jean.end())
      section.fail("moreau_jean", "a step occurs twice");
  } else {
    for (const double part : {1e-3, 5e-4, 2.5e-4}) s.moreau_jean.push_back(part * study.time.end);
  }
  section.finish();
}

}  // namespace

namespace {

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
  Section root = document.root();
  for (const char* table : {"study", "system", "initial", "contact", "epsilon", "time", "solvers",
                            "inequality", "history", "expect"})
    root.has(table);
  root.finish();
  FrictionStudy study;
  read_identity(root.section("study"), study);
  read_system(root.section("system"), systems, study);
  read_initial(root.section("initial"), root.section("system"), study);
  read_friction_contact(root.section("contact"), study);
  if (root.has("epsilon")) study.epsilons = read_epsilons(root.section("epsilon"));
  read_time(root.section("time"), study);
  read_solvers(root.section("solvers"), study);
  require_grid(root.section("time"), study);
  Section inequality = root.section("inequality");
  study.inequality_draws =
      inequality.count({"draws", "", "random virtual velocities for each sample; 0: no check"},
                       {0, 100'000}, study.inequality_draws);
  inequality.finish();
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

FrictionStudy read_friction_study(const std::string& path,
                                  const std::vector<std::string>& overrides,
                                  const SystemCatalogue& systems) {
  return read_friction_study(TomlDocument::from_file(path, overrides, alternative_keys()), systems);
}

}  // namespace rigidlimit
