// The subcommand `describe`.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/cli/describe_system.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_system_text.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "--linearise prints M, D, Gamma, K, H and the eigenvalues of small motions about\n"
    "the state of --q and --v.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit describe rolling_disk\n"
    "  rigidlimit describe rolling_disk --linearise --q 0,0,0,0,0 --v 2,0,0,0,4\n"
    "  rigidlimit describe knife_edge --set mass=2.5\n"
    "  rigidlimit describe experiments/systems/roller_racer.toml\n"
    "  rigidlimit describe radau_iia\n"
    "  rigidlimit describe van_der_pol";

struct DescribeArguments {
  const SystemCatalogue* systems = nullptr;
  std::string name;
  SystemView view;
};

template <class Method>
void describe_method(const char* name, const char* title, const Method& m) {
  fmt::print("{}: {}\n  order {}, {}\n  source: {}\n", name, title, m.order, m.stability, m.source);
}

/// Describes a benchmark problem.
void describe_problem(const ClassicalEntry& entry) {
  const ClassicalProblem problem = entry.make_default();
  fmt::print("{}: {}\n  {}, {} components, t from {:g} to {:g}\n", entry.name, entry.title,
             entry.dae ? fmt::format("DAE of index {}", entry.index) : "ODE", problem.size(),
             problem.t0, problem.end);
  for (const ClassicalParameter& p : entry.parameters)
    fmt::print("  {} = {:g} ({}): {}\n", p.name, p.default_value, p.range.text(), p.text);
  fmt::print("  source: {}\n", entry.source);
}

std::vector<std::string> known_names(const SystemCatalogue& systems) {
  std::vector<std::string> known = names_of(systems);
  for (const auto& names :
       {names_of_laws(), names_of_rigid_solvers(), names_of_compliant_solvers()})
    for (const std::string& name : names)
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  for (const ClassicalEntry& entry : classical_problems()) known.push_back(entry.name);
  return known;
}

/// Describes a system (also in a file), a law, a solver or a classical problem.
int describe(const DescribeArguments& arguments) {
  const SystemCatalogue& systems = *arguments.systems;
  const std::string& name = arguments.name;
  if (is_system_file(name)) {
    describe_system(*system_in_file(name, systems), arguments.view);
    return exit_status::held;
  }
  if (const SystemEntry* system = find_system(systems, name)) {
    describe_system(*system, arguments.view);
    return exit_status::held;
  }
  for (const LawInfo& law : laws())
    if (name == law.name) {
      fmt::print("{}: {}\n  eps: {}\n  expected sup-norm orders: {}\n  source: {}\n", law.name,
                 law.equations, law.small_parameter, law.expected, law.source);
      return exit_status::held;
    }
  if (const OdeMethod* method = find_ode_method(name)) {
    describe_method(method->name, method->title, *method);
    return exit_status::held;
  }
  if (const RigidSolver* solver = find_rigid_solver(name)) {
    if (solver->form == RigidForm::closed_form)
      fmt::print("{}: {}\n", solver->name, solver->title);
    else
      describe_method(solver->name, solver->title, *find_dae_method("ida"));
    return exit_status::held;
  }
  if (const ClassicalEntry* problem = find_classical_problem(name)) {
    describe_problem(*problem);
    return exit_status::held;
  }
  const std::vector<std::string> known = known_names(systems);
  throw InputError(fmt::format("'{}' is not a system, law, solver or classical problem{}", name,
                               suggestion(name, known, "rigidlimit list")));
}

}  // namespace

Subcommand add_describe(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "describe",
                  "Describe a system, law, solver or problem: equations, parameters, source",
                  footer);
  const auto arguments = std::make_shared<DescribeArguments>();
  arguments->systems = &systems;
  SystemView& view = arguments->view;
  command.option("NAME", arguments->name, "name from 'rigidlimit list', or a system file")
      .required();
  command.option("--set", view.parameters, "set a parameter, e.g. mass=2.5; repeatable")
      .value("NAME=VALUE")
      .one_at_a_time();
  command.option("--q", view.q, "coordinates (default: start of the system)")
      .parted_by(',')
      .value("Q1,Q2,...");
  command.option("--v", view.v, "velocities, projected onto rolling")
      .parted_by(',')
      .value("V1,V2,...");
  command.flag("--linearise", view.linearise, "print matrices and eigenvalues of small motions");
  return {command, [arguments] { return describe(*arguments); }, {{"NAME", known_names(systems)}}};
}

}  // namespace rigidlimit
