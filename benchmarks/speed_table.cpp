#include "speed_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "cvode_by_hand.hpp"
#include "equal_error.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/plan/build_info.hpp"
#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

constexpr double not_reached = std::numeric_limits<double>::infinity();

/// A solver for searches and timings: the call, and (q, v) at the end.
struct Racer {
  std::string name, formulation;
  std::function<Solution(double rtol)> solve;
  std::function<VectorXd(const Solution&)> end;
};

/// The loosest of four tolerances a decade that reaches the wanted error, if the next one does too.
/// The search ends after a solve of more than `patience` seconds.
SpeedEntry searched(const Racer& racer, const VectorXd& reference, double patience) {
  SpeedEntry entry{.name = racer.name, .formulation = racer.formulation};
  bool before = false;
  SpeedEntry last = entry;
  for (int k = 4; k <= 54; ++k) {
    const double rtol = std::pow(10.0, -k / 4.0);
    const double begin = thread_seconds();
    const Solution solution = racer.solve(rtol);
    const double error = solution.outcome == Outcome::success
                             ? (racer.end(solution) - reference).lpNorm<Eigen::Infinity>()
                             : not_reached;
    const bool serves = error <= wanted_error;
    if (serves && before) return last;
    if (serves) {
      last.reached = true;
      last.rtol = rtol;
      last.error = error;
      last.work = solution.work;
    }
    before = serves;
    if (thread_seconds() - begin > patience) break;
  }
  return entry;
}

/// Twelve rounds over all solvers that reached the error, each of two milliseconds or one solve.
void take_times(const std::vector<Racer>& racers, std::vector<SpeedEntry>& entries) {
  for (SpeedEntry& entry : entries) entry.microseconds = not_reached;
  for (int round = 0; round < 12; ++round)
    for (std::size_t i = 0; i < racers.size(); ++i) {
      if (!entries[i].reached) continue;
      const double begin = thread_seconds();
      do {
        const double start = thread_seconds();
        const Solution solution = racers[i].solve(entries[i].rtol);
        const double seconds = thread_seconds() - start;
        if (is_duration(seconds))
          entries[i].microseconds = std::min(entries[i].microseconds, 1e6 * seconds);
      } while (thread_seconds() - begin < 2e-3);
    }
}

/// Keeps only the best of the entries from `first` on.
void keep_best(std::size_t first, std::vector<Racer>& racers, std::vector<SpeedEntry>& entries) {
  std::size_t best = first;
  for (std::size_t i = first; i < entries.size(); ++i)
    if (entries[i].microseconds < entries[best].microseconds) best = i;
  if (best < entries.size()) {
    std::swap(entries[first], entries[best]);
    std::swap(racers[first], racers[best]);
    entries.resize(first + 1);
    racers.resize(first + 1);
  }
}

SpeedRow raced(SpeedRow row, std::vector<Racer> racers, std::size_t always) {
  std::vector<SpeedEntry> entries;
  double patience = 10.0;
  for (const Racer& racer : racers) {
    entries.push_back(searched(racer, row.end, patience));
    if (entries.size() == 1 && entries.front().reached) {
      take_times({racers.front()}, entries);
      patience = std::max(1e-3 * entries.front().microseconds, 0.02);  // a thousand times ours
    }
    if (entries.size() == always) patience = std::max(0.1 * patience, 0.02);
  }
  take_times(racers, entries);
  if (always < racers.size()) keep_best(always, racers, entries);
  take_times(racers, entries);  // the remaining solvers in turns
  row.ours = entries.front();
  row.others.assign(entries.begin() + 1, entries.end());
  return row;
}

/// Operations of a batch of the eight-stage method without its right-hand sides, for N_x slow
/// components and m contacts: products with A of every row of x and w, of λ with C and D, of η, the
/// transforms to modes and back, and their m × m systems.
long operations_of_algebra(Index slow, Index m) {
  const long product = 2 * 8 * 8;
  return product * (slow + m) + 3 * product * m + 8 * 4 * m * m + 4 * 8 * m * m;
}

}  // namespace

SpeedRow compliant_speed(const RollingStudy& study, double epsilon) {
  const EndReference reference = end_reference(study, epsilon);
  SpeedRow row{.system = study.system->info.name,
               .epsilon = epsilon,
               .end = reference.end,
               .error_bar = reference.error_bar()};
  std::vector<Racer> racers;
  const auto add = [&](const OdeMethod& method, Formulation formulation) {
    const auto problem = std::make_shared<const EndProblem>(study, formulation, epsilon);
    racers.push_back({method.name, name_of(formulation),
                      [&method, problem](double rtol) { return problem->solve(method, rtol); },
                      [problem](const Solution& solution) { return problem->end(solution); }});
  };
  add(*find_ode_method("radau_iia"), Formulation::adapted);
  add(*find_ode_method("cvode_bdf"), Formulation::adapted);
  const Index size = study.model.nq + study.model.n;
  const auto head = [size](const Solution& solution) -> VectorXd {
    return solution.states.col(0).head(size);
  };
  if (CvodeByHand::knows(study))
    racers.push_back({"cvode_bdf by hand", "natural",
                      [by_hand = std::make_shared<const CvodeByHand>(study, epsilon)](double rtol) {
                        return by_hand->solve(rtol, 1000000);
                      },
                      head});
  add(*find_ode_method("radau_iia_7"), Formulation::adapted);
  add(*find_ode_method("radau_iia"), Formulation::natural);
  const std::size_t always = racers.size();
  for (const OdeMethod& method : ode_methods())
    for (const Formulation formulation : {Formulation::adapted, Formulation::natural})
      if (library_of(method) != "own" && method.order >= 4) add(method, formulation);
  row = raced(std::move(row), std::move(racers), always);
  const Work& work = row.ours.work;
  const AdaptedFrame frame(study.model, rigid_start(study).q, {});
  const Index slow = study.model.nq + frame.free();
  const double batches = static_cast<double>(work.rhs_evaluations) / 8.0;
  row.operations_per_step =
      batches / static_cast<double>(std::max(1L, work.steps)) *
      static_cast<double>(
          8 * operations_of(frame.usual_tapes().packs(AdaptedMotion::compliant).tape()) +
          operations_of_algebra(slow, frame.rank()));
  return row;
}

SpeedRow rigid_speed(const RollingStudy& study) {
  const InitialState start = rigid_start(study);
  const double end_time = study.time.end;
  const auto reduced =
      std::make_shared<const MotionProblem<OdeProblem>>(rigid_reduced<double>(study.model, start));
  const auto index2 = std::make_shared<const MotionProblem<DaeProblem>>(
      rigid_dae(study.model, start, MultiplierForm::index2));
  const Index size = study.model.nq + study.model.n;
  const auto qv_of = [size](const MotionProblem<OdeProblem>& problem, const Solution& solution) {
    const Motion motion = problem.motion(solution);
    VectorXd end(size);
    end << motion.q.col(0), motion.v.col(0);
    return end;
  };
  const EndReference reference = rigid_end_reference(study);
  SpeedRow row{
      .system = study.system->info.name, .end = reference.end, .error_bar = reference.error_bar()};
  std::vector<Racer> racers;
  for (const char* name : {"radau_iia", "radau_iia_7", "runge_kutta_fehlberg78"})
    racers.push_back({name, "reduced",
                      [=, method = find_ode_method(name)](double rtol) {
                        return method->solve(reduced->problem, {end_time}, options_at(rtol));
                      },
                      [=](const Solution& solution) { return qv_of(*reduced, solution); }});
  racers.insert(
      racers.begin() + 1,
      {"ida", "index 2",
       [=, method = find_dae_method("ida")](double rtol) {
         return method->solve(index2->problem, {end_time}, options_at(rtol));
       },
       [size](const Solution& solution) -> VectorXd { return solution.states.col(0).head(size); }});
  const std::size_t all = racers.size();
  return raced(std::move(row), std::move(racers), all);
}

namespace {

std::string at(const SpeedRow& row) {
  return row.epsilon > 0.0 ? fmt::format("{:.0e}", row.epsilon) : "rigid";
}

std::vector<Cell> measured(const SpeedRow& row, const SpeedEntry& entry) {
  std::vector<Cell> cells{{row.system}, {at(row)}, {entry.name}, {entry.formulation}};
  if (!entry.reached) {
    cells.push_back({"not reached"});
    cells.resize(11, Cell{"-"});
    return cells;
  }
  for (const std::string& text :
       {fmt::format("{:.1e}", entry.rtol), fmt::format("{:.1e}", entry.error),
        fmt::format("{}", entry.work.steps), fmt::format("{}", entry.work.rejected_steps),
        fmt::format("{}", entry.work.rhs_evaluations), fmt::format("{:.1f}", entry.microseconds),
        fmt::format("{:.1f}", entry.microseconds / row.ours.microseconds)})
    cells.push_back({text});
  return cells;
}

/// Ticks of the processor's clock in a microsecond; 0 if unknown.
double ticks_per_microsecond() {
#if defined(__x86_64__)
  const double begin = thread_seconds();
  const auto first = __builtin_ia32_rdtsc();
  while (thread_seconds() - begin < 0.05) {
  }
  return static_cast<double>(__builtin_ia32_rdtsc() - first) / (1e6 * (thread_seconds() - begin));
#else
  return 0.0;
#endif
}

TextTable table_of_ours(const std::vector<SpeedRow>& rows) {
  TextTable table{.headers = {"system", "ε", "steps", "batches of 8 a step", "cycles a step",
                              "operations a step", "operations a cycle"},
                  .left_aligned = {true, true, false, false, false, false, false},
                  .rows = {}};
  const double ticks = ticks_per_microsecond();
  for (const SpeedRow& row : rows) {
    if (row.operations_per_step == 0.0 || !row.ours.reached) continue;
    const auto steps = static_cast<double>(row.ours.work.steps);
    const double cycles = ticks * row.ours.microseconds / steps;
    table.rows.push_back(
        {{row.system},
         {at(row)},
         {fmt::format("{}", row.ours.work.steps)},
         {fmt::format("{:.1f}", static_cast<double>(row.ours.work.rhs_evaluations) / 8.0 / steps)},
         {fmt::format("{:.0f}", cycles)},
         {fmt::format("{:.0f}", row.operations_per_step)},
         {fmt::format("{:.2f}", row.operations_per_step / cycles)}});
  }
  return table;
}

/// A solver that every row lists: its name and variables. The last entry of a compliant row is the
/// fastest of the libraries.
using Rival = std::pair<std::string, std::string>;

bool has_best(const SpeedRow& row) {
  return row.epsilon > 0.0;
}

std::vector<Rival> rivals_in(const std::vector<SpeedRow>& rows) {
  std::vector<Rival> rivals;
  for (const SpeedRow& row : rows) {
    const std::size_t listed = row.others.size() - (has_best(row) ? 1 : 0);
    for (std::size_t k = 0; k < listed; ++k) {
      const Rival rival{row.others[k].name, row.others[k].formulation};
      if (std::ranges::find(rivals, rival) == rivals.end()) rivals.push_back(rival);
    }
  }
  return rivals;
}

std::string multiple(const SpeedRow& row, const SpeedEntry& entry) {
  return entry.reached ? fmt::format("{:.1f}", entry.microseconds / row.ours.microseconds)
                       : "never";
}

/// Time of each solver as a multiple of ours.
TextTable table_of_multiples(const std::vector<SpeedRow>& rows) {
  TextTable table{.headers = {"system", "ε", "µs", "steps"},
                  .left_aligned = {true, true, false, false},
                  .rows = {}};
  const std::vector<Rival> rivals = rivals_in(rows);
  for (const auto& [name, variables] : rivals) table.headers.push_back(name + ", " + variables);
  const bool best = !rows.empty() && has_best(rows.front());
  if (best) table.headers.emplace_back("best of SUNDIALS, Odeint");
  table.left_aligned.resize(table.headers.size(), false);
  for (const SpeedRow& row : rows) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells = {{row.system}, {at(row)}};
    if (row.ours.reached)
      for (const std::string& text :
           {fmt::format("{:.1f}", row.ours.microseconds), fmt::format("{}", row.ours.work.steps)})
        cells.push_back({text});
    else
      cells.resize(4, Cell{"-"});
    for (const Rival& rival : rivals) {
      const auto entry = std::ranges::find_if(row.others, [&](const SpeedEntry& other) {
        return Rival{other.name, other.formulation} == rival;
      });
      cells.push_back({entry == row.others.end() ? "-" : multiple(row, *entry)});
    }
    if (best)
      cells.push_back(
          {row.others.empty() || !row.others.back().reached
               ? "-"
               : multiple(row, row.others.back()) + " (" + row.others.back().name + ")"});
  }
  return table;
}

}  // namespace

std::string speed_page(const std::vector<SpeedRow>& rows) {
  std::vector<SpeedRow> compliant, rigid;
  for (const SpeedRow& row : rows) (has_best(row) ? compliant : rigid).push_back(row);
  return fmt::format(
      "Commit {}, {}, {}.\n\n"
      "Each solver is taken at the loosest tolerance (atol = rtol/100, four a decade) at which, "
      "and "
      "at the next one too, the error of (q, v) at the end is at most {:g}; output at the end "
      "only, "
      "at most {} steps (by hand 1000000). Times are of the processor, the least of many solves in "
      "turns. \"Never\": not at any tolerance within these steps, or within a thousand times our "
      "time.\n\n"
      "## Compliant motion\n\n"
      "µs and steps of `radau_iia` in adapted variables, and times of others as multiples of it. "
      "The "
      "last column is the fastest of all methods of SUNDIALS and Odeint of order 4 and more in "
      "either variables:\n\n{}\n"
      "## Rigid motion\n\n"
      "`radau_iia` on the reduced system in (q, u), and the others as multiples:\n\n{}\n"
      "## Clock cycles\n\n"
      "Cycles of `radau_iia` against the operations that it cannot do without. With two numbers in "
      "a "
      "register, one addition and one multiplication a cycle would be 4 operations a cycle:\n\n{}",
      build_commit(), build_compiler(), build_flags(), wanted_error, most_steps,
      markdown_text(table_of_multiples(compliant)), markdown_text(table_of_multiples(rigid)),
      markdown_text(table_of_ours(rows)));
}

std::string speed_measurements(const std::vector<SpeedRow>& rows) {
  TextTable measurements{
      .headers = {"system", "ε", "solver", "variables", "rtol", "error", "steps", "rejected",
                  "right-hand sides", "µs", "times ours"},
      .left_aligned = {true, true, true, true, false, false, false, false, false, false, false},
      .rows = {}};
  TextTable references{
      .headers = {"system", "ε", "error bar"}, .left_aligned = {true, true, false}, .rows = {}};
  for (const SpeedRow& row : rows) {
    measurements.rows.push_back(measured(row, row.ours));
    for (const SpeedEntry& entry : row.others) measurements.rows.push_back(measured(row, entry));
    references.rows.push_back({{row.system}, {at(row)}, {fmt::format("{:.1e}", row.error_bar)}});
  }
  return fmt::format("## All measurements\n\n{}\nThe error bars of the references:\n\n{}",
                     markdown_text(measurements), markdown_text(references));
}

}  // namespace rigidlimit
