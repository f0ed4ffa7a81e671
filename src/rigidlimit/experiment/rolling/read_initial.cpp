#include "rigidlimit/experiment/rolling/read_initial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/spec/read_system.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

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
  study.initial = otherwise;
  rolling_keys::initial().read(section, study);
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
