#include "rigidlimit/cli/file_keys.hpp"

#include <memory>
#include <span>

#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

/// The alternatives of each key, and the claims of both kinds.
constexpr const char* rolling_studies[] = {
    R"(
study.name = "all"
system.name = "knife_edge"
contact.damping = 1.0
contact.deflection = [0.0]
epsilon.values = [0.1, 0.01]
time.end = 1.0
[solvers]
compliant = ["implicit_midpoint"]
steps = 10
[solvers.rosenbrock4]
[[expect]]
quantity = "q"
ratio = 1.0
after = 0.5
[[expect]]
quantity = "v"
convergence = "none"
[[expect]]
quantity = "lambda"
convergence = "exact"
within = 1.0
[[bound]]
quantity = "q"
after = 0.5
constant = 1.0
power = 1.0
epsilon = [0.0, 1.0]
solver_error = 1.0
)",
    R"(
study.name = "all"
system.name = "knife_edge"
epsilon = {from = 0.1, to = 0.01, count = 2}
time.end = 1.0
[[expect]]
quantity = "q"
order = 2.0
order_only = "reason"
[[expect]]
quantity = "steps"
growth_at_least = 0.0
growth_at_most = 1.0
epsilon = [0.0, 1.0]
)",
    R"(
study = {name = "all", against = "composite"}
system.name = "knife_edge"
tangent.q = [0.0, 0.0, 1.0]
composite.order = 2
epsilon = {from = 0.1, to = 0.01, count = 2}
time.end = 1.0
)"};

constexpr const char* friction_studies[] = {
    R"(
study.name = "all"
system.name = "wheel"
contact.tangential_power = [1.0]
epsilon = {from = 0.1, to = 0.01, count = 5}
time.end = 1.0
solvers.moreau_jean = [1e-3]
inequality.draws = 0
[history]
events = "stick ground"
event_times = [0.1]
modes_at_end = "stick"
modes_at_start = "slip"
moreau_jean_within = 1.0
compliant_sliding = "dies out"
force = "sliding down the slope"
force_at_end = 0.0
[[expect]]
quantity = "q"
friction = "projected"
tangential_power = 1.0
order = 1.0
next_orders = [2.0]
ratio = 1.0
[[expect]]
quantity = "v"
convergence = "none"
[[expect]]
quantity = "lambda"
at_most = 1.0
[[expect]]
quantity = "event_time"
kind = "stick"
order = 1.0
order_only = "reason"
[[expect]]
quantity = "modes"
end = "stick"
)",
    R"(
study.name = "all"
system.name = "wheel"
epsilon.values = [0.1]
time.end = 1.0
)"};

constexpr const char* sweeps[] = {R"(
[[expect]]
quantity = "q"
where = {time.end = 1.0}
[[bound]]
where = {time.end = 1.0}
[[least]]
over = "time.end"
beside = 1.0
[sweep]
time.end = [1.0, 2.0]
time.after = {from = 0.1, to = 0.2, count = 2}
time.margin = {from = 0.1, to = 0.2, count = 2, spacing = "linear"}
[[sweep.zip]]
keys = ["initial.q", "initial.v"]
values = [[[0.0], [1.0]]]
name = "start"
labels = ["slow"]
)"};

/// Each kind of benchmark and each kind of problem; lists where a list or a grid is valid, and
/// both.
constexpr const char* benchmarks[] = {
    R"(
[benchmark]
name = "all"
kind = "work_precision"
methods = ["all"]
without = ["dopri5"]
[tolerance]
rtol = [1e-4]
[judge]
at = "grid"
[[problem]]
study = "text below"
study_text = """
study.name = "knife_edge"
system.name = "knife_edge"
epsilon.values = [0.1]
time.end = 1.0
"""
epsilon = [0.1]
)",
    R"(
[benchmark]
name = "all"
kind = "work_precision"
[tolerance]
rtol = {from = 1e-3, to = 1e-4, count = 2}
[[problem]]
classical = "van_der_pol"
)",
    R"(
[benchmark]
name = "all"
kind = "order_reduction"
[step]
h = [1e-3]
[[problem]]
classical = "van_der_pol"
)",
    R"(
[benchmark]
name = "all"
kind = "order_reduction"
[step]
h = {from = 1e-3, to = 1e-4, per_decade = 1}
[[problem]]
classical = "van_der_pol"
)",
    R"(
[benchmark]
name = "all"
kind = "cost_count"
[[problem]]
chain = [1]
epsilon = [0.1]
)"};

/// Without and with velocities of its own; all keys of a range; both forms of the rows.
constexpr const char* rolling_systems[] = {
    R"(
study.name = "all"
epsilon.values = [0.1]
time.end = 1.0
[system]
name = "blade"
coordinates = [
  {name = "x", start = 0.0, start_rate = 1.0, min = -1.0, max = 1.0},
  {name = "y", start = 0.0, start_rate = 0.0, above = -1.0, below = 1.0},
  {name = "phi", start = 0.0, start_rate = 0.0},
]
kinetic_coenergy = "mass*(x'^2 + y'^2)/2 + phi'^2/2"
potential = 0
constraint = [{name = "sideways", unit = "m/s", row = "cos(phi)*y' - sin(phi)*x'"}]
[system.parameters]
mass = {default = 1.0, above = 0.0, below = 2.0}
radius = {default = 1.0, min = 0.0, max = 2.0}
)",
    R"(
study.name = "all"
epsilon.values = [0.1]
time.end = 1.0
[system]
name = "blade"
coordinates = [
  {name = "x", start = 0.0, rate = "u"},
  {name = "y", start = 0.0, rate = "v"},
  {name = "phi", start = 0.0, rate = "w"},
]
velocities = [
  {name = "u", start = 1.0, min = -1.0, max = 1.0},
  {name = "v", start = 0.0, above = -1.0, below = 1.0},
  {name = "w", start = 0.0},
]
mass_matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
force = [0, 0, 0]
constraint = ["cos(phi)*v - sin(phi)*u"]
)"};

constexpr const char* friction_systems[] = {R"(
study.name = "all"
epsilon.values = [0.1]
time.end = 1.0
[system]
name = "disc"
coordinates = [
  {name = "x", start = 0.0, start_rate = 0.0},
  {name = "z", start = 1.0, start_rate = 0.0},
]
mass_matrix = [[1, 0], [0, 1]]
force = [0, -1]
[[system.contacts]]
normal = "unilateral"
gap = "z"
sliding = ["x'"]
)",
                                            R"(
study.name = "all"
epsilon.values = [0.1]
time.end = 1.0
[system]
name = "block"
coordinates = [{name = "x", start = 0.0, start_rate = 0.0}]
mass_matrix = [[1]]
force = [0]
[[system.contacts]]
normal = "given"
normal_force = 1.0
sliding = ["x'"]
)"};

std::span<const char* const> sample_rolling_studies() {
  return rolling_studies;
}
std::span<const char* const> sample_friction_studies() {
  return friction_studies;
}
std::span<const char* const> sample_sweeps() {
  return sweeps;
}
std::span<const char* const> sample_benchmarks() {
  return benchmarks;
}
/// Studies with systems as formulas
std::span<const char* const> sample_rolling_systems() {
  return rolling_systems;
}
/// The same with contacts that may slip
std::span<const char* const> sample_friction_systems() {
  return friction_systems;
}

void rolling(const TomlDocument& document) {
  read_rolling_study(document, builtin_systems());
}
void friction(const TomlDocument& document) {
  read_friction_study(document, builtin_systems());
}
void sweep(const TomlDocument& document) {
  read_sweep_grid(document);
}
void benchmark(const TomlDocument& document) {
  read_benchmark(document, builtin_systems());
}

/// The log of these files, read by `read`.
void read_logged(std::span<const char* const> texts, void (*read)(const TomlDocument&),
                 const std::shared_ptr<KeyLog>& log) {
  for (const char* text : texts) read(TomlDocument::from_text(text, "sample").logged_in(log));
}

FileKeys keys_in(const char* name, const char* title, std::span<const char* const> texts,
                 void (*read)(const TomlDocument&)) {
  const auto log = std::make_shared<KeyLog>();
  read_logged(texts, read, log);
  return {name, title, *log};
}

/// Of studies with a system as formulas, the keys of the system.
FileKeys keys_of_systems() {
  const auto log = std::make_shared<KeyLog>();
  read_logged(sample_rolling_systems(), rolling, log);
  read_logged(sample_friction_systems(), friction, log);
  return {"system-text", "System as formulas", log->of_tables([](const std::string& table) {
            return table.starts_with("system") || table.starts_with("[system") ||
                   table.starts_with("KEY");
          })};
}

}  // namespace

std::vector<FileKeys> keys_of_files() {
  return {keys_in("rolling", "Rolling study", sample_rolling_studies(), rolling),
          keys_in("friction", "Friction study", sample_friction_studies(), friction),
          keys_in("sweep", "Sweep of a rolling study or friction study", sample_sweeps(), sweep),
          keys_in("benchmark", "Benchmark", sample_benchmarks(), benchmark), keys_of_systems()};
}

}  // namespace rigidlimit
