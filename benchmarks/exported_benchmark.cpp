// Exports a problem to solvers of other libraries, and solves it by our own methods beside them
// (benchmarks/peers/run_compiled).
//
//   benchmark_exported STUDY.toml VARIABLES EPSILON DIRECTORY
//   benchmark_exported --classical NAME FORM DIRECTORY
//   benchmark_exported --classical                             lists "NAME FORM" of all problems
//
// VARIABLES are adapted, natural (compliant) or reduced (rigid; EPSILON is ignored). FORM is ode or
// dae. It writes problem.c and problem.json (benchmarks/exported_problem.hpp) to DIRECTORY, then
// answers each line "METHOD RTOL SECONDS" of the input with one line of JSON: a solve at this rtol,
// and the least processor time of further solves in SECONDS (0: none). atol is rtol/100, or a
// vector of the classical problem (benchmarks/exported_classical.hpp).
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "equal_error.hpp"
#include "exported_classical.hpp"
#include "exported_problem.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/build_info.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

/// One exported problem for our own methods.
struct RacedProblem {
  std::function<std::string(const OdeMethod&)> refusal;  ///< empty text: the method solves it
  std::function<Solution(const OdeMethod&, double rtol)> solve;
  std::function<VectorXd(const Solution&)> end;  ///< the compared quantities
};

std::vector<double> numbers(const VectorXd& x) {
  return {x.begin(), x.end()};
}

nlohmann::json common_description(const OdeProblem& equations, const ExportedTapes& tapes) {
  return {{"start", numbers(equations.y0)},
          {"start_time", equations.t0},
          {"rate", nlohmann::json::parse(json_of(tapes.rate))},
          {"end_state", nlohmann::json::parse(json_of(tapes.end))},
          {"build", {build_commit(), build_compiler(), build_flags()}}};
}

nlohmann::json description(const RollingStudy& study, const ExportedProblem& exported,
                           const EndReference& reference, double epsilon) {
  nlohmann::json result = common_description(exported.problem.problem, exported.tapes);
  result.update({{"study", study.name},
                 {"system", study.system->info.name},
                 {"epsilon", epsilon > 0.0 ? nlohmann::json(epsilon) : nlohmann::json(nullptr)},
                 {"end_time", study.time.end},
                 {"end", numbers(reference.end)},
                 {"error_bar", reference.error_bar()}});
  return result;
}

/// With atol/rtol of each unknown, the scales of the error (null: infinite), and of a DAE the
/// diagonal of M and the index of each unknown.
nlohmann::json description(const ExportedClassical& exported) {
  const ClassicalProblem& problem = exported.problem;
  const ClassicalReference reference = classical_reference(problem);
  nlohmann::json result = common_description(exported.equations(), exported.tapes);
  result.update({{"system", problem.name},
                 {"epsilon", nullptr},
                 {"end_time", problem.end},
                 {"end", numbers(reference.end)},
                 {"scale", numbers(reference.scale)},
                 {"error_bar", reference.error_bar},
                 {"atol_over_rtol", atol_over_rtol(exported)}});
  if (exported.form == ClassicalForm::dae) {
    result["mass"] = numbers(problem.real.dae->mass.diagonal());
    result["index"] = problem.real.dae->index;
  }
  return result;
}

nlohmann::json answer(const RacedProblem& problem, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  double rtol = 0.0, budget = 0.0;
  if (!(words >> name >> rtol >> budget))
    throw InputError(fmt::format("'{}' is not 'METHOD RTOL SECONDS'", line));
  const OdeMethod* method = find_ode_method(name);
  if (!method) return {{"reason", fmt::format("no method '{}'", name)}};
  if (const std::string reason = problem.refusal(*method); !reason.empty())
    return {{"reason", reason}};
  const Solution solution = problem.solve(*method, rtol);
  const Work& work = solution.work;
  nlohmann::json result{{"reason", solution.message},
                        {"t_reached", solution.t_reached},
                        {"last_step", solution.last_step},
                        {"counts",
                         {{"steps", work.steps},
                          {"rejected", work.rejected_steps},
                          {"rhs", work.rhs_evaluations},
                          {"jacobians", work.jacobian_evaluations},
                          {"factorisations", work.factorisations},
                          {"solves", work.linear_solves},
                          {"newton", work.newton_iterations}}}};
  if (solution.outcome == Outcome::success) {
    const VectorXd end = problem.end(solution);
    result["end"] = std::vector<double>(end.begin(), end.end());
  }
  const double begin = thread_seconds();
  double least = std::numeric_limits<double>::infinity();
  long repeats = 0;
  while (thread_seconds() - begin < budget) {
    const double start = thread_seconds();
    const Solution again = problem.solve(*method, rtol);
    const double seconds = thread_seconds() - start;
    if (!is_duration(seconds)) continue;
    least = std::min(least, seconds);
    ++repeats;
  }
  if (repeats > 0) result["seconds"] = least;
  result["repeats"] = repeats;
  return result;
}

/// Writes problem.c and problem.json.
void write_problem(const std::filesystem::path& directory, const ExportedTapes& tapes,
                   const nlohmann::json& description) {
  std::filesystem::create_directories(directory);
  write_text(directory / "problem.c", c_source(tapes));
  write_text(directory / "problem.json", description.dump(1) + "\n");
}

int answer_all(const RacedProblem& problem) {
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json result;
    try {
      result = answer(problem, line);
    } catch (const InputError& refusal) {  // a method may refuse the problem
      result = {{"reason", refusal.what()}};
    }
    std::cout << result.dump() << std::endl;
  }
  return 0;
}

int race_rolling(const char* path, const char* of_variables, const char* of_epsilon,
                 const char* directory) {
  const RollingStudy study = read_rolling_study(path);
  const ExportedVariables variables = exported_variables(of_variables);
  const bool rigid = variables == ExportedVariables::reduced;
  const double epsilon = rigid ? 0.0 : std::stod(of_epsilon);
  const ExportedProblem exported = exported_problem(study, variables, epsilon);
  const EndReference reference = rigid ? rigid_end_reference(study) : end_reference(study, epsilon);
  write_problem(directory, exported.tapes, description(study, exported, reference, epsilon));
  const EndProblem problem(exported.problem, study.time.end);
  return answer_all(
      {.refusal = [&](const OdeMethod& method) { return refusal_of(method, problem.problem()); },
       .solve = [&](const OdeMethod& method, double rtol) { return problem.solve(method, rtol); },
       .end = [&](const Solution& solution) { return problem.end(solution); }});
}

int race_classical(const char* name, const char* form, const char* directory) {
  const ExportedClassical exported = exported_classical(name, form);
  write_problem(directory, exported.tapes, description(exported));
  return answer_all(
      {.refusal = [&](const OdeMethod& method) { return refusal_of(method, exported); },
       .solve = [&](const OdeMethod& method, double rtol) { return solve(exported, method, rtol); },
       .end = [&](const Solution& solution) { return end_of(exported, solution); }});
}

int list_classical() {
  for (const ClassicalEntry& entry : classical_problems()) {
    fmt::print("{} ode\n", entry.name);
    if (entry.dae) fmt::print("{} dae\n", entry.name);
  }
  return 0;
}

int run(int argc, char** argv) {
  const bool classical = argc > 1 && std::string(argv[1]) == "--classical";
  if (classical && argc == 2) return list_classical();
  if (argc != 5)
    throw InputError(
        "usage: benchmark_exported STUDY.toml VARIABLES EPSILON DIRECTORY, or benchmark_exported "
        "--classical [NAME FORM DIRECTORY]");
  if (classical) return race_classical(argv[2], argv[3], argv[4]);
  return race_rolling(argv[1], argv[2], argv[3], argv[4]);
}

}  // namespace
}  // namespace rigidlimit

int main(int argc, char** argv) {
  try {
    return rigidlimit::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_exported: %s\n", error.what());
    return 2;
  }
}
