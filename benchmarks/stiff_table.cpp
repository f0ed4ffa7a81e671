#include "stiff_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/plan/build_info.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

struct Measurement {
  std::optional<EndSolve> solve;  ///< nullopt: the error was not reached
  double microseconds = std::numeric_limits<double>::infinity();
};

struct AtEpsilon {
  double epsilon = 0.0;
  EndReference reference;
  std::vector<Measurement> measurements;  ///< one for each contestant
};

AtEpsilon measure(const RollingStudy& study, const std::vector<Contestant>& all, double epsilon) {
  AtEpsilon result{
      .epsilon = epsilon, .reference = end_reference(study, epsilon), .measurements = {}};
  std::vector<EndProblem> problems;
  for (const Contestant& c : all) {
    problems.emplace_back(study, c.formulation, epsilon);
    result.measurements.push_back(
        {.solve = loosest_that_serves(problems.back(), *c.method, result.reference)});
  }
  const double begin = thread_seconds();
  for (int round = 0; round < 20 || thread_seconds() - begin < 1.0; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      Measurement& m = result.measurements[i];
      if (!m.solve) continue;
      const double start = thread_seconds();
      problems[i].solve(*all[i].method, m.solve->rtol);
      const double seconds = thread_seconds() - start;
      if (is_duration(seconds)) m.microseconds = std::min(m.microseconds, 1e6 * seconds);
    }
  return result;
}

/// The time of radau_iia, the reference of the ratios; infinite if it failed.
double yardstick(const std::vector<Contestant>& all, const AtEpsilon& at) {
  const OdeMethod* method = find_ode_method("radau_iia");
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].method == method) return at.measurements[i].microseconds;
  return std::numeric_limits<double>::infinity();
}

TextTable table_of_times(const std::vector<Contestant>& all, const std::vector<AtEpsilon>& at) {
  TextTable table{.headers = {"method", "variables"}, .left_aligned = {true, true}, .rows = {}};
  for (const AtEpsilon& e : at) {
    table.headers.push_back(fmt::format("ε = {:.0e}", e.epsilon));
    table.left_aligned.push_back(false);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<Cell> row{{all[i].method->name}, {name_of(all[i].formulation)}};
    for (const AtEpsilon& e : at) {
      const double us = e.measurements[i].microseconds;
      row.push_back({std::isfinite(us) ? fmt::format("{:.0f} ({:.2f})", us, us / yardstick(all, e))
                                       : "fails"});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable table_of_measurements(const std::vector<Contestant>& all,
                                const std::vector<AtEpsilon>& at) {
  TextTable table{
      .headers = {"ε", "method", "variables", "rtol", "end error", "steps", "rejected",
                  "right-hand sides", "Jacobians", "µs", "ratio"},
      .left_aligned = {false, true, true, false, false, false, false, false, false, false, false},
      .rows = {}};
  for (const AtEpsilon& e : at)
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<Cell> row{
          {fmt::format("{:.0e}", e.epsilon)}, {all[i].method->name}, {name_of(all[i].formulation)}};
      const Measurement& m = e.measurements[i];
      if (m.solve) {
        const Work& work = m.solve->work;
        for (const auto& text :
             {fmt::format("{:.1e}", m.solve->rtol), fmt::format("{:.1e}", m.solve->error),
              fmt::format("{}", work.steps), fmt::format("{}", work.rejected_steps),
              fmt::format("{}", work.rhs_evaluations), fmt::format("{}", work.jacobian_evaluations),
              fmt::format("{:.1f}", m.microseconds),
              fmt::format("{:.2f}", m.microseconds / yardstick(all, e))})
          row.push_back({text});
      } else {
        row.push_back({"fails"});
        row.resize(table.headers.size(), Cell{"-"});
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

TextTable table_of_references(const std::vector<AtEpsilon>& at) {
  TextTable table{.headers = {"ε", "radau_iia_7, rtol 1e-13", "radau_iia, rtol 1e-13"},
                  .left_aligned = {false, false, false},
                  .rows = {}};
  for (const AtEpsilon& e : at)
    table.rows.push_back({{fmt::format("{:.0e}", e.epsilon)},
                          {fmt::format("{:.1e}", e.reference.to_radau_7)},
                          {fmt::format("{:.1e}", e.reference.to_radau)}});
  return table;
}

}  // namespace

std::vector<Contestant> contestants() {
  std::vector<Contestant> all;
  for (const Formulation formulation : {Formulation::adapted, Formulation::natural})
    for (const char* method : {"radau_iia", "radau_iia_7", "cvode_bdf"})
      all.push_back({find_ode_method(method), formulation});
  return all;
}

std::vector<double> compared_epsilons() {
  return {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
}

std::string equal_error_report(const RollingStudy& study) {
  const std::vector<Contestant> all = contestants();
  std::vector<AtEpsilon> at;
  for (const double epsilon : compared_epsilons()) at.push_back(measure(study, all, epsilon));
  return fmt::format(
      "# {}: speed at equal achieved error\n\n"
      "Each method at the loosest tolerance (atol = rtol/100) at which, and at the next tighter of "
      "eight a decade, the error of q and v at t = {:g} is ≤ {:g}; output at the end only. "
      "*fails*: "
      "none within {} steps. Commit {}, {}, {}.\n\n"
      "Processor time of one solve in µs, and in brackets its ratio to radau_iia at the "
      "same ε:\n\n{}\nAll measurements:\n\n{}\n"
      "Distance of two other solves from the reference (radau_iia in 113 bits, adapted, rtol "
      "1e-16):\n\n{}",
      study.name, study.time.end, wanted_error, most_steps, build_commit(), build_compiler(),
      build_flags(), markdown_text(table_of_times(all, at)),
      markdown_text(table_of_measurements(all, at)), markdown_text(table_of_references(at)));
}

}  // namespace rigidlimit
