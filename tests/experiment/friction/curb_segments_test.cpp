// Tests that the curb studies reach every segment of figure 7 of Grzesikiewicz & Zbiciak 2020.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

/// The segments I to IV and double contacts A and B with forces at `event`: the contacts of an
/// impact, or else the contacts that are closed afterwards.
std::set<std::string> places_of(const ContactEvent& event, double edge) {
  const bool impact = event.kind == EventKind::impact;
  std::vector<bool> acts(3, false);  // wall, curb, floor
  for (const Index contact : event.contacts)
    acts[static_cast<std::size_t>(contact)] = event.kind != EventKind::detachment;
  if (!impact) {
    std::istringstream modes(event.modes);
    std::string mode;
    for (std::size_t i = 0; std::getline(modes, mode, ','); ++i) acts[i] = mode != "free";
  }
  std::set<std::string> places;
  if (acts[0]) places.insert("I");
  if (acts[1]) places.insert(event.q(0) <= edge ? "II" : "III");
  if (acts[2]) places.insert("IV");
  if (acts[0] && acts[1]) places.insert("A");
  if (acts[1] && acts[2]) places.insert("B");
  return places;
}

std::set<std::string> places_in(const std::string& file) {
  const FrictionStudy study = read_friction_study(file, {});
  const NonsmoothMotion motion =
      event_driven_motion(study.model, study.initial, uniform_grid(study.time.end, 11));
  std::set<std::string> places;
  constexpr double edge = 0.4;  // m, l1 in every shipped study
  // The start is not an event; its modes are stored separately.
  ContactEvent start;
  start.kind = EventKind::kink;
  start.q = study.initial.q;
  start.modes = motion.initial_modes;
  places.merge(places_of(start, edge));
  for (const ContactEvent& event : motion.events) places.merge(places_of(event, edge));
  return places;
}

TEST(CurbStudies, ReachEverySegmentAndBothDoubleContacts) {
  std::set<std::string> places;
  for (const std::string& file : test::shipped_in({"impacts"}))
    if (test::test_name_of(file).starts_with("curb_")) places.merge(places_in(file));
  EXPECT_THAT(places, testing::UnorderedElementsAre("I", "II", "III", "IV", "A", "B"));
}

// Negative control: a single study that only flies over the curb misses some places.
TEST(CurbStudies, NoSingleFlightReachesAll) {
  for (const char* name : {"curb_kappa", "curb_upward_restitution"})
    EXPECT_LT(
        places_in(test::in_repository("experiments/impacts/" + std::string(name) + ".toml")).size(),
        6u)
        << name;
}

}  // namespace
}  // namespace rigidlimit
