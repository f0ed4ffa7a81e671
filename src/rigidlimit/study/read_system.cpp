#include "rigidlimit/study/read_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

std::vector<std::string> names_with_units(const std::vector<Component>& components) {
  std::vector<std::string> names;
  for (const Component& c : components) names.push_back(fmt::format("{} [{}]", c.name, c.unit));
  return names;
}

namespace {

/// The values that the file gives must make sense before anything is computed with them.
void require_ranges(const Section& section, const Study& study) {
  const std::vector<Component>& coordinates = study.system->info.coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (const Component& c = coordinates[i];
        !c.range.contains(study.initial.q(static_cast<Index>(i))))
      section.fail("q", fmt::format("{} must be {}", c.name, c.range.text()));
}

void require_sound_system(const Section& section, const Study& study) {
  try {
    check_system(study.model, study.system->info.name, study.initial);
  } catch (const InputError& error) {
    section.fail("", error.what());
  }
}

}  // namespace

void read_system(Section section, const SystemCatalogue& systems, Study& study) {
  check_catalogue(systems);
  study.system = find_system(systems, section.choice("name", names_of(systems), std::nullopt));
  for (const ParameterInfo& p : study.system->parameters)
    study.parameters.push_back(section.number(p.name, p.range, p.default_value));
  study.model = study.system->make(study.parameters);
  section.finish();
}

void read_initial(Section section, Study& study) {
  const SystemInfo& info = study.system->info;
  const InitialState otherwise = study.system->start(study.parameters);
  study.initial.q = section.vector("q", names_with_units(info.coordinates), otherwise.q);
  study.initial.v = section.vector("v", names_with_units(info.velocities), otherwise.v);
  study.project = section.flag("project", false);
  section.finish();
  require_ranges(section, study);

  study.contacts = contact_basis(study.model, study.initial.q);
  const VectorXd rolling = rigid_start(study).v;
  // The system's own start may roll for its default parameters only.
  if (!section.has("v") && rolling.allFinite()) study.initial.v = rolling;
  require_sound_system(section, study);
  const auto kkt =
      solve_kkt<double>(study.model, study.contacts, study.initial.q, study.initial.v, 0.0);
  if (!kkt.multiplier.allFinite())
    section.fail("", "the accelerations of this start are not finite; look at [system] as well");
  const double sliding = sliding_velocity(study.model, study.initial).cwiseAbs().maxCoeff();
  if (study.project || is_consistent(study.model, study.initial)) return;
  section.fail("v",
               fmt::format("slides: |G v| = {:.6g} m/s, so no rigid rolling starts here. Write "
                           "v = [{:.17g}] (its projection) for a rolling start, or set "
                           "initial.project = true: the rigid motion then starts from the "
                           "projection and the compliant one from v as given",
                           sliding, fmt::join(rolling, ", ")));
}

}  // namespace rigidlimit
