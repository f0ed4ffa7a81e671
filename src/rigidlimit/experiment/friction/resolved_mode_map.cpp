#include <fmt/format.h>

#include "rigidlimit/experiment/friction/read_mode_map.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

namespace {

std::string setting_text(const ModeMap& map) {
  std::string text =
      fmt::format("[study]\nname = {}\nquestion = {}\nsource = {}\n", toml_text(map.name),
                  toml_text(map.question), toml_text(map.source));
  text += "\n[system]\nname = \"two_point_ball\"\n";
  for (const auto& p : TwoPointBall::parameters())
    if (is_shared(p.name))
      text += fmt::format("{} = {}   # {}\n", p.name, toml_text(map.ball.*p.member), p.unit);
  return text;
}

std::string grid_text(const ModeMap& map) {
  std::string text = fmt::format(
      "\n[map]\nslopes = {}   # rad\nhalf_angles = {}   # rad\nfrictions = {}\n"
      "friction_ratio = {}\nslow = {}   # m/s\n",
      toml_list(map.slopes), toml_list(map.half_angles), toml_list(map.frictions),
      toml_text(map.friction_ratio), toml_text(map.slow));
  for (const ModeMapStart& start : map.starts)
    text += fmt::format(
        "\n[[start]]\nname = {}\nv = {}   # m/s, rad/s\ncouple = {}   # N m\n"
        "couple_rate = {}   # N m/s\n",
        toml_text(start.name), toml_list(start.v), toml_text(start.couple),
        toml_text(start.couple_rate));
  return text;
}

std::string solves_text(const ModeMap& map) {
  const GrooveCompliance& how = map.compliance;
  std::string text = fmt::format(
      "\n[contact]\nstiffness_left = {}   # N/m\nstiffness_right = {}   # N/m\n"
      "damping_ratio = {}\nepsilon = {}\nrtol = {}\natol = {}\n",
      toml_text(how.stiffness_left), toml_text(how.stiffness_right), toml_text(how.damping_ratio),
      toml_text(how.epsilon), toml_text(how.rtol), toml_text(how.atol));
  text += fmt::format("\n[internal_force]\ncouple = {}   # N m\n", toml_text(map.internal_couple));
  if (!map.stiffness_ratios.empty())
    text += fmt::format("stiffness_ratios = {}\n", toml_list(map.stiffness_ratios));
  return text +
         fmt::format("\n[time]\nend = {}   # s\nsamples = {}\n", toml_text(map.end), map.samples);
}

std::string expectation_text(const ModeMapExpectation& e) {
  std::string text = fmt::format("\n[[expect]]\nquantity = \"{}\"\n", name_of(e.quantity));
  const auto number = [&](const char* key, const std::optional<double>& value) {
    if (value) text += fmt::format("{} = {}\n", key, toml_text(*value));
  };
  const auto word = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{} = {}\n", key, toml_text(value));
  };
  if (e.within > 0.0) number("within", e.within);
  if (!e.measured.empty()) text += fmt::format("measured = {}\n", toml_list(e.measured));
  if (e.start) text += fmt::format("start = {}\n", toml_text(*e.start));
  number("slope", e.slope);
  number("half_angle", e.half_angle);
  number("friction", e.friction);
  number("stiffness_ratio", e.stiffness_ratio);
  word("end", e.end);
  word("rigid", e.rigid);
  word("compliant", e.compliant);
  return text;
}

}  // namespace

bool is_shared(std::string_view parameter) {
  return parameter == "mass" || parameter == "radius" || parameter == "inertia_ratio" ||
         parameter == "gravity";
}

std::string resolved_toml(const ModeMap& map) {
  std::string text = setting_text(map) + grid_text(map) + solves_text(map);
  for (const ModeMapExpectation& e : map.expectations) text += expectation_text(e);
  return text;
}

}  // namespace rigidlimit
