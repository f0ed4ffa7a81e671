// Exports a problem of a study to solvers of other libraries, and solves it by our own methods
// beside them (benchmarks/peers/run_compiled).
//
//   benchmark_exported STUDY.toml VARIABLES EPSILON DIRECTORY
//
// VARIABLES are adapted, natural (compliant) or reduced (rigid; EPSILON is ignored). It writes
// problem.c and problem.json (benchmarks/exported_problem.hpp) to DIRECTORY, then answers each line
// "METHOD RTOL SECONDS" of the input with one line of JSON: a solve at atol = rtol/100, and the
// least processor time of further solves in SECONDS (0: none).
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "equal_error.hpp"
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

nlohmann::json description(const RollingStudy& study, const ExportedProblem& exported,
                           const EndReference& reference, double epsilon) {
  const VectorXd& y0 = exported.problem.problem.y0;
  return {{"study", study.name},
          {"system", study.system->info.name},
          {"epsilon", epsilon > 0.0 ? nlohmann::json(epsilon) : nlohmann::json(nullptr)},
          {"start", std::vector<double>(y0.begin(), y0.end())},
          {"start_time", exported.problem.problem.t0},
          {"end_time", study.time.end},
          {"end", std::vector<double>(reference.end.begin(), reference.end.end())},
          {"error_bar", reference.error_bar()},
          {"rate", nlohmann::json::parse(json_of(exported.rate))},
          {"end_state", nlohmann::json::parse(json_of(exported.end))},
          {"build", {build_commit(), build_compiler(), build_flags()}}};
}

nlohmann::json answer(const EndProblem& problem, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  double rtol = 0.0, budget = 0.0;
  if (!(words >> name >> rtol >> budget))
    throw InputError(fmt::format("'{}' is not 'METHOD RTOL SECONDS'", line));
  const OdeMethod* method = find_ode_method(name);
  if (!method) return {{"reason", fmt::format("no method '{}'", name)}};
  if (const std::string reason = refusal_of(*method, problem.problem()); !reason.empty())
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

int run(int argc, char** argv) {
  if (argc != 5)
    throw InputError("usage: benchmark_exported STUDY.toml VARIABLES EPSILON DIRECTORY");
  const RollingStudy study = read_rolling_study(argv[1]);
  const ExportedVariables variables = exported_variables(argv[2]);
  const bool rigid = variables == ExportedVariables::reduced;
  const double epsilon = rigid ? 0.0 : std::stod(argv[3]);
  const ExportedProblem exported = exported_problem(study, variables, epsilon);
  const EndReference reference = rigid ? rigid_end_reference(study) : end_reference(study, epsilon);
  const std::filesystem::path directory = argv[4];
  std::filesystem::create_directories(directory);
  write_text(directory / "problem.c", c_source(exported));
  write_text(directory / "problem.json",
             description(study, exported, reference, epsilon).dump(1) + "\n");
  const EndProblem problem(exported.problem, study.time.end);
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
