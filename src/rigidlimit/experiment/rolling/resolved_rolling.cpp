#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/rolling/read_contact.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

namespace {

std::string toml_matrix(const MatrixXd& X) {
  std::vector<std::string> rows;
  for (Index i = 0; i < X.rows(); ++i) rows.push_back(toml_list(VectorXd(X.row(i))));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string units_of(const std::vector<Component>& components) {
  std::vector<std::string> units;
  for (const Component& c : components) units.emplace_back(c.unit);
  return fmt::format("{}", fmt::join(units, ", "));
}

std::string tangent_text(const TangentSpec& tangent) {
  std::string text =
      fmt::format("\n[tangent]\nq = {}\nv = {}\n", toml_list(tangent.q), toml_list(tangent.v));
  if (!tangent.parameter.empty())
    text += fmt::format("parameter = {}\n", toml_text(tangent.parameter));
  return text;
}

std::string damping_text(const ContactSpec& c, ContactKeys keys) {
  const std::string text =
      c.damping_ratio ? fmt::format("damping_ratio = {}   # D = ratio x critical damping\n",
                                    toml_text(*c.damping_ratio))
                      : fmt::format("damping = {}   # D\n", toml_matrix(c.damping));
  if (!keys.exponent) return text;
  return text + fmt::format("damping_exponent = {}   # beta\n", toml_text(c.damping_exponent));
}

std::string contact_text(const RollingStudy& study, const ContactSpec& c) {
  const ContactKeys keys = keys_of(c);
  std::string text =
      fmt::format("\n[contact]\nlaw = {}\n",
                  study.has_several_laws() ? toml_list(c.laws) : toml_text(c.laws.front()));
  if (keys.stiffness) text += fmt::format("stiffness = {}   # C\n", toml_matrix(c.stiffness));
  if (keys.damping) text += damping_text(c, keys);
  if (!keys.preparation) return text;
  switch (c.preparation) {
    case ContactSpec::Preparation::unloaded: return text + "preparation = \"unloaded\"\n";
    case ContactSpec::Preparation::prepared: return text + "preparation = \"prepared\"\n";
    case ContactSpec::Preparation::given: break;
  }
  return text + fmt::format("preparation = \"given\"\ndeflection = {}   # y(0)/eps^2, m\n",
                            toml_list(c.deflection));
}

/// The keys that select the series of an expectation or a bound.
std::string series_text(const std::string& law, const Measure& measure) {
  return fmt::format("law = \"{}\"\nquantity = \"{}\"\nnorm = \"{}\"\nwindow = \"{}\"\n", law,
                     name_of(measure.quantity), name_of(measure.norm), name_of(measure.window));
}

std::string bound_text(const BoundSpec& spec) {
  const auto& [K, p, from, to] = spec.bound;
  std::string text = "\n[[bound]]\n" + series_text(spec.law, spec.measure);
  if (spec.subject == BoundSpec::Subject::solver_error)
    text += fmt::format("solver_error = {}\n", toml_text(K));
  else
    text += fmt::format("constant = {}\npower = {}\n", toml_text(K), toml_text(p));
  if (from > 0.0 || std::isfinite(to))
    text += fmt::format("epsilon = {}\n", toml_list(std::vector{from, to}));
  return text;
}

std::string steps_text(const StepsSpec& spec) {
  std::string text = fmt::format("\n[[expect]]\nlaw = \"{}\"\nquantity = \"steps\"\n", spec.law);
  if (std::isfinite(spec.at_least))
    text += fmt::format("growth_at_least = {}\n", toml_text(spec.at_least));
  if (std::isfinite(spec.at_most))
    text += fmt::format("growth_at_most = {}\n", toml_text(spec.at_most));
  if (spec.from > 0.0 || std::isfinite(spec.to))
    text += fmt::format("epsilon = {}\n", toml_list(std::vector{spec.from, spec.to}));
  return text;
}

std::string solvers_text(const RollingStudy& study) {
  const SolverSpec& s = study.solvers;
  std::string text = fmt::format("\n[solvers]\nrigid = {}\ncompliant = {}\n", toml_list(s.rigid),
                                 toml_list(s.compliant));
  const std::pair<const char*, double> tolerances[] = {{"rtol", s.rtol},
                                                       {"atol", s.atol},
                                                       {"rigid_rtol", s.rigid_rtol},
                                                       {"rigid_atol", s.rigid_atol},
                                                       {"reference_rtol", s.reference_rtol},
                                                       {"reference_atol", s.reference_atol},
                                                       {"tighten", s.tighten}};
  for (const auto& [key, value] : tolerances)
    text += fmt::format("{} = {}\n", key, toml_text(value));
  const auto formulation_text = [&](Formulation formulation) {
    return keys_of(study.contact).preparation
               ? fmt::format("formulation = \"{}\"\n", name_of(formulation))
               : std::string();
  };
  if (s.steps > 0) text += fmt::format("steps = {}\n", s.steps);
  text += fmt::format("max_steps = {}\n{}precision = \"{}\"\n", s.max_steps,
                      formulation_text(s.formulation), name_of(s.precision));
  for (const auto& [solver, own] : s.own)
    text += fmt::format("\n[solvers.{}]\nrtol = {}\natol = {}\n{}", solver,
                        toml_text(own.tolerance.rtol), toml_text(own.tolerance.atol),
                        formulation_text(own.formulation));
  return text;
}

/// All tables of a study except [[expect]] and [[bound]].
std::string setting_text(const RollingStudy& study) {
  std::string text = fmt::format(
      "[study]\nname = {}\nquestion = {}\nsource = {}\nagainst = \"{}\"\n", toml_text(study.name),
      toml_text(study.question), toml_text(study.source), name_of(study.against));
  if (study.composite_order)
    text += fmt::format("\n[composite]\norder = {}\n", *study.composite_order);
  const SystemEntry& system = study.tangent ? *study.tangent->system : *study.system;
  const InitialState& initial = study.tangent ? study.tangent->initial : study.initial;
  text += fmt::format("\n[system]\nname = {}\n", toml_text(system.info.name));
  for (std::size_t i = 0; i < study.parameters.size(); ++i)
    text += fmt::format("{} = {}   # {}\n", study.system->parameters[i].name,
                        toml_text(study.parameters[i]), study.system->parameters[i].unit);
  text += system.definition;
  text += fmt::format("\n[initial]\nq = {}   # {}\nv = {}   # {}\nproject = {}\n",
                      toml_list(initial.q), units_of(system.info.coordinates), toml_list(initial.v),
                      units_of(system.info.velocities), study.project);
  if (study.tangent) text += tangent_text(*study.tangent);
  text += contact_text(study, study.tangent ? study.tangent->contact : study.contact);
  text += fmt::format("\n[epsilon]\nvalues = {}\n", toml_list(study.epsilons));
  text += fmt::format(
      "\n[time]\nend = {}   # s\nstretch = {}\nsamples = {}\nlayer_samples = {}\nlayer_width = "
      "{}\nafter = {}   "
      "# s\n",
      toml_text(study.time.end), toml_text(study.time.stretch), study.time.samples,
      study.time.layer_samples, toml_text(study.time.layer_width), toml_text(study.after));
  if (study.time.end_only) text += "grid = \"end\"\n";
  text += solvers_text(study);
  if (study.kept_samples != KeptSamples::automatic)
    text += fmt::format("\n[output]\nsamples = \"{}\"\n", name_of(study.kept_samples));
  return text;
}

}  // namespace

std::string resolved_toml(const RollingStudy& study) {
  std::string text = setting_text(study);
  for (const ExpectationSpec& e : study.expectations) {
    text += "\n[[expect]]\n" + series_text(e.law.value_or(""), e.measure);
    if (e.convergence != Convergence::of_order)
      text += fmt::format("convergence = \"{}\"\nwithin = {}\n", name_of(e.convergence),
                          toml_text(e.within));
    if (e.order)
      text += fmt::format("order = {}\nwithin = {}\n", toml_text(*e.order), toml_text(e.within));
    if (e.ratio)
      text += fmt::format("ratio = {}\nratio_within = {}\n", toml_text(*e.ratio),
                          toml_text(e.ratio_within));
    if (!e.order_only.empty()) text += fmt::format("order_only = {}\n", toml_text(e.order_only));
  }
  for (const StepsSpec& spec : study.steps) text += steps_text(spec);
  for (const BoundSpec& spec : study.bounds) text += bound_text(spec);
  return text;
}

}  // namespace rigidlimit
