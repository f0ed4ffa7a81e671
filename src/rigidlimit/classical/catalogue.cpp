#include "rigidlimit/classical/catalogue.hpp"

#include <fmt/format.h>

#include <utility>

#include "rigidlimit/classical/embedded_problems.hpp"
#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/problem_text.hpp"
#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// The entry of a problem written as text.
template <const char* const& toml>
ClassicalEntry written() {
  return entry_of(problem_text_in(toml, "built-in problem"));
}

}  // namespace

std::vector<double> ClassicalEntry::default_values() const {
  std::vector<double> values;
  for (const ClassicalParameter& parameter : parameters) values.push_back(parameter.default_value);
  return values;
}

std::span<const ClassicalEntry> classical_problems() {
  static const std::vector<ClassicalEntry> entries = [] {
    std::vector<ClassicalEntry> made;
    for (const auto entry :
         {written<prothero_robinson_toml>, written<kaps_toml>, written<van_der_pol_toml>,
          written<robertson_toml>, written<robertson_40_toml>, written<hires_toml>,
          written<orego_toml>, written<e5_toml>, written<pollution_toml>,
          written<ring_modulator_toml>})
      made.push_back(entry());  // entry_of() checks its parameters
    for (const auto entry :
         {pendulum_ode, pendulum_index_1, pendulum_index_2, pendulum_index_3, car_axis_index_2,
          car_axis, squeezing_mechanism_index_2, squeezing_mechanism, slider_crank, wheelset})
      made.push_back(with_checked_parameters(entry()));
    return made;
  }();
  return entries;
}

const ClassicalEntry* find_classical_problem(std::string_view name) {
  for (const ClassicalEntry& entry : classical_problems())
    if (name == entry.name) return &entry;
  return nullptr;
}

std::shared_ptr<const ClassicalEntry> shared_classical_problem(std::string_view name) {
  return {std::shared_ptr<void>(), find_classical_problem(name)};  // lives as long as the program
}

ClassicalEntry with_checked_parameters(ClassicalEntry entry) {
  entry.make = [make = std::move(entry.make), name = entry.name,
                parameters = entry.parameters](const std::vector<double>& values) {
    if (values.size() != parameters.size())
      throw InputError(
          fmt::format("{} has {} parameters, not {}", name, parameters.size(), values.size()));
    bool defaults = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ClassicalParameter& parameter = parameters[i];
      if (!parameter.range.contains(values[i]))
        throw InputError(fmt::format("{}: {} = {} must be {}", name, parameter.name, values[i],
                                     parameter.range.text()));
      defaults = defaults && values[i] == parameter.default_value;
    }
    ClassicalProblem problem = make(values);
    if (!defaults) problem.published.clear();
    return problem;
  };
  return entry;
}

std::vector<PrintedNumber> printed(std::initializer_list<const char*> texts) {
  std::vector<PrintedNumber> numbers;
  for (const char* text : texts) numbers.push_back({text});
  return numbers;
}

}  // namespace rigidlimit
