#include "rigidlimit/cli/friction_template.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "rigidlimit/cli/template_page.hpp"
#include "rigidlimit/experiment/friction/energy_history.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"
#include "rigidlimit/experiment/spec/uniform_grid.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

constexpr double end = 0.8;  // s
constexpr int samples = 201;

/// The compliant motions that fit the rigid motion.
enum class Regime {
  rolling,  ///< all contacts always closed
  pressed,  ///< unilateral contacts without impact
  impacts,
  rigid  ///< only the rigid motion
};

/// Properties of the system and its rigid motion.
struct FrictionSetting {
  FrictionStudy study;
  NonsmoothMotion rigid;
  EnergyHistory energy;
  Regime regime = Regime::rigid;
  bool restitution = false;
  bool sticks = false;  ///< every closed contact sticks at the end
  /// s, of the first impact on several contacts: after it the rigid motion need not be a limit.
  std::optional<double> several;
};

FrictionStudy plain_study(const SystemEntry& entry) {
  const SystemCatalogue only{entry};
  FrictionStudy study = read_friction_study(
      TomlDocument::from_text(fmt::format("[study]\nname = \"plain\"\n[system]\nname = {}\n"
                                          "[time]\nend = {}\nsamples = {}\n",
                                          toml_text(entry.info.name), toml_text(end), samples),
                              "template"),
      only);
  study.system = std::make_shared<const SystemEntry>(entry);
  return study;
}

Regime regime_of(const FrictionSetting& s) {
  const double negligible = 1e-9 * s.energy.scale;  // J: accumulated round-off
  if (s.rigid.outcome != Outcome::success || std::abs(s.energy.work) > negligible)
    return Regime::rigid;
  if (std::ranges::find(s.rigid.events, EventKind::impact, &ContactEvent::kind) !=
      s.rigid.events.end())
    return Regime::impacts;
  const bool unilateral = std::ranges::any_of(
      s.study.model.contacts,
      [](const ContactPoint& contact) { return contact.normal == Normal::unilateral; });
  return unilateral ? Regime::pressed : Regime::rolling;
}

FrictionSetting setting_of(const SystemEntry& entry) {
  FrictionSetting s{.study = plain_study(entry), .rigid = {}, .energy = {}, .several = {}};
  s.rigid = event_driven_motion(s.study.model, s.study.initial, uniform_grid(end, samples),
                                rigid_options(s.study, 1.0, {}));
  s.energy = energy_of(s.study, s.rigid);
  s.regime = regime_of(s);
  s.restitution = std::ranges::any_of(s.study.model.contacts, [](const ContactPoint& contact) {
    return contact.normal == Normal::unilateral && contact.restitution > 0.0;
  });
  s.sticks = modes_at(s.rigid, end).find("slip") == std::string::npos;
  for (const ContactEvent& event : s.rigid.events)
    if (!s.several && event.kind == EventKind::impact && event.contacts.size() > 1)
      s.several = event.t;
  return s;
}

void write_head(TemplatePage& page, const SystemEntry& entry, const std::string& name) {
  page.line(fmt::format("# {}.", entry.info.title));
  page.line("#");
  page.line(fmt::format("#   {:<40} runs it", fmt::format("rigidlimit run {}.toml", name)));
  page.line(fmt::format("#   {:<40} contacts, parameters, start",
                        fmt::format("rigidlimit describe {}", entry.info.name)));
  page.line("#   rigidlimit help keys friction            every key with its valid values");
  page.line("#");
  page.line(
      "# The file has every key. A line \"#key = value\" gives a default: remove the # to change");
  page.line("# it. SI units; w is the sliding velocity, g the gap of a contact.");
  page.table("study");
  page.key("name", toml_text(name));
  page.line("question = " +
            toml_text(fmt::format("Does the compliant {} follow the rigid one?", entry.info.name)));
  page.usual("source", "\"\"");
}

void write_system(TemplatePage& page, const SystemEntry& entry, const FrictionStudy& study) {
  page.table("system");
  if (entry.file.empty())
    page.line("name = " + toml_text(entry.info.name), "rigidlimit list systems");
  else
    page.line("file = " + toml_text(entry.file), "file with the formulas of the system");
  for (const ParameterInfo& p : entry.frictional_parameters()) {
    page.prose(p.text);
    page.key(p.name, toml_text(p.default_value),
             fmt::format("{}, {}", p.unit, valid_range(p.range).text()));
  }
  if (entry.file.empty() && !entry.definition.empty()) page.line(entry.definition);
  page.table("initial");
  page.prose(units_after_names(entry.info.coordinates));
  page.line("q = " + toml_list(study.initial.q));
  page.prose(units_after_names(entry.info.velocities));
  page.line("v = " + toml_list(study.initial.v));
}

void write_contact(TemplatePage& page, const FrictionSetting& s) {
  const bool stiff = s.regime == Regime::impacts;
  const std::string stiffness = stiff ? "1e4" : "1.0";
  page.table("contact");
  page.usual("friction", "[\"projected\"]");
  page.key("tangential_power", stiff && !s.restitution ? "[2.0]" : stiff ? "[1.5]" : "[1.0]");
  page.key("tangential_stiffness", stiffness);
  page.key("normal_stiffness", stiffness);
  page.usual("damping_ratio", "1.0");
  page.usual("plastic_exponent", "1.5");
  page.usual("creep", "1.0");
}

void write_epsilon(TemplatePage& page, const FrictionSetting& s) {
  if (s.regime == Regime::rigid) {
    page.line("");
    page.prose("Without [epsilon] only the rigid motion is studied.");
    page.line("# [epsilon]");
    page.line("# values = [1e-2, 5e-3, 2.5e-3, 1.25e-3]");
    return;
  }
  page.table("epsilon", "geometric from, to, count; or values = [...]");
  const bool plastic = s.regime == Regime::impacts && !s.restitution;
  page.key("from", plastic ? "5e-4" : "1e-2", "largest");
  page.key("to", plastic ? "1.5625e-5" : "6.25e-4", "smallest");
  page.key("count", plastic ? "6" : "5", "a verdict needs 4 in a settled tail");
}

void write_time(TemplatePage& page, const FrictionSetting& s) {
  page.table("time");
  page.key("end", toml_text(end));
  page.key("samples", s.regime == Regime::rolling || s.regime == Regime::pressed ? "61" : "201");
  page.key("layer_per_decade", s.regime == Regime::impacts ? "24" : "8");
  page.usual("layer_width", "20.0");
  if (s.several) {
    // After the last earlier event, whose compliant counterpart must have ended too.
    const double before = std::floor(100.0 * 0.99 * *s.several) / 100.0;
    page.key("compared", toml_text(before), "s, before the impact on two surfaces at once");
  } else {
    page.usual("compared", toml_text(end));
  }
  page.key("margin", "0.02");
  page.usual("until_stop", "true");
  page.usual("matched_events", "1000");
}

void write_solvers(TemplatePage& page, const FrictionSetting& s) {
  const bool stiff = s.regime == Regime::impacts && !s.restitution;
  page.table("solvers", "rigidlimit list solvers");
  page.key("compliant", stiff ? "[\"radau_iia_5\"]" : "[\"cvode_bdf\"]");
  page.usual("locate_kinks", "true");
  page.key("rtol", "1e-9", "relative; a row below ten times its error bars is not evidence");
  page.key("atol", "1e-11");
  page.usual("tighten", "0.1");
  page.usual("max_steps", "2000000");
  page.usual("reference", s.study.solvers.reference == FrictionSolvers::Reference::closed_form
                              ? "\"closed_form\""
                              : "\"event_driven\"");
  page.usual("rigid_rtol", "1e-12");
  page.usual("rigid_atol", "1e-14");
  page.usual("rigid_max_steps", "2000000");
  page.key("moreau_jean", "[2e-4, 1e-4, 5e-5]");
  page.table("inequality", "of Duvaut and Lions, at random virtual velocities");
  page.usual("draws", "200");
}

void write_history(TemplatePage& page, const FrictionSetting& s) {
  page.table("history", "expectations of the rigid motion, recorded by init");
  page.key("outcome", toml_text(std::string(name_of(s.rigid.outcome))));
  std::vector<std::string> events;
  for (const ContactEvent& event : s.rigid.events) events.push_back(text_of(event, s.study.model));
  page.line(fmt::format("events = \"{}\"", fmt::join(events, "; ")));
  page.line(fmt::format("modes_at_end = {}", toml_text(modes_at(s.rigid, end))));
  page.line("# event_times = [...]", "s, of all events");
  page.usual("event_times_within", "1e-9");
  page.line("# moreau_jean_within = 1e-2", "largest distance in q, at the smallest step");
  page.usual("energy_within", "1e-9");
  page.line("# energy_conserved = true", "without friction, and with restitution 1");
}

void write_expectation(TemplatePage& page, const std::vector<std::string>& lines) {
  page.line("\n[[expect]]");
  for (const std::string& line : lines) page.line(line);
}

void write_expectations(TemplatePage& page, const FrictionSetting& s) {
  if (s.regime == Regime::rigid) return;
  page.line("");
  page.line("# Expectations of the compliant motions as eps -> 0. Further keys:");
  page.line("#   within = 0.05                   tolerance of the order");
  page.line("#   convergence = \"none\"            instead of order, or");
  page.line("#   at_most = 1e-6                  at every eps");
  page.line("#   norm = \"sup\"                    \"l1\", \"l2\"; window = \"all\" or \"away\"");
  page.line("#   quantity = \"event_time\"         with kind = \"impact\" and the like");
  if (s.regime == Regime::impacts) {
    write_expectation(page, {"quantity = \"q\"", "order = 1.0", "within = 0.1"});
    write_expectation(page, {"quantity = \"v\"", "norm = \"l1\"", "order = 1.0", "within = 0.1"});
    // Without restitution the damper smears the jump: the sup norm does not settle.
    if (s.restitution) write_expectation(page, {"quantity = \"v\"", "convergence = \"none\""});
    return;
  }
  write_expectation(page,
                    {"quantity = \"q\"", s.sticks ? "order = 2.0" : "order = 1.0", "within = 0.1"});
  if (s.regime == Regime::rolling)
    write_expectation(page, {"quantity = \"v\"", "order = 1.0", "within = 0.1"});
}

}  // namespace

std::string friction_template(const SystemEntry& entry, const std::string& name) {
  const FrictionSetting setting = setting_of(entry);
  TemplatePage page("friction");
  write_head(page, entry, name);
  write_system(page, entry, setting.study);
  write_contact(page, setting);
  write_epsilon(page, setting);
  write_time(page, setting);
  write_solvers(page, setting);
  write_history(page, setting);
  write_expectations(page, setting);
  return page.text();
}

}  // namespace rigidlimit
