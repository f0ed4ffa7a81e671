#include "rigidlimit/cli/friction_template.hpp"
#include "rigidlimit/cli/template_page.hpp"
#include "rigidlimit/experiment/friction/read_mode_map.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

std::string mode_map_template(const std::string& name) {
  TemplatePage page;
  page.line(
      "# Final contact modes of a ball in a V-groove: S slips, R rolls, at left and right wall.");
  page.line("#");
  page.line(fmt::format("#   {:<40} runs it", fmt::format("rigidlimit run {}.toml", name)));
  page.line("#");
  page.line("# The file has every key. A line \"#key = value\" gives a default. SI units.");
  page.table("study");
  page.key("name", toml_text(name), "directory of the results");
  page.line("question = \"On which walls does a ball in a groove roll?\"");
  page.usual("source", "\"\"", "source of the setting");
  page.table("system", "parameters of all motions");
  page.usual("name", "\"two_point_ball\"", "the only system with mode maps");
  for (const auto& p : TwoPointBall::parameters())
    if (is_shared(p.name)) {
      page.prose(p.text);
      page.key(p.name, toml_text(TwoPointBall{}.*p.member),
               fmt::format("{}, {}", p.unit, valid_range(p.range).text()));
    }
  page.table("map", "a rigid and a compliant motion at every point, from every start");
  page.key("slopes", "[0.1, 0.3]", "alpha, rad");
  page.key("half_angles", "[0.7]", "gamma, rad");
  page.key("frictions", "[0.05, 0.4]", "mu of the left wall");
  page.usual("friction_ratio", "1.0", "mu right over left");
  page.usual("slow", "0.001", "m/s: sliding below this speed counts as rolling");
  page.line("\n[[start]]");
  page.line("name = \"rest\"");
  page.usual("v", "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", "x' y' z' [m/s], omega [rad/s]");
  page.usual("couple", "0.0", "N m about the groove, and its rate, N m/s");
  page.usual("couple_rate", "0.0", "");
  page.line("\n[[start]]");
  page.line("name = \"slip\"");
  page.line("v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]");
  page.table("contact");
  page.usual("stiffness_left", "1.0", "C_t, N/m at eps = 1");
  page.usual("stiffness_right", "1.0", "");
  page.usual("damping_ratio", "1.0", "zeta");
  page.key("epsilon", "1e-3", "of the compliant motions");
  page.usual("rtol", "1e-10", "");
  page.usual("atol", "1e-13", "");
  page.table("internal_force", "friction across the walls under a couple");
  page.key("couple", "0.1", "N m");
  page.key("stiffness_ratios", "[0.5, 1.0, 2.0]", "C left over right");
  page.table("time");
  page.usual("end", "1.0", "T, s");
  page.key("samples", "21", "times at which the modes are recorded");
  page.line("\n# Expectations. Further keys: measured = \"compliant\", slope, half_angle.");
  page.line("[[expect]]");
  page.line("quantity = \"threshold\"", "friction for rolling from rest, against its formula");
  page.line("within = 1e-6");
  page.line("\n[[expect]]");
  page.line("quantity = \"internal_force\"");
  page.line("within = 1e-6", "N");
  page.line("\n[[expect]]");
  page.line("quantity = \"agreement\"",
            "of rigid and compliant motions, if the laws have one solution");
  page.line("\n[[expect]]");
  page.line("quantity = \"modes\"", "at named points");
  page.line("start = \"rest\"");
  page.line("friction = 0.4");
  page.line("end = \"RR\"", "or rigid = \"SS > RR\", compliant likewise");
  return page.text();
}

}  // namespace rigidlimit
