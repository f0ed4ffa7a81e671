#include "rigidlimit/experiment/rolling/read_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/read_system_text.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

void fail_in(const Section& system, const Section& initial,
             const std::vector<ParameterInfo>& parameters, const std::vector<double>& values,
             const std::string& what) {
  const ParameterInfo* suspect = unusual_parameter(parameters, values);
  if (!suspect) initial.fail("", what);
  system.fail(suspect->name, fmt::format("{}; this parameter is far from its default, {}", what,
                                         suspect->default_value));
}

void require_ranges(Section& initial, const Section& system, const InitialState& start,
                    const SystemInfo& info, const std::vector<ParameterInfo>& parameters,
                    const std::vector<double>& values) {
  for (const auto& [key, components, x] : {std::tuple("q", &info.coordinates, &start.q),
                                           std::tuple("v", &info.velocities, &start.v)}) {
    const std::string fault = fault_in(*components, *x);
    if (fault.empty()) continue;
    if (initial.has(key)) initial.fail(key, fault);
    fail_in(system, initial, parameters, values, "the start is out of range: " + fault);
  }
}

namespace {

void require_sound_system(const Section& system, const Section& initial,
                          const RollingStudy& study) {
  try {
    check_system(study.model, study.system->info.name, study.initial);
  } catch (const InputError& error) {
    fail_in(system, initial, study.system->parameters, study.parameters, error.what());
  }
}

/// The two contact rows of the smallest angle, if it is below 1e-6 rad: their KKT matrix is
/// singular to rounding. Empty: there are none.
std::string nearly_equal_rows(const RollingStudy& study) {
  constexpr double least = 1e-6;
  MatrixXd rows(study.model.ne + study.model.m, study.model.n);
  study.model.in<double>().constraints(study.initial.q, rows);
  const MatrixXd G = rows.bottomRows(study.model.m).rowwise().normalized();
  Index a = 0, b = 0;
  double smallest = least;
  for (Index i = 0; i < G.rows(); ++i)
    for (Index k = i + 1; k < G.rows(); ++k) {
      const double angle = std::min((G.row(i) - G.row(k)).norm(), (G.row(i) + G.row(k)).norm());
      if (angle >= smallest) continue;
      smallest = angle;
      a = i;
      b = k;
    }
  if (a == b) return {};
  const auto name = [&](Index i) {
    return study.system->info.contacts[static_cast<std::size_t>(i)].name;
  };
  return fmt::format(
      ": the contact rows \"{}\" and \"{}\" almost coincide (as unit vectors they differ by "
      "{:.2g}, "
      "the smallest singular value of both is {:.2g}). Remove one of them or set them equal: equal "
      "rows share their force",
      name(a), name(b), smallest, smallest / std::sqrt(2.0));
}

/// Why a system does not support the study, and which kind of study it supports.
std::string refusal_of(const SystemEntry& entry, bool (SystemEntry::*can)() const) {
  if ((entry.*can)()) return {};
  if (can == &SystemEntry::slips)
    return "defines neither normal forces nor friction: its contacts only roll; use a rolling "
           "study";
  return fmt::format(
      "cannot roll: {}; use a friction study",
      why_not_held(entry.make_frictional(entry.frictional_default_values()).contacts));
}

/// Rejects parameters of contacts that slip.
void refuse_contact_parameters(Section& section, const SystemEntry& entry) {
  for (const ParameterInfo& p : entry.contact_parameters)
    if (section.has(p.name))
      section.fail(p.name,
                   "is not used in a rolling study, whose contacts do not slip; remove it, or use "
                   "a friction study");
}

/// Checks that the start in a file of formulas rolls: a wrong sign in it would be another start,
/// and the start of a slipping contact is not one of rolling.
void require_rolling_start(Section system, const RollingStudy& study, const InitialState& stated) {
  if (study.system->definition.empty() || !stated.q.allFinite() || !stated.v.allFinite() ||
      is_consistent(study.model, stated))
    return;
  const ContactBasis contacts = contact_basis(study.model, stated.q);
  const VectorXd rolling = projected_velocity<double>(study.model, contacts, stated.q, stated.v);
  if (!rolling.allFinite()) return;
  const double sliding = sliding_velocity(study.model, stated).cwiseAbs().maxCoeff();
  const bool rates = study.system->info.velocities.empty() || study.model.lagrange_coordinates;
  system.fail(
      system.has("file") ? "file"
      : rates            ? "coordinates"
                         : "velocities",
      fmt::format(
          "the start of {} slides: |G v| = {:.6g} m/s, so rigid rolling cannot start there. Use "
          "the projected velocity, {} = [{:.17g}], set initial.project = true, or give initial.v",
          study.system->info.name, sliding, rates ? "start_rate" : "start",
          fmt::join(rolling, ", ")));
}

}  // namespace

std::shared_ptr<const SystemEntry> chosen_system(Section& section, const SystemCatalogue& systems,
                                                 bool (SystemEntry::*can)() const) {
  check_catalogue(systems);
  std::shared_ptr<const SystemEntry> entry;
  section.declare({"file", "", "TOML file of a system, in place of the name"}, "file path", "none");
  if (is_written(section)) {
    entry = written_system(section, systems);
  } else {
    const std::string name = section.has("name")
                                 ? section.text({"name", "",
                                                 "system of the catalogue: `list systems`; its "
                                                 "parameters follow (`describe NAME`)"},
                                                std::nullopt)
                                 : "";
    // An entry of the catalogue, which outlives the study.
    entry = {std::shared_ptr<void>(), find_system(systems, name)};
    if (!entry) section.choice("name", names_of(systems, can), std::nullopt);  // throws
  }
  const std::string refusal = refusal_of(*entry, can);
  if (!refusal.empty()) section.fail(section.has("file") ? "file" : "name", refusal);
  return entry;
}

std::vector<double> read_parameters(Section& section,
                                    const std::vector<ParameterInfo>& parameters) {
  std::vector<double> values;
  for (const ParameterInfo& p : parameters)
    values.push_back(section.number(p.name, valid_range(p.range), p.default_value));
  return values;
}

void read_system(Section section, const SystemCatalogue& systems, RollingStudy& study) {
  study.system = chosen_system(section, systems, &SystemEntry::rolls);
  refuse_contact_parameters(section, *study.system);
  study.parameters = read_parameters(section, study.system->parameters);
  study.model = study.system->make(study.parameters);
  section.finish();
}

void read_initial(Section section, const Section& system, RollingStudy& study) {
  const SystemInfo& info = study.system->info;
  const InitialState otherwise = study.system->start(study.parameters);
  study.initial.q =
      section.vector(Key{"q", "SI", "coordinates at t = 0"}.otherwise("start of the system"),
                     info.coordinates, otherwise.q);
  study.initial.v =
      section.vector(Key{"v", "SI", "velocities at t = 0"}.otherwise("start of the system"),
                     info.velocities, otherwise.v);
  study.project = section.flag(
      {"project", "", "v may slide; the rigid motion starts from the projected v"}, false);
  section.finish();
  require_ranges(section, system, study.initial, info, study.system->parameters, study.parameters);

  study.contacts = contact_basis(study.model, study.initial.q);
  const VectorXd rolling = rigid_start(study).v;
  if (!section.has("v") && !study.project) require_rolling_start(system, study, otherwise);
  // The start of a catalogue's system may roll only for the default parameters, and another start
  // only at its own q.
  if (!section.has("v") && rolling.allFinite()) study.initial.v = rolling;
  require_sound_system(system, section, study);
  VectorXd restoring(study.model.nq);
  study.model.in<double>().restoring_rate(study.initial.q, restoring);
  if (!restoring.allFinite())
    fail_in(system, section, study.system->parameters, study.parameters,
            "the invariants and gaps that stay zero are linearly dependent here");
  const auto kkt =
      solve_kkt<double>(study.model, study.contacts, study.initial.q, study.initial.v, 0.0);
  if (!kkt.multiplier.allFinite())
    fail_in(system, section, study.system->parameters, study.parameters,
            "the accelerations of this start are not finite" + nearly_equal_rows(study));
  const double sliding = sliding_velocity(study.model, study.initial).cwiseAbs().maxCoeff();
  if (study.project || is_consistent(study.model, study.initial)) return;
  section.fail(
      "v",
      fmt::format("slides: |G v| = {:.6g} m/s, so rigid rolling cannot start here. Write v = "
                  "[{:.17g}], the projected velocity, or set initial.project = true: the rigid "
                  "motion then starts from the projection and the compliant motion from v as given",
                  sliding, fmt::join(rolling, ", ")));
}

}  // namespace rigidlimit
