#include "rigidlimit/experiment/ensemble/read_ensemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/units.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/ensemble/members.hpp"
#include "rigidlimit/experiment/pair/problem_options.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {
namespace {

using Of = VariedNumber::Of;
using Spread = VariedNumber::Spread;

// A member takes some kilobytes, and a report a row.
constexpr long most_members = 100'000;

/// A table [[ensemble.vary]] with its distributions apart.
struct VaryTable {
  std::string key;
  std::vector<double> uniform, log_uniform, normal, values;

  const std::vector<double>& numbers(Spread spread) const {
    switch (spread) {
      case Spread::uniform: return uniform;
      case Spread::log_uniform: return log_uniform;
      case Spread::normal: return normal;
      case Spread::values: break;
    }
    return values;
  }
};

const KeyTable<EnsembleSpec>& ensemble_keys() {
  using K = Keys<EnsembleSpec>;
  static const KeyTable<EnsembleSpec> table{
      "ensemble",
      {K::count({"members", "", "motions beside that of the study, which is member 0"},
                &EnsembleSpec::members, {1, most_members})
           .otherwise("the number of `values`"),
       K::count({"seed", "", "a member depends on seed, key and its number alone"},
                &EnsembleSpec::seed, {0, 1'000'000'000})}};
  return table;
}

const KeyTable<VaryTable>& vary_keys() {
  using K = Keys<VaryTable>;
  const auto list = [](KeyName name, std::vector<double> VaryTable::*member, const char* valid) {
    return K::numbers(name, member, any_finite)
        .otherwise("none")
        .valid(valid)
        .written_if([member](const VaryTable& t) { return !(t.*member).empty(); });
  };
  static const KeyTable<VaryTable> table{
      "[ensemble.vary]",
      {K::text({"key", "",
                "number that differs between members, in its own unit: \"initial.v.u\", "
                "\"system.mass\", \"contact.damping_ratio\""},
               &VaryTable::key)
           .needed()
           .valid("initial.q.NAME, initial.v.NAME, system.NAME, contact.damping_ratio"),
       list({"uniform", "own", "uniform distribution: both ends"}, &VaryTable::uniform,
            "[low, high]"),
       list({"log_uniform", "own", "distribution with a uniform logarithm: both ends"},
            &VaryTable::log_uniform, "[low, high], > 0"),
       list({"normal", "own", "normal distribution"}, &VaryTable::normal,
            "list of two numbers: mean and standard deviation"),
       list({"values", "own", "a value for each member"}, &VaryTable::values, "list of numbers")}};
  return table;
}

/// "initial.v.u" with a prefix: "u".
std::string name_behind(const std::string& key, const std::string& prefix) {
  return key.starts_with(prefix) ? key.substr(prefix.size()) : std::string();
}

/// Sets the kind, position and unit of the number `key`; false: there is none.
bool find_component(const std::vector<Component>& components, const std::string& name, Of of,
                    VariedNumber& number) {
  const auto at = std::ranges::find_if(
      components, [&](const Component& c) { return !c.is_clock && c.name == name; });
  if (at == components.end()) return false;
  number.of = of;
  number.index = static_cast<std::size_t>(at - components.begin());
  number.unit = at->given_unit.empty() ? at->unit : at->given_unit;
  number.unit_value = si_values({*at}, VectorXd::Ones(1))(0);
  return true;
}

std::vector<std::string> valid_keys(const RollingStudy& study) {
  std::vector<std::string> keys;
  for (const Component& c : visible(study.system->info.coordinates))
    keys.push_back("initial.q." + c.name);
  for (const Component& c : visible(study.system->info.velocities))
    keys.push_back("initial.v." + c.name);
  for (const ParameterInfo& p : study.system->parameters) keys.push_back("system." + p.name);
  if (study.contact.damping_ratio) keys.emplace_back("contact.damping_ratio");
  return keys;
}

VariedNumber number_of(const Section& section, const RollingStudy& study, const std::string& key) {
  VariedNumber number{.key = key};
  const SystemInfo& info = study.system->info;
  if (find_component(info.coordinates, name_behind(key, "initial.q."), Of::coordinate, number) ||
      find_component(info.velocities, name_behind(key, "initial.v."), Of::velocity, number))
    return number;
  const std::string parameter = name_behind(key, "system.");
  const auto& parameters = study.system->parameters;
  const auto at = std::ranges::find(parameters, parameter, &ParameterInfo::name);
  if (at != parameters.end()) {
    number.of = Of::parameter;
    number.index = static_cast<std::size_t>(at - parameters.begin());
    number.unit = at->unit;
    return number;
  }
  if (key == "contact.damping_ratio" && study.contact.damping_ratio) {
    number.of = Of::damping_ratio;
    return number;
  }
  section.fail("key", "no number of this study" + suggestion(key, valid_keys(study)));
}

/// The one distribution of the table.
void take_spread(const Section& section, const VaryTable& table, VariedNumber& number) {
  std::vector<Spread> given;
  for (const Spread spread : {Spread::uniform, Spread::log_uniform, Spread::normal, Spread::values})
    if (!table.numbers(spread).empty()) given.push_back(spread);
  if (given.size() != 1)
    section.fail("key", given.empty() ? "needs one of uniform, log_uniform, normal, values"
                                      : fmt::format("has two distributions, {} and {}; remove one",
                                                    name_of(given[0]), name_of(given[1])));
  number.spread = given.front();
  number.numbers = table.numbers(number.spread);
  if (number.spread == Spread::values) return;
  const char* const name = name_of(number.spread);
  const std::vector<double>& n = number.numbers;
  if (n.size() != 2) section.fail(name, fmt::format("must be two numbers, not {}", n.size()));
  if (number.spread == Spread::normal) {
    if (!(n[1] > 0.0)) section.fail(name, "the standard deviation must be > 0");
  } else if (!(n[0] < n[1])) {
    section.fail(name, "the first number must be below the second");
  } else if (number.spread == Spread::log_uniform && !(n[0] > 0.0)) {
    section.fail(name, "both numbers must be > 0");
  }
}

/// Options of the study beside those of problem_options.hpp that members cannot follow.
std::string uncovered_setting(const RollingStudy& study) {
  const SolverSpec& s = study.solvers;
  if (s.precision != Precision::binary64) return "solvers.precision = \"quad\"";
  if (s.certified) return "solvers.certified = true";
  if (s.steps > 0) return fmt::format("solvers.steps = {}", s.steps);
  if (study.time.end_only) return "time.grid = \"end\"";
  if (!study.steps.empty()) return "[[expect]] with quantity = \"steps\"";
  for (const ExpectationSpec& e : study.expectations) {
    if (e.measure.norm != Norm::sup)
      return fmt::format("[[expect]] with norm = \"{}\"", name_of(e.measure.norm));
    if (e.ratio) return "[[expect]] with ratio";
  }
  for (const BoundSpec& b : study.bounds) {
    if (b.measure.norm != Norm::sup)
      return fmt::format("[[bound]] with norm = \"{}\"", name_of(b.measure.norm));
    if (b.proof != BoundSpec::Proof::none) return "[[bound]] with proved";
  }
  return {};
}

void require_covered(const Section& section, const RollingStudy& study) {
  if (const std::string refusal = refusal_of(consumers::ensemble, study); !refusal.empty())
    section.fail("", refusal);
  if (const std::string setting = uncovered_setting(study); !setting.empty())
    section.fail("", fmt::format("{} is not covered by the ensemble: members are solved in double "
                                 "with error control and judged in the sup norm",
                                 setting));
}

void read_vary(Section section, const RollingStudy& study, EnsembleSpec& ensemble) {
  VaryTable table;
  vary_keys().read(section, table);
  VariedNumber number = number_of(section, study, table.key);
  section.finish();  // before a misspelt distribution counts as missing
  take_spread(section, table, number);
  for (const VariedNumber& other : ensemble.vary)
    if (other.key == number.key) section.fail("key", "two tables vary it; remove one");
  if (number.spread == Spread::values) {
    const auto count = std::ssize(number.numbers);
    if (ensemble.members == 0) ensemble.members = count;
    if (ensemble.members != count)
      section.fail("values", fmt::format("has {} numbers for {} members", count, ensemble.members));
  }
  if (number.of == Of::parameter) ensemble.parameters.push_back(number.index);
  ensemble.vary.push_back(std::move(number));
}

}  // namespace

std::vector<KeyTableInfo> tables_of_ensembles() {
  return {ensemble_keys().info(), vary_keys().info()};
}

void read_ensemble(Section section, RollingStudy& study) {
  require_covered(section, study);
  EnsembleSpec ensemble;
  ensemble_keys().read(section, ensemble);
  std::vector<Section> tables =
      section.sections("vary", "{key = \"initial.v.NAME\", uniform = [low, high]}");
  section.finish();
  for (Section& table : tables) read_vary(std::move(table), study, ensemble);
  if (ensemble.vary.empty())
    section.missing("vary", "a list of tables: [[ensemble.vary]] with key and a distribution");
  if (ensemble.members == 0) section.missing("members", "the number of members");
  try {
    ensemble.model = ensemble.parameters.empty()
                         ? study.model
                         : family_of(*study.system, study.parameters, ensemble.parameters);
  } catch (const InputError& error) {
    section.fail("vary", error.what());
  }
  study.ensemble = std::move(ensemble);
  const MatrixXd numbers = drawn_numbers(study);
  for (Index k = 0; k < numbers.cols(); ++k)
    if (const std::string fault = fault_of_member(study, numbers.col(k)); !fault.empty())
      section.fail("vary", fmt::format("member {}: {}", k, fault));
}

std::string ensemble_text(const EnsembleSpec& ensemble) {
  std::string text = ensemble_keys().text(ensemble);
  for (const VariedNumber& number : ensemble.vary) {
    VaryTable table{.key = number.key};
    switch (number.spread) {
      case Spread::uniform: table.uniform = number.numbers; break;
      case Spread::log_uniform: table.log_uniform = number.numbers; break;
      case Spread::normal: table.normal = number.numbers; break;
      case Spread::values: table.values = number.numbers; break;
    }
    text += vary_keys().text(table);
  }
  return text;
}

}  // namespace rigidlimit
