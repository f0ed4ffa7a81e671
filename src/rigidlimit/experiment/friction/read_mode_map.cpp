#include "rigidlimit/experiment/friction/read_mode_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/experiment/spec/read_name.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

void read_identity(Section section, ModeMap& map) {
  map.name = read_directory_name(section, "name");
  map.question = section.text("question", "");
  map.source = section.text("source", "");
  section.finish();
}

/// Parameters common to all balls, i.e. those that the map does not vary.
void read_system(Section section, ModeMap& map) {
  section.choice("name", {"two_point_ball"}, "two_point_ball");
  for (const auto& p : TwoPointBall::parameters()) {
    if (!is_shared(p.name)) continue;
    map.ball.*p.member = section.number(p.name, valid_range(p.range), map.ball.*p.member);
  }
  section.finish();
}

void read_grid(Section section, ModeMap& map) {
  const Range acute{.low = 0.0, .high = 1.5707, .low_open = true};
  map.slopes = section.numbers("slopes", acute);
  map.half_angles = section.numbers("half_angles", acute);
  map.frictions = section.numbers("frictions", magnitude_or_zero);
  map.friction_ratio = section.number("friction_ratio", magnitude_or_zero, map.friction_ratio);
  map.slow = section.number("slow", positive_magnitude, map.slow);
  section.finish();
}

ModeMapStart read_start(Section section) {
  ModeMapStart start{.name = section.text("name", std::nullopt),
                     .v = section.vector("v",
                                         {"x' [m/s]", "y' [m/s]", "z' [m/s]", "omega_x [rad/s]",
                                          "omega_y [rad/s]", "omega_z [rad/s]"},
                                         VectorXd::Zero(TwoPointBall::n)),
                     .couple = section.number("couple", signed_magnitude, 0.0),
                     .couple_rate = section.number("couple_rate", signed_magnitude, 0.0)};
  if (start.v(1) != 0.0 || start.v(2) != 0.0)
    section.fail("v", "y' and z' must be 0, as the walls hold the ball");
  section.finish();
  return start;
}

void require_size(Section& root, const ModeMap& map) {
  constexpr double most = 1e6;  // a tenth of a second per motion makes days
  double motions = static_cast<double>(map.starts.size());
  for (const std::vector<double>* axis : {&map.slopes, &map.half_angles, &map.frictions})
    motions *= static_cast<double>(axis->size());
  if (motions > most)
    root.fail("map", fmt::format("has {:.3g} motions; the limit is {:.0e}", motions, most));
}

void require_distinct(Section& root, const std::vector<ModeMapStart>& starts) {
  for (auto start = starts.begin(); start != starts.end(); ++start)
    if (std::ranges::find(start + 1, starts.end(), start->name, &ModeMapStart::name) !=
        starts.end())
      root.fail("start", fmt::format("two starts have the name \"{}\"; rename one", start->name));
}

void read_contact(Section section, ModeMap& map) {
  GrooveCompliance& how = map.compliance;
  const auto magnitude = [&](const char* key, double otherwise) {
    return section.number(key, positive_magnitude, otherwise);
  };
  how.stiffness_left = magnitude("stiffness_left", how.stiffness_left);
  how.stiffness_right = magnitude("stiffness_right", how.stiffness_right);
  how.damping_ratio = magnitude("damping_ratio", how.damping_ratio);
  how.epsilon = section.number("epsilon", valid_epsilon, how.epsilon);
  how.rtol = section.number("rtol", {.low = 1e-16, .high = 0.1}, how.rtol);
  how.atol = section.number("atol", {.low = 1e-300, .high = 1.0}, how.atol);
  section.finish();
}

void read_internal(Section section, ModeMap& map) {
  map.internal_couple = section.number("couple", signed_magnitude, map.internal_couple);
  if (section.has("stiffness_ratios"))
    map.stiffness_ratios = section.numbers("stiffness_ratios", positive_magnitude);
  section.finish();
}

void read_time(Section section, ModeMap& map) {
  map.end = section.number("end", valid_time, map.end);
  map.samples = static_cast<int>(section.count("samples", {2, 100'000}, map.samples));
  section.finish();
}

/// One of `values`, if the key is present: the expectation is restricted to it.
std::optional<double> read_place(Section& section, const std::string& key,
                                 const std::vector<double>& values) {
  if (!section.has(key)) return std::nullopt;
  const double value = section.number(key, any_finite, std::nullopt);
  if (std::ranges::find(values, value) == values.end())
    section.fail(key, fmt::format("must be one of the map's values: {}", fmt::join(values, ", ")));
  return value;
}

void read_point(Section& section, const ModeMap& map, ModeMapExpectation& e) {
  std::vector<std::string> starts;
  for (const ModeMapStart& start : map.starts) starts.push_back(start.name);
  if (section.has("start")) e.start = section.choice("start", starts, std::nullopt);
  e.slope = read_place(section, "slope", map.slopes);
  e.half_angle = read_place(section, "half_angle", map.half_angles);
  e.friction = read_place(section, "friction", map.frictions);
}

/// "SS > SR > RR": pairs of S and R; neighbours differ.
std::string read_sequence(Section& section, const std::string& key) {
  if (!section.has(key)) return "";
  const std::string text = section.text(key, std::nullopt);
  std::string last;
  bool good = text.size() % 5 == 2;
  for (std::size_t at = 0; good && at < text.size(); at += 5) {
    const std::string mode = text.substr(at, 2);
    good = mode.find_first_not_of("RS") == std::string::npos && mode != last &&
           (at == 0 || text.substr(at - 3, 3) == " > ");
    last = mode;
  }
  if (!good)
    section.fail(key,
                 "must list the modes of the left and right contact in order of time, S for "
                 "slipping and R for rolling, e.g. \"RR\" or \"SS > SR > RR\"");
  return text;
}

void read_modes(Section& section, ModeMapExpectation& e) {
  for (const char* key : {"end", "rigid", "compliant"}) section.has(key);
  if (section.has("end")) e.end = section.choice("end", {"RR", "RS", "SR", "SS"}, std::nullopt);
  e.rigid = read_sequence(section, "rigid");
  e.compliant = read_sequence(section, "compliant");
  if (e.end.empty() && e.rigid.empty() && e.compliant.empty())
    section.missing("end", "give the expected modes in `end`, `rigid` or `compliant`");
}

ModeMapExpectation read_map_expectation(Section section, const ModeMap& map) {
  using Quantity = ModeMapExpectation::Quantity;
  ModeMapExpectation e;
  const std::vector<Quantity> all{Quantity::threshold, Quantity::internal_force,
                                  Quantity::agreement, Quantity::modes};
  std::vector<std::string> names;
  for (const Quantity one : all) names.emplace_back(name_of(one));
  const std::string quantity = section.choice("quantity", names, std::nullopt);
  e.quantity = *std::ranges::find_if(all, [&](Quantity one) { return quantity == name_of(one); });
  switch (e.quantity) {
    case Quantity::threshold:
      e.within = section.number("within", positive, std::nullopt);
      if (section.has("measured"))
        e.measured = section.choice_or_choices(
            "measured", {"rigid_slips_below", "rigid_rolls_from", "compliant"}, std::nullopt);
      e.slope = read_place(section, "slope", map.slopes);
      e.half_angle = read_place(section, "half_angle", map.half_angles);
      break;
    case Quantity::internal_force:
      e.within = section.number("within", positive, std::nullopt);
      if (map.stiffness_ratios.empty())
        section.fail("quantity", "needs internal_force.stiffness_ratios");
      e.stiffness_ratio = read_place(section, "stiffness_ratio", map.stiffness_ratios);
      break;
    case Quantity::agreement: read_point(section, map, e); break;
    case Quantity::modes:
      read_point(section, map, e);
      read_modes(section, e);
      break;
  }
  section.finish();
  return e;
}

}  // namespace

ModeMap read_mode_map(const TomlDocument& document) {
  Section root = document.root();
  for (const char* table :
       {"study", "system", "map", "start", "contact", "internal_force", "time", "expect"})
    root.has(table);
  root.finish();
  ModeMap map;
  read_identity(root.section("study"), map);
  read_system(root.section("system"), map);
  read_grid(root.section("map"), map);
  for (const Section& start : root.sections("start")) map.starts.push_back(read_start(start));
  if (map.starts.empty())
    root.missing("start", "give at least one [[start]], the initial state of the motions");
  require_distinct(root, map.starts);
  require_size(root, map);
  read_contact(root.section("contact"), map);
  read_internal(root.section("internal_force"), map);
  read_time(root.section("time"), map);
  for (const Section& section : root.sections("expect"))
    map.expectations.push_back(read_map_expectation(section, map));
  return map;
}

ModeMap read_mode_map(const std::string& path, const std::vector<std::string>& overrides) {
  return read_mode_map(TomlDocument::from_file(path, overrides));
}

}  // namespace rigidlimit
