#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

namespace {

/// A text of several lines, readable where TOML allows that.
std::string quoted_lines(const std::string& text) {
  return text.find("'''") == std::string::npos ? fmt::format("'''\n{}'''", text) : toml_text(text);
}

/// The shortest texts that read back as the same doubles.
std::string list(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string text_of(const ContactSet& set) {
  std::vector<std::string> formulations;
  for (const Formulation formulation : set.formulations)
    formulations.push_back(toml_text(name_of(formulation)));
  return fmt::format(
      "\n[[problem]]\nname = {}\nstudy = {}\nepsilon = {}\nformulations = [{}]\nend = {}   # s\n"
      "study_text = {}\n",
      toml_text(set.name), toml_text(set.file), list(set.epsilons), fmt::join(formulations, ", "),
      set.study->time.end, quoted_lines(resolved_toml(*set.study)));
}

std::string text_of(const ChainSet& set) {
  return fmt::format("\n[[problem]]\nname = {}\nchain = [{}]\nepsilon = {}\nend = {}   # s\n",
                     toml_text(set.name), fmt::join(set.counts, ", "), list(set.epsilons), set.end);
}

std::string text_of(const ClassicalSet& set) {
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < set.parameters.size(); ++i)
    parameters.push_back(fmt::format("{} = {}", set.entry->parameters[i].name, set.parameters[i]));
  return fmt::format(
      "\n[[problem]]\nname = {}\nclassical = {}\nparameters = {{{}}}\nend = {}\nreference = "
      "\"{}\"\n",
      toml_text(set.name), toml_text(set.entry->name), fmt::join(parameters, ", "), set.end,
      set.in_quad ? "quad" : "double");
}

}  // namespace

std::string resolved_toml(const Benchmark& b) {
  std::vector<std::string> methods;
  for (const OdeMethod* method : b.methods) methods.push_back(toml_text(method->name));
  std::string text = fmt::format(
      "[benchmark]\nname = {}\nkind = \"{}\"\nquestion = {}\nsource = {}\nmethods = [{}]\n",
      toml_text(b.name), name_of(b.kind), toml_text(b.question), toml_text(b.source),
      fmt::join(methods, ", "));
  if (b.kind == Benchmark::Kind::order_reduction)
    text += fmt::format("\n[step]\nh = {}   # s\n", list(b.steps));
  else if (b.kind == Benchmark::Kind::work_precision)
    text +=
        fmt::format("\n[tolerance]\nrtol = {}\natol_factor = {}\n", list(b.rtol), b.atol_factor);
  else
    text +=
        fmt::format("\n[tolerance]\nrtol = {}\natol_factor = {}\n", b.rtol.front(), b.atol_factor);
  text += b.samples == 0 ? "\n[judge]\nat = \"end\"\n"
                         : fmt::format("\n[judge]\nat = \"grid\"\nsamples = {}\n", b.samples);
  text += fmt::format("\n[limit]\nsteps = {}\n\n[timing]\nrepeats = {}\nmost_seconds = {}   # s\n",
                      b.most_steps, b.repeats, b.most_seconds);
  for (const ProblemSet& set : b.problems)
    text += std::visit([](const auto& one) { return text_of(one); }, set);
  return text;
}

}  // namespace rigidlimit
