#include "rigidlimit/experiment/rolling/read_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/program_method.hpp"

namespace rigidlimit {

namespace {

const std::vector<std::string>& names_of_languages() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SourceLanguage language : source_languages) all.emplace_back(name_of(language));
    return all;
  }();
  return names;
}

ProgramSpec read_program(Section& table) {
  ProgramSpec program;
  program.path = std::filesystem::absolute(table.path("program")).lexically_normal().string();
  program.seconds = table.number("seconds", positive, program.seconds);
  if (table.has("source"))
    program.language = source_language(table.choice("source", names_of_languages(), std::nullopt));
  return program;
}

/// A solver of the rigid side only, such as "closed_form" and "ida".
bool is_other_solver(const std::string& name) {
  return find_rigid_solver(name) && !find_ode_method(name);
}

}  // namespace

ProgramSpecs read_programs(Section& solvers, const std::vector<std::string>& used) {
  ProgramSpecs programs;
  Section looked_at = solvers;  // a copy: keys() counts all keys as read
  for (const PlacedText& key : looked_at.keys()) {
    const std::string& name = key.text;
    if (!looked_at.has_table(name)) continue;
    Section table = looked_at.section(name, "solvers.NAME");
    if (!table.has("program")) continue;
    ProgramSpec& program = programs.emplace(name, read_program(table)).first->second;
    if (std::ranges::find(used, name) == used.end()) continue;
    if (is_other_solver(name)) table.fail("program", name + " is a solver of the library");
    try {
      program.method = &kept_method(program_method(
          name, program.path, {.time_limit = program.seconds, .language = program.language}));
    } catch (const InputError& error) {
      table.fail("program", error.what());
    }
  }
  return programs;
}

void declare_program(Section& table) {
  table.declare({"program", "", "the solver NAME is this program (docs/protocol.md)"}, "file path",
                "none");
  table.number({"seconds", "s", "limit of one solve by this program"}, positive, 60.0);
  table.choice(
      Key{"source", "", "language in which this program gets f and its Jacobian"}.otherwise(
          "none: it asks for values"),
      names_of_languages(), names_of_languages().front());
  const bool is_program = table.has("program");
  for (const char* key : {"seconds", "source"})
    if (table.has(key) && !is_program)
      table.fail(key, "is for solves by a program; name it with program");
}

std::string toml_of(const ProgramSpec& program) {
  return fmt::format(
      "program = {}\nseconds = {}\n{}", toml_text(program.path), toml_text(program.seconds),
      program.language ? fmt::format("source = \"{}\"\n", name_of(*program.language)) : "");
}

}  // namespace rigidlimit
