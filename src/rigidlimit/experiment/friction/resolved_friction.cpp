#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

namespace {

std::string units_of(const std::vector<Component>& components) {
  std::vector<std::string> units;
  for (const Component& c : components) units.emplace_back(c.unit);
  return fmt::format("{}", fmt::join(units, ", "));
}

std::string setting_text(const FrictionStudy& study) {
  std::string text =
      fmt::format("[study]\nname = {}\nquestion = {}\nsource = {}\n", toml_text(study.name),
                  toml_text(study.question), toml_text(study.source));
  text += fmt::format("\n[system]\nname = {}\n", toml_text(std::string(study.system->info.name)));
  const std::vector<ParameterInfo> parameters = study.system->frictional_parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text += fmt::format("{} = {}   # {}\n", parameters[i].name, toml_text(study.parameters[i]),
                        parameters[i].unit);
  text += study.system->definition;
  return text + fmt::format("\n[initial]\nq = {}   # {}\nv = {}   # {}\n",
                            toml_list(study.initial.q), units_of(study.system->info.coordinates),
                            toml_list(study.initial.v), units_of(study.system->info.velocities));
}

std::string contact_text(const FrictionContact& contact) {
  std::vector<std::string> frictions;
  std::vector<double> powers;
  for (const ComparedLaw& law : contact.laws) {
    if (std::ranges::find(frictions, name_of(law.friction)) == frictions.end())
      frictions.emplace_back(name_of(law.friction));
    if (law.friction == FrictionalLaw::Friction::projected) powers.push_back(law.tangential_power);
  }
  if (powers.empty()) powers = {1.0};
  return fmt::format(
      "\n[contact]\nfriction = {}\ntangential_power = {}   # kappa\ntangential_stiffness = {}   # "
      "N/m\nnormal_stiffness = {}   # N/m\ndamping_ratio = {}\nplastic_exponent = {}   # beta\n"
      "creep = {}   # m/s\n",
      toml_list(frictions), toml_list(powers), toml_list(contact.tangential_stiffness),
      toml_list(contact.normal_stiffness), toml_text(contact.damping_ratio),
      toml_text(contact.plastic_exponent), toml_text(contact.creep));
}

std::string time_and_solvers_text(const FrictionTime& time, const FrictionSolvers& s) {
  return fmt::format(
             "\n[time]\nend = {}   # s\nsamples = {}\nlayer_per_decade = {}\nlayer_width = {}\n"
             "compared = {}   # s\nmargin = {}   # s\nuntil_stop = {}\nmatched_events = {}\n",
             toml_text(time.end), time.samples, time.layer_per_decade, toml_text(time.layer_width),
             toml_text(time.compared), toml_text(time.margin), time.until_stop,
             time.matched_events) +
         fmt::format(
             "\n[solvers]\ncompliant = {}\nlocate_kinks = {}\nrtol = {}\natol = {}\ntighten = {}\n"
             "max_steps = {}\nreference = \"{}\"\nrigid_rtol = {}\nrigid_atol = {}\n"
             "rigid_max_steps = {}\nmoreau_jean = {}   # s\n",
             toml_list(s.compliant), s.locate_kinks, toml_text(s.rtol), toml_text(s.atol),
             toml_text(s.tighten), s.max_steps, name_of(s.reference), toml_text(s.rigid_rtol),
             toml_text(s.rigid_atol), s.rigid_max_steps, toml_list(s.moreau_jean));
}

std::string history_text(const HistoryExpectation& history, bool asks) {
  std::string text = fmt::format("\n[history]\noutcome = \"{}\"\nenergy_within = {}\n",
                                 name_of(history.outcome), toml_text(history.energy_within));
  if (history.energy_conserved) text += "energy_conserved = true\n";
  if (history.events) text += fmt::format("events = \"{}\"\n", fmt::join(*history.events, "; "));
  if (history.event_times)
    text += fmt::format("event_times = {}   # s\n", toml_list(*history.event_times));
  text += fmt::format("event_times_within = {}   # s\n", toml_text(history.event_times_within));
  if (history.modes_at_end)
    text += fmt::format("modes_at_end = {}\n", toml_text(*history.modes_at_end));
  if (history.moreau_jean_within)
    text += fmt::format("moreau_jean_within = {}\n", toml_text(*history.moreau_jean_within));
  if (!asks) return text;
  text += fmt::format("slow = {}   # m/s\n", toml_text(history.slow));
  if (history.modes_at_start)
    text += fmt::format("modes_at_start = \"{}\"\n", fmt::join(*history.modes_at_start, "; "));
  if (history.compliant_sliding)
    text += fmt::format("compliant_sliding = \"{}\"\n", name_of(*history.compliant_sliding));
  if (history.force)
    text += fmt::format("force = {}\nforce_at_end = {}   # N\nforce_within = {}   # N\n",
                        toml_text(history.force->component), toml_text(history.force->at_end),
                        toml_text(history.force->within));
  if (history.ends_agree) text += "ends_agree = true\n";
  return text;
}

std::string modes_text(const ModesClaim& claim) {
  std::string text = "\n[[expect]]\nquantity = \"modes\"\n";
  for (const auto& [key, modes] :
       {std::pair{"rigid", &claim.rigid}, {"compliant", &claim.compliant}, {"end", &claim.end}})
    if (!modes->empty()) text += fmt::format("{} = {}\n", key, toml_text(*modes));
  return text;
}

std::string expectation_text(const ExpectationSpec& e) {
  const Measure& m = e.measure;
  std::string text = fmt::format("\n[[expect]]\nquantity = \"{}\"\n", name_of(m.quantity));
  if (m.quantity != Quantity::event_time)
    text += fmt::format("norm = \"{}\"\nwindow = \"{}\"\n", name_of(m.norm), name_of(m.window));
  else if (!m.events.empty())
    text += fmt::format("kind = \"{}\"\n", m.events);
  if (e.law) text += fmt::format("friction = \"{}\"\n", *e.law);
  if (e.tangential_power)
    text += fmt::format("tangential_power = {}\n", toml_text(*e.tangential_power));
  if (e.convergence == Convergence::bounded)
    return text + fmt::format("at_most = {}\n", toml_text(e.within));
  if (e.order) text += fmt::format("order = {}\n", toml_text(*e.order));
  if (e.convergence == Convergence::none) text += "convergence = \"none\"\n";
  text += fmt::format("within = {}\n", toml_text(e.within));
  if (!e.next_orders.empty()) text += fmt::format("next_orders = {}\n", toml_list(e.next_orders));
  if (e.ratio)
    text += fmt::format("ratio = {}\nratio_within = {}\n", toml_text(*e.ratio),
                        toml_text(e.ratio_within));
  if (!e.order_only.empty()) text += fmt::format("order_only = {}\n", toml_text(e.order_only));
  return text;
}

}  // namespace

std::string resolved_toml(const FrictionStudy& study) {
  std::string text = setting_text(study) + contact_text(study.contact);
  if (!study.epsilons.empty())
    text += fmt::format("\n[epsilon]\nvalues = {}\n", toml_list(study.epsilons));
  text += time_and_solvers_text(study.time, study.solvers);
  text += fmt::format("\n[inequality]\ndraws = {}\n", study.inequality_draws);
  text += history_text(study.history, study.asks_for_modes());
  for (const ExpectationSpec& e : study.expectations) text += expectation_text(e);
  for (const ModesClaim& claim : study.modes) text += modes_text(claim);
  return text;
}

}  // namespace rigidlimit
