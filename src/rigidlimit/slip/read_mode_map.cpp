#include "rigidlimit/slip/read_mode_map.hpp"

#include "rigidlimit/study/read_name.hpp"

namespace rigidlimit {

namespace {

void read_identity(Section section, ModeMap& map) {
  map.name = read_directory_name(section, "name");
  map.question = section.text("question", "");
  section.finish();
}

/// What all balls share: the parameters that the map does not go through.
void read_system(Section section, ModeMap& map) {
  section.choice("name", {"two_point_ball"}, "two_point_ball");
  for (const auto& p : TwoPointBall::parameters()) {
    const std::string name = p.name;
    if (name != "mass" && name != "radius" && name != "inertia_ratio" && name != "gravity")
      continue;
    map.ball.*p.member = section.number(name, p.range, map.ball.*p.member);
  }
  section.finish();
}

void read_grid(Section section, ModeMap& map) {
  const Range acute{.low = 0.0, .high = 1.5707, .low_open = true};
  map.slopes = section.numbers("slopes", acute);
  map.half_angles = section.numbers("half_angles", acute);
  map.frictions = section.numbers("frictions", non_negative);
  map.friction_ratio = section.number("friction_ratio", non_negative, map.friction_ratio);
  map.slow = section.number("slow", positive, map.slow);
  section.finish();
}

ModeMapStart read_start(Section section) {
  ModeMapStart start{.name = section.text("name", std::nullopt),
                     .v = section.vector("v",
                                         {"x' [m/s]", "y' [m/s]", "z' [m/s]", "omega_x [rad/s]",
                                          "omega_y [rad/s]", "omega_z [rad/s]"},
                                         VectorXd::Zero(TwoPointBall::n)),
                     .couple = section.number("couple", any_finite, 0.0),
                     .couple_rate = section.number("couple_rate", any_finite, 0.0)};
  if (start.v(1) != 0.0 || start.v(2) != 0.0)
    section.fail("v", "y' and z' must be 0: the walls hold the ball");
  section.finish();
  return start;
}

void read_contact(Section section, ModeMap& map) {
  GrooveCompliance& how = map.compliance;
  how.stiffness_left = section.number("stiffness_left", positive, how.stiffness_left);
  how.stiffness_right = section.number("stiffness_right", positive, how.stiffness_right);
  how.damping_ratio = section.number("damping_ratio", positive, how.damping_ratio);
  how.epsilon = section.number("epsilon", positive, how.epsilon);
  how.rtol = section.number("rtol", positive, how.rtol);
  how.atol = section.number("atol", positive, how.atol);
  section.finish();
}

void read_internal(Section section, ModeMap& map) {
  map.internal_couple = section.number("couple", any_finite, map.internal_couple);
  if (section.has("stiffness_ratios"))
    map.stiffness_ratios = section.numbers("stiffness_ratios", positive);
  section.finish();
}

void read_time(Section section, ModeMap& map) {
  map.end = section.number("end", positive, map.end);
  map.samples = static_cast<int>(section.count("samples", {2, 100'000}, map.samples));
  section.finish();
}

}  // namespace

ModeMap read_mode_map(const TomlDocument& document) {
  Section root = document.root();
  for (const char* table : {"study", "system", "map", "start", "contact", "internal_force", "time"})
    root.has(table);
  root.finish();
  ModeMap map;
  read_identity(root.section("study"), map);
  read_system(root.section("system"), map);
  read_grid(root.section("map"), map);
  for (const Section& start : root.sections("start")) map.starts.push_back(read_start(start));
  if (map.starts.empty()) root.missing("start", "[[start]], how the motions begin");
  read_contact(root.section("contact"), map);
  read_internal(root.section("internal_force"), map);
  read_time(root.section("time"), map);
  return map;
}

ModeMap read_mode_map(const std::string& path, const std::vector<std::string>& overrides) {
  return read_mode_map(TomlDocument::from_file(path, overrides));
}

}  // namespace rigidlimit
