#include "rigidlimit/systems/text/system_formulas.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

// Beyond any text written by hand.
constexpr std::size_t most_components = 32;
constexpr std::size_t most_names = 1000;

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Whether a text is one number, "-20": not a formula.
bool is_number(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (begin == std::string::npos) return false;
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end + 1, value);
  return error == std::errc() && rest == text.data() + end + 1;
}

}  // namespace

SystemFormulas::SystemFormulas(SystemText of) : text(std::move(of)) {
  require_sizes();
  part_parameters();
  for (const auto& parameter : text.parameters)
    factors.push_back(value_in_si(1.0, parameter.info.unit));
  name_components();
  require_names_of_gaps();
  read_formulas();
  require_counts();
  moving = is_moving();
  if (!moving) return;
  for (const auto& x : text.coordinates)
    if (x.name.text == clock_name)
      refuse(x.name,
             "is the name of the time as a coordinate, which surfaces that move need; "
             "choose another name");
}

void SystemFormulas::require_sizes() const {
  if (text.coordinates.empty()) refuse(text.whole, "has no coordinates");
  if (text.constraint.empty() && text.contacts.empty())
    refuse(text.whole,
           "has no constraint, no constraint_position, no joints and no contacts; give at least "
           "one row, "
           "linear in the velocities. "
           "An ODE "
           "without a contact is a [problem] of a benchmark: rigidlimit help keys problem-text");
  for (const auto& [count, what] : {std::pair(text.coordinates.size(), "coordinates"),
                                    std::pair(text.velocities.size(), "velocities"),
                                    std::pair(text.constraint.size(), "constraint"),
                                    std::pair(text.exact_constraint.size(), "exact_constraint"),
                                    std::pair(text.invariants.size(), "invariants"),
                                    std::pair(text.conditions.size(), "conditions")})
    if (count > most_components)
      refuse(text.whole,
             fmt::format("{} entries of {}; the limit is {}", count, what, most_components));
  if (const std::size_t count = text.parameters.size() + text.lets.size(); count > most_names)
    refuse(text.whole, fmt::format("{} parameters and names of [system.let]; the limit is {}",
                                   count, most_names));
}

void SystemFormulas::require_names_of_gaps() const {
  std::set<std::string> names;
  for (const auto& x : text.coordinates) names.insert(x.name.text);
  for (const auto& v : text.velocities) names.insert(v.name.text);
  for (const auto& row : text.constraint) names.insert(row.name);
  for (const auto& row : text.constraint)
    if (row.is_position && names.contains(name_of_gap(row.name)))
      refuse(row.row, fmt::format("the gap of the joint '{}' is named {}, as another component is; "
                                  "rename one",
                                  row.name, name_of_gap(row.name)));
}

void add_names(const SystemText& text, const PlacedText& formula, std::set<std::string>& to) {
  for (const std::string& name : names_in(formula.text)) {
    if (!to.insert(name).second) continue;
    for (const auto& let : text.lets)
      if (let.name.text == name) add_names(text, let.formula, to);
  }
}

std::set<std::string> names_of_motion(const SystemText& text) {
  std::set<std::string> names;
  const auto add = [&](const PlacedText& formula) { add_names(text, formula, names); };
  for (const PlacedText* formula : {&text.kinetic_coenergy, &text.potential, &text.dissipation})
    add(*formula);
  for (const auto* list : {&text.applied_force, &text.force, &text.exact_constraint,
                           &text.quasi_velocities, &text.invariants, &text.kinks})
    std::ranges::for_each(*list, add);
  for (const auto& row : text.mass_matrix) std::ranges::for_each(row, add);
  for (const auto& row : text.constraint) add(row.row);
  for (const auto& x : text.coordinates) add(x.rate);
  for (const auto& contact : text.contacts)
    for (const PlacedText* formula : {&contact.gap, &contact.gap_scale, &contact.sliding_scale})
      add(*formula);
  return names;
}

void SystemFormulas::part_parameters() {
  std::set<std::string> of_contacts, of_motion = names_of_motion(text);
  for (const auto& contact : text.contacts) {
    for (const PlacedText* formula : {&contact.friction, &contact.restitution})
      add_names(text, *formula, of_contacts);
    const bool pushes = !names_in(contact.gap.text).empty();
    add_names(text, contact.normal_force, pushes ? of_motion : of_contacts);
  }
  for (const auto& x : text.coordinates) {
    for (const PlacedText* formula : {&x.start, &x.start_rate})
      add_names(text, *formula, of_motion);
    for (const PlacedText* formula : {&x.sliding_start, &x.sliding_start_rate})
      add_names(text, *formula, of_contacts);
  }
  for (const auto& v : text.velocities) {
    add_names(text, v.start, of_motion);
    add_names(text, v.sliding_start, of_contacts);
  }
  const auto is_of_motion = [&](const SystemText::Parameter& parameter) {
    return !of_contacts.contains(parameter.name.text) || of_motion.contains(parameter.name.text);
  };
  const auto last =
      std::stable_partition(text.parameters.begin(), text.parameters.end(), is_of_motion);
  motion_parameters = static_cast<std::size_t>(last - text.parameters.begin());
}

void SystemFormulas::name_components() {
  nq = std::ssize(text.coordinates);
  lagrange_coordinates = text.velocities.empty();
  n = lagrange_coordinates ? nq : std::ssize(text.velocities);
  m = std::ssize(text.constraint);
  ne = std::ssize(text.exact_constraint);
  for (const auto& parameter : text.parameters) names.define(parameter.name, on_nothing);
  for (const auto& x : text.coordinates) names.define(x.name, on_coordinates);
  for (const auto& v : text.velocities) {
    const auto is_rate = [&](const auto& x) { return SystemText::is_rate(v, x); };
    if (std::ranges::any_of(text.coordinates, is_rate))
      names.define(v.name, v.name.text, on_velocities);
    else
      names.define(v.name, on_velocities);
  }
  if (lagrange_coordinates)
    for (const auto& x : text.coordinates) names.define(x.name, x.name.text + "'", on_velocities);
  names.define_time();
  names.read_lets(text.lets, on_coordinates | on_velocities | on_time);
}

Formulas SystemFormulas::read_all(const std::vector<PlacedText>& formulas, unsigned may_depend) {
  Formulas made;
  for (const PlacedText& formula : formulas) made.push_back(names.read(formula, may_depend));
  return made;
}

Formulas SystemFormulas::read_one(const PlacedText& formula, unsigned may_depend) {
  return formula.text.empty() ? Formulas{} : read_all({formula}, may_depend);
}

SystemFormulas::Start SystemFormulas::read_start(const PlacedText& start, const std::string& unit) {
  return {names.read(start, on_nothing), is_number(start.text) ? value_in_si(1.0, unit) : 1.0};
}

std::vector<double> SystemFormulas::si_parameters(const std::vector<double>& given) const {
  std::vector<double> si;
  for (std::size_t i = 0; i < text.parameters.size(); ++i)
    si.push_back((i < given.size() ? given[i] : text.parameters[i].info.default_value) *
                 factors[i]);
  return si;
}

std::vector<double> SystemFormulas::values_of(const std::vector<Start>& starts,
                                              const std::vector<double>& constants) {
  std::vector<double> all;
  for (const Start& one : starts) all.push_back(one.formula.value(constants) * one.factor);
  return all;
}

std::vector<double> SystemFormulas::starting_coordinates(
    const std::vector<double>& constants) const {
  return values_of(q_start_, constants);
}
std::vector<double> SystemFormulas::starting_velocities(
    const std::vector<double>& constants) const {
  return values_of(v_start_, constants);
}
std::vector<double> SystemFormulas::sliding_coordinates(
    const std::vector<double>& constants) const {
  return values_of(q_sliding_, constants);
}
std::vector<double> SystemFormulas::sliding_velocities(const std::vector<double>& constants) const {
  return values_of(v_sliding_, constants);
}

std::string SystemFormulas::violation(std::size_t condition,
                                      const std::vector<double>& given) const {
  if (conditions_[condition].value(constants(given)) == 1.0) return {};
  const auto& [holds, meaning] = text.conditions[condition];
  std::set<std::string> needed;
  add_names(text, holds, needed);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < text.parameters.size(); ++i) {
    const ParameterInfo& p = text.parameters[i].info;
    if (!needed.contains(p.name)) continue;
    const double value = i < given.size() ? given[i] : p.default_value;
    values.push_back(fmt::format("{} = {}{}{}", p.name, value, p.unit == "1" ? "" : " ",
                                 p.unit == "1" ? "" : p.unit));
  }
  return fmt::format("the condition '{}' does not hold for {}{}{}",
                     shortened(printable(holds.text), 100), fmt::join(values, ", "),
                     meaning.empty() ? "" : ": ", printable(meaning));
}

void SystemFormulas::require_conditions(const std::vector<double>& given) const {
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    if (const std::string fault = violation(k, given); !fault.empty())
      throw InputError(fmt::format("{}: {}", text.name, fault));
}

void SystemFormulas::require_conditions_of_defaults() const {
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    if (const std::string fault = violation(k, {}); !fault.empty())
      refuse(text.conditions[k].holds, fault);
}

Formula SystemFormulas::read_friction(const PlacedText& friction) {
  Formula read = names.read(friction, on_coordinates | on_velocities | on_time);
  if (read.depends() != on_nothing)
    refuse(
        friction,
        fmt::format("'{0}' depends on the motion, but the coefficient of friction is a formula of "
                    "parameters. Friction that depends on place, speed or time acts by a given "
                    "normal force: normal = \"given\", friction = \"1\" and normal_force = "
                    "\"({0})*N\" with the load N (docs/extending.md)",
                    shortened(printable(friction.text), 100)));
  return read;
}

void SystemFormulas::read_starts() {
  const auto read = [this](const PlacedText& start, const PlacedText& sliding,
                           const std::string& unit, std::vector<Start>& to,
                           std::vector<Start>& sliding_to) {
    to.push_back(read_start(start, unit));
    if (!sliding.text.empty() && text.contacts.empty())
      refuse(sliding,
             "is the start of friction studies, but the system has no contacts; remove it");
    sliding_to.push_back(sliding.text.empty() ? to.back() : read_start(sliding, unit));
  };
  for (const auto& x : text.coordinates) {
    read(x.start, x.sliding_start, x.unit, q_start_, q_sliding_);
    if (lagrange_coordinates)
      read(x.start_rate, x.sliding_start_rate, rate_unit(x.unit), v_start_, v_sliding_);
  }
  for (const auto& velocity : text.velocities)
    read(velocity.start, velocity.sliding_start, velocity.unit, v_start_, v_sliding_);
}

void SystemFormulas::read_formulas() {
  constexpr unsigned q = on_coordinates, v = on_velocities, t = on_time;
  for (const auto& condition : text.conditions)
    conditions_.push_back(names.read_condition(condition.holds, on_nothing));
  read_starts();
  if (!lagrange_coordinates)
    for (const auto& x : text.coordinates) rates.push_back(names.read(x.rate, q | v | t));
  kinetic_coenergy = read_one(text.kinetic_coenergy, q | v);
  potential = read_one(text.potential, q);
  dissipation = read_one(text.dissipation, v);
  applied_force = read_all(text.applied_force, q | v | t);
  for (const auto& row : text.mass_matrix)
    std::ranges::move(read_all(row, q), std::back_inserter(mass_matrix));
  force = read_all(text.force, q | v | t);
  // Before the rows that contain them: messages name their places.
  for (const auto& part : text.joint_parts) joint_parts.push_back(names.read(part.formula, q | t));
  for (const auto& contact : text.constraint)
    constraint.push_back(names.read(contact.row, contact.is_position ? q | t : q | v | t));
  exact_constraint = read_all(text.exact_constraint, q | v | t);
  quasi_velocities = read_all(text.quasi_velocities, q | v | t);
  invariants = read_all(text.invariants, q | t);
  kinks = read_all(text.kinks, q | t);
  for (const auto& contact : text.contacts) {
    gap.push_back(names.read(contact.gap, q | t));
    normal_force.push_back(names.read(contact.normal_force, q | v | t));
    friction.push_back(read_friction(contact.friction));
    restitution.push_back(names.read(contact.restitution, on_nothing));
    gap_scale.push_back(read_one(contact.gap_scale, on_nothing));
    sliding_scale.push_back(read_one(contact.sliding_scale, on_nothing));
  }
}

bool SystemFormulas::is_moving() const {
  const auto on_t = [](const Formula& f) { return (f.depends() & on_time) != 0; };
  for (const Formulas* list :
       {&rates, &constraint, &exact_constraint, &quasi_velocities, &invariants, &gap, &kinks})
    if (std::ranges::any_of(*list, on_t)) return true;
  // For all values of the parameters: the number of coordinates does not depend on them.
  Recording recording;
  std::vector<Expression> slots(names.slot_count());
  for (std::size_t k = 0; k <= time(); ++k)
    if (k < first_v() || k == time()) slots[k] = recording.input();
  const std::vector<double> values = constants({});
  names.add_lets(slots, ~0U,
                 [&](const Formula& let, const auto& at) { return let.expression(at, values); });
  const auto at_rest = [&](const Formula& f) { return !is_zero(f.expression(slots, values)); };
  for (const Formulas* list : {&rates, &exact_constraint})
    if (std::ranges::any_of(*list, at_rest)) return true;
  for (std::size_t k = 0; k < constraint.size(); ++k)
    if (!text.constraint[k].is_position && at_rest(constraint[k])) return true;
  return false;
}

void SystemFormulas::require_count(const std::vector<PlacedText>& formulas, Index wanted,
                                   const char* why) const {
  if (formulas.empty() || std::ssize(formulas) == wanted) return;
  refuse(formulas.front(), fmt::format("the list has {}, but {} were expected: {}",
                                       plural(formulas.size(), "formula"), wanted, why));
}

void SystemFormulas::require_counts() const {
  const bool lagrangian = !kinetic_coenergy.empty();
  if (lagrangian == !mass_matrix.empty() || lagrangian == !force.empty())
    refuse(text.whole, "give kinetic_coenergy and potential, or mass_matrix and force");
  if (lagrangian && potential.empty())
    refuse(text.whole, "a kinetic_coenergy needs a potential; for a free body it is \"0\"");
  if (!lagrangian && !(dissipation.empty() && applied_force.empty()))
    refuse(text.whole,
           "dissipation and applied_force need kinetic_coenergy; with mass_matrix include them "
           "in force");
  if (!text.kinks.empty() && text.contacts.empty())
    refuse(text.kinks.front(), "kinks belong to contacts, but the system has no contacts");
  require_count(text.applied_force, n, "one for each velocity");
  require_count(text.force, n, "one for each velocity");
  const auto held =
      std::ranges::count(text.contacts, Normal::bilateral, &SystemText::ContactPoint::normal);
  require_count(text.quasi_velocities, n - ne - held - m,
                "velocities without exact rows, bilateral contacts and rolling rows");
  for (const auto& row : text.mass_matrix)
    if (std::ssize(row) != n || std::ssize(text.mass_matrix) != n)
      refuse(row.empty() ? text.whole : row.front(),
             fmt::format("mass_matrix must have {0} rows of {0} formulas", n));
}

}  // namespace rigidlimit
