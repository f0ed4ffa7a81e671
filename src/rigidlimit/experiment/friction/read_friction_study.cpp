#include "rigidlimit/experiment/friction/read_friction_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/friction_keys.hpp"
#include "rigidlimit/experiment/friction/read_friction_claims.hpp"
#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

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
  study.initial = study.system->frictional_start(study.parameters);
  friction_keys::initial().read(section, study);
  section.finish();
  require_ranges(section, system, study.initial, info, study.system->frictional_parameters(),
                 study.parameters);
  require_sound_system(system, section, study);
}

/// One number per contact, or one for all.
VectorXd read_stiffness(Section& section, const std::string& key, Index contacts) {
  const MatrixXd given =
      section.matrix(key, contacts, MatrixXd(MatrixXd::Identity(contacts, contacts)));
  VectorXd values = given.diagonal();
  if (!section.has(key)) return values;
  if (!given.isDiagonal(0.0) || !(values.array() > 0.0).all())
    section.fail(key, "must be one positive number, or a list with one per contact");
  for (const double value : values)
    if (!positive_magnitude.contains(value))
      section.fail(key, fmt::format("must be {}", positive_magnitude.text()));
  return values;
}

std::vector<double> read_powers(Section& section) {
  if (!section.has("tangential_power")) return {1.0};
  std::vector<double> powers = section.numbers("tangential_power", {.low = 0.5, .high = 4.0});
  std::ranges::sort(powers);
  if (std::ranges::adjacent_find(powers) != powers.end())
    section.fail("tangential_power", "a value occurs twice");
  return powers;
}

void read_contact(Section section, FrictionStudy& study) {
  using Friction = FrictionalLaw::Friction;
  FrictionContact& contact = study.contact;
  const std::vector<std::string> frictions = section.choice_or_choices(
      "friction", {name_of(Friction::projected), name_of(Friction::regularised)}, {{"projected"}});
  const std::vector<double> powers = read_powers(section);
  contact.laws.clear();
  for (const std::string& word : frictions) {
    if (word == name_of(Friction::projected))
      for (const double power : powers) contact.laws.push_back({Friction::projected, power});
    else
      contact.laws.push_back({Friction::regularised, 1.0});
  }
  const Index nc = study.model.nc();
  contact.tangential_stiffness = read_stiffness(section, "tangential_stiffness", nc);
  contact.normal_stiffness = read_stiffness(section, "normal_stiffness", nc);
  friction_keys::contact().read(section, study);
  section.finish();
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

void read_moreau_jean(Section& section, FrictionStudy& study) {
  std::vector<double>& all = study.solvers.moreau_jean;
  const double end = study.time.end;
  if (!section.has("moreau_jean")) {
    for (const double part : {1e-3, 5e-4, 2.5e-4}) all.push_back(part * end);
    return;
  }
  if (section.has_empty_list("moreau_jean")) return;
  all = section.numbers("moreau_jean", {.low = 1e-7 * end, .high = end});
  double steps = 0.0;
  for (const double h : all) steps += end / h;
  constexpr double most = 1e8;  // a quarter of an hour, at ten microseconds each
  if (steps > most)
    section.fail("moreau_jean",
                 fmt::format("need {:.3g} steps in total; the limit is {:.0e}", steps, most));
  std::ranges::sort(all, std::greater{});
  if (std::ranges::adjacent_find(all) != all.end())
    section.fail("moreau_jean", "a step occurs twice");
}

void read_solvers(Section section, FrictionStudy& study) {
  friction_keys::solvers().read(section, study);
  require_roots(section, study.solvers);
  read_moreau_jean(section, study);
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
  Section root = document.root();
  for (const char* table : {"study", "system", "initial", "contact", "epsilon", "time", "solvers",
                            "inequality", "history", "expect"})
    root.has(table);
  root.finish();
  FrictionStudy study;
  friction_keys::study().read_whole(root.section("study"), study);
  read_system(root.section("system"), systems, study);
  read_initial(root.section("initial"), root.section("system"), study);
  read_contact(root.section("contact"), study);
  if (root.has("epsilon")) study.epsilons = read_epsilons(root.section("epsilon"));
  friction_keys::time().read_whole(root.section("time"), study);
  read_solvers(root.section("solvers"), study);
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
  if (!study.epsilons.empty()) text += epsilon().text(study);
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

}  // namespace rigidlimit
