#include "rigidlimit/run/problem_to_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/problem_source/classical_source.hpp"
#include "rigidlimit/experiment/problem_source/contact_source.hpp"
#include "rigidlimit/run/read_file.hpp"

namespace rigidlimit {
namespace {

/// Sets a parameter of a classical problem from "stiffness=1e11".
void set_parameter(const ClassicalEntry& entry, const std::string& text,
                   std::vector<double>& values) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals),
                    number = text.substr(std::min(equals + 1, text.size()));
  const auto at = std::ranges::find(entry.parameters, name, &ClassicalParameter::name);
  if (at == entry.parameters.end()) {
    std::vector<std::string> known;
    for (const ClassicalParameter& p : entry.parameters) known.push_back(p.name);
    throw InputError(
        fmt::format("{} has no parameter '{}'{}", entry.name, name, suggestion(name, known)),
        "--set " + text);
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !at->range.contains(value))
    throw InputError(fmt::format("{} must be {}, not '{}'", name, at->range.text(), number),
                     "--set " + text);
  values[static_cast<std::size_t>(at - entry.parameters.begin())] = value;
}

WrittenProblem classical_problem(const ClassicalEntry& entry, const ProblemChoice& choice) {
  if (!choice.side.empty() || !choice.variables.empty() || !choice.law.empty() || choice.epsilon ||
      choice.free_law)
    throw InputError(
        "is a classical problem: --side, --variables, --law, --free-law and --epsilon are for "
        "study files",
        entry.name);
  std::vector<double> values = entry.default_values();
  for (const std::string& text : choice.overrides) set_parameter(entry, text, values);
  return classical_source(entry, values,
                          {.with_reference = choice.reference != "none",
                           .in_quad = choice.reference != "double",
                           .stop_requested = choice.stop_requested});
}

WrittenProblem contact_problem(const ProblemChoice& choice, const SystemCatalogue& systems) {
  const Experiment experiment = read_experiment(choice.name, choice.overrides, systems);
  const auto* study = std::get_if<RollingStudy>(experiment.spec.get());
  if (study == nullptr)
    throw InputError(
        "is a sweep, friction study or benchmark; only a rolling study has one right-hand side",
        choice.name);
  const std::vector<std::string>& laws = study->contact.laws;
  if (!choice.law.empty() && std::ranges::find(laws, choice.law) == laws.end())
    throw InputError(
        fmt::format("'{}' is not a law of this study{}", choice.law, suggestion(choice.law, laws)),
        "--law");
  if (choice.reference == "double")
    throw InputError("double is for classical problems; that of a study is quad", "--reference");
  const bool rigid = choice.side == "rigid";
  if (rigid && (choice.epsilon || !choice.law.empty()))
    throw InputError("is for the compliant side", choice.epsilon ? "--epsilon" : "--law");
  return contact_source(*study, {.rigid = rigid,
                                 .variables = choice.variables == "adapted" ? Formulation::adapted
                                                                            : Formulation::natural,
                                 .law = choice.law.empty() ? nullptr : find_law(choice.law),
                                 .epsilon = choice.epsilon.value_or(1e-3),
                                 .free_law = choice.free_law,
                                 .with_reference = choice.reference != "none",
                                 .stop_requested = choice.stop_requested});
}

}  // namespace

WrittenProblem problem_to_write(const ProblemChoice& choice, const SystemCatalogue& systems) {
  if (const ClassicalEntry* entry = find_classical_problem(choice.name))
    return classical_problem(*entry, choice);
  std::error_code failure;
  if (!choice.name.ends_with(".toml") && !std::filesystem::exists(choice.name, failure)) {
    std::vector<std::string> known;
    for (const ClassicalEntry& entry : classical_problems()) known.push_back(entry.name);
    throw InputError(fmt::format("'{}' is not a classical problem or a study file{}", choice.name,
                                 suggestion(choice.name, known, "rigidlimit list")));
  }
  return contact_problem(choice, systems);
}

}  // namespace rigidlimit
