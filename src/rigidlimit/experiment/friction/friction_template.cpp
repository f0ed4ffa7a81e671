#include "rigidlimit/experiment/friction/friction_template.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/friction/friction_keys.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/experiment/spec/template_page.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

constexpr double friction_end = 0.8;  // s
constexpr int template_samples = 201;

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
      TomlDocument::from_text(
          fmt::format("[study]\nname = \"plain\"\n[system]\nname = {}\n"
                      "[time]\nend = {}\nsamples = {}\n",
                      toml_text(entry.info.name), toml_text(friction_end), template_samples),
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

FrictionSetting friction_setting(const SystemEntry& entry) {
  FrictionSetting s{.study = plain_study(entry), .rigid = {}, .energy = {}, .several = {}};
  s.rigid = event_driven_motion(s.study.model, s.study.initial,
                                uniform_grid(friction_end, template_samples),
                                rigid_options(s.study, 1.0, {}));
  s.energy = energy_of(s.study.model, s.rigid, s.study.solvers.rigid_atol);
  s.regime = regime_of(s);
  s.restitution = std::ranges::any_of(s.study.model.contacts, [](const ContactPoint& contact) {
    return contact.normal == Normal::unilateral && contact.restitution > 0.0;
  });
  s.sticks = modes_at(s.rigid, friction_end).find("slip") == std::string::npos;
  for (const ContactEvent& event : s.rigid.events)
    if (!s.several && event.kind == EventKind::impact && event.contacts.size() > 1)
      s.several = event.t;
  return s;
}

/// The study with the settings and claims of the template, up to its expectations.
FrictionStudy friction_study(const FrictionSetting& setting, const std::string& name) {
  FrictionStudy s = setting.study;
  const bool impacts = setting.regime == Regime::impacts;
  s.name = name;
  s.question = fmt::format("Does the compliant {} follow the rigid one?", s.system->info.name);
  const double power = !impacts ? 1.0 : setting.restitution ? 1.5 : 2.0;
  s.contact.laws = {{.friction = FrictionalLaw::Friction::projected, .tangential_power = power}};
  const VectorXd stiffness = VectorXd::Constant(s.model.nc(), impacts ? 1e4 : 1.0);
  s.contact.tangential_stiffness = s.contact.normal_stiffness = stiffness;
  const bool smooth = setting.regime == Regime::rolling || setting.regime == Regime::pressed;
  s.time.samples = smooth ? 61 : 201;
  s.time.layer_per_decade = impacts ? 24 : 8;
  // After the last earlier event, whose compliant counterpart must have ended too.
  if (setting.several) s.time.compared = std::floor(100.0 * 0.99 * *setting.several) / 100.0;
  s.time.margin = 0.02;
  if (impacts && !setting.restitution) s.solvers.compliant = {"radau_iia_5"};
  // A row below ten times its error bars is not evidence.
  s.solvers.rtol = 1e-9;
  s.solvers.atol = 1e-11;
  s.solvers.moreau_jean = {2e-4, 1e-4, 5e-5};
  s.history.outcome = setting.rigid.outcome;
  s.history.events.emplace();
  for (const ContactEvent& event : setting.rigid.events)
    s.history.events->push_back(text_of(event, s.model));
  s.history.modes_at_end = modes_at(setting.rigid, friction_end);
  return s;
}

void write_friction_epsilon(TemplatePage& page, const FrictionSetting& s) {
  if (s.regime == Regime::rigid) {
    page.line("");
    page.prose("Without [epsilon] only the rigid motion is studied.");
    return;
  }
  page.heading("epsilon", "geometric from, to, count; or values = [...]");
  const bool plastic = s.regime == Regime::impacts && !s.restitution;
  page.line(plastic ? "from = 5e-4" : "from = 1e-2", "largest");
  page.line(plastic ? "to = 1.5625e-5" : "to = 6.25e-4", "smallest");
  page.line(plastic ? "count = 6" : "count = 5", "a verdict needs 4 in a settled tail");
  page.key(epsilon_keys().row("values").info, std::nullopt, std::nullopt);
}

void write_expectation(TemplatePage& page, const std::vector<std::string>& lines) {
  page.line("\n[[expect]]");
  for (const std::string& line : lines) page.line(line);
}

void write_friction_claims(TemplatePage& page, const FrictionSetting& s) {
  if (s.regime == Regime::rigid) return;
  page.line("");
  page.line("# Expectations of the compliant motions as eps -> 0.");
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
  const FrictionSetting setting = friction_setting(entry);
  const FrictionStudy study = friction_study(setting, name);
  TemplatePage page;
  page.head(entry.info.title,
            {{fmt::format("rigidlimit run {}.toml", name), "runs it"},
             {"rigidlimit describe " + entry.info.name, "contacts, parameters, start"},
             {"rigidlimit help keys friction", "every key with its valid values"}},
            "SI units; w is the sliding velocity, g the gap of a contact.");
  page.table(friction_keys::study(), study);
  page.system(entry, entry.frictional_parameters());
  page.start(entry, study.initial);
  page.table(friction_keys::contact(), study);
  write_friction_epsilon(page, setting);
  page.table(friction_keys::time(), study);
  page.table(friction_keys::solvers(), study, "rigidlimit list solvers");
  page.table(friction_keys::inequality(), study,
             "of Duvaut and Lions, at random virtual velocities");
  page.table(friction_keys::history(), study, "expectations of the rigid motion, recorded by init");
  write_friction_claims(page, setting);
  page.further(tables_of_friction_studies());
  return page.text();
}

}  // namespace rigidlimit
