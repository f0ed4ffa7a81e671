// write_tape_codes DIRECTORY: writes C for the tapes of the systems in the catalogue
// (codes_LANES.c) and the table codes.cpp. The library build runs it (src/CMakeLists.txt), linked
// without the table.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/codegen/tape_code.hpp"
#include "rigidlimit/core/codegen/tape_compiler.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/adapted_lanes.hpp"
#include "rigidlimit/formulations/compliant/assembly_pair.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "rigidlimit/systems/builtin_codes.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

namespace rigidlimit {

std::span<const BuiltinCode> builtin_codes() {
  return {};
}

namespace {

/// Calls every function of a problem that a solve may use; equations build their tapes on demand.
void ask_for_everything(const OdeProblem& problem) {
  const Index size = problem.y0.size();
  VectorXd rate(size);
  MatrixXd J(size, size);
  problem.rhs(problem.t0, problem.y0, rate);
  if (problem.jacobian) problem.jacobian(problem.t0, problem.y0, J);
  if (problem.sparse_jacobian) {
    VectorXd entries(problem.sparse_jacobian->pattern.nonzeros());
    problem.sparse_jacobian->values(problem.t0, problem.y0, entries);
  }
  if (problem.time_derivative) problem.time_derivative(problem.t0, problem.y0, rate);
  if (problem.coordinates) {
    VectorXd output(problem.output_size());
    problem.coordinates->output(problem.t0, problem.y0, output);
  }
  if (problem.rhs.eight()) {
    const std::vector<Pack> states(problem.y0.begin(), problem.y0.end());
    std::vector<Pack> rates(states);
    problem.rhs.eight()(Pack(problem.t0), states.data(), rates.data());
  }
  if (!problem.batched) return;
  const BatchedRate& batched = *problem.batched;
  const Index moving = batched.slow + batched.fast;
  MatrixXd P(moving, batched.fast);
  const auto chart = batched.response(problem.y0.data(), P);
  std::vector<Pack> state(problem.y0.begin(), problem.y0.begin() + moving), rates(state);
  const std::vector<Pack> forces(static_cast<std::size_t>(batched.fast), Pack(0.0));
  batched.rates(chart, Pack(problem.t0), state.data(), forces.data(), rates.data());
  const std::vector<Pack> states(problem.y0.begin(), problem.y0.end());
  std::vector<Pack> outputs(static_cast<std::size_t>(problem.output_size()));
  problem.coordinates->output_of_eight(states.data(), outputs.data());
}

/// The tapes of motions side by side (LaneProblem).
void ask_for_everything_of_lanes(const System& system, const InitialState& start,
                                 const ViscoelasticLaw& law) {
  LaneMembers members;
  members.fill({.start = start, .law = law, .eta0 = VectorXd::Zero(system.m)});
  const auto frames = std::make_shared<LaneFrames>(system, members);
  const std::array problems = {compliant_lanes(frames, members, 1e-3, system.nq),
                               rigid_lanes(frames, members, system.nq)};
  for (const LaneProblem& problem : problems) {
    LaneRate& rate = *problem.rate;
    std::vector<Pack> rates(rate.size()), outputs(rate.outputs());
    std::vector<Pack> response((rate.slow + rate.fast) * rate.fast), forces(rate.fast);
    rate.response(problem.y0.data(), response.data());
    rate.rates(0.0, problem.y0.data(), forces.data(), rates.data());
    rate.write_outputs(0.0, problem.y0.data(), outputs.data());
  }
}

/// The compliant problem in both sets of variables, and the rigid one.
void ask_for_everything(const System& system, const InitialState& start) {
  const MatrixXd one = MatrixXd::Identity(system.m, system.m);
  const ViscoelasticLaw law{.stiffness = one, .damping = 2.0 * one};
  const VectorXd eta0 = VectorXd::Zero(system.m);
  ask_for_everything(compliant_adapted(system, start, law, 1e-3, eta0).problem);
  ask_for_everything(compliant_ode(system, start, law, 1e-3, eta0).problem);
  ask_for_everything(rigid_reduced<double>(system, start).problem);
  if (!contact_basis(system, start.q).redundant()) ask_for_everything_of_lanes(system, start, law);
}

/// The compliant motion. Motions between events use the same contact balance at every state.
void ask_for_everything(const FrictionalSystem& system, const InitialState& start) {
  const VectorXd one = VectorXd::Ones(system.nc());
  const FrictionalLaw law{.tangential_stiffness = one, .normal_stiffness = one};
  ask_for_everything(frictional_compliant(system, start, law, 1e-3).problem);
  const Balance& balance = system.smooth.tapes->contact_balance();
  balance.time_derivatives(0.0, start.q, start.v);
  balance.load_gradient(start.q, start.v, VectorXd::Zero(system.smooth.ne + system.forces()));
}

/// Values without 0, 1, equal values and ratios that are powers of two, so that a tape keeps all of
/// its terms. A value out of range is replaced by the default.
template <class Parameter>
std::vector<double> general_values(const std::vector<Parameter>& parameters, double factor = 1.0) {
  std::vector<double> values;
  for (const Parameter& parameter : parameters) {
    factor *= 1.0173;
    const double value =
        parameter.default_value == 0.0 ? 0.0173 * factor : parameter.default_value * factor;
    values.push_back(parameter.range.contains(value) ? value : parameter.default_value);
  }
  return values;
}

class Writer {
 public:
  /// A DAE without its reference ODE, which would double the code.
  void add(const ClassicalEntry& entry) {
    for (const auto& values : {entry.default_values(), general_values(entry.parameters)}) {
      const CodeCollector collector([this](const TapeForm& form, bool packs) { add(form, packs); });
      const ClassicalIn<double> problem = entry.make(values).real;
      ask_for_everything(problem.dae ? *problem.dae : problem.ode);
    }
  }
  /// Trains of any length: tapes of the first sleigh, which has a special mass, and of the others.
  void add(const SleighChain& chain) {
    const CodeCollector collector([this](const TapeForm& form, bool packs) { add(form, packs); });
    const Assembly assembly = assembly_of(chain);
    const MatrixXd one = MatrixXd::Identity(1, 1);
    ask_for_everything(compliant_assembly(assembly, start_of(chain),
                                          {.stiffness = one, .damping = 2.0 * one}, 1e-3,
                                          VectorXd::Zero(chain.count))
                           .problem);
    ask_for_everything(rigid_assembly(assembly, start_of(chain)).problem);
  }
  /// The pair of a rolling system; the equations and contacts of a frictional system, from which
  /// frictional motions are assembled.
  void add(const SystemEntry& entry) {
    const std::vector<ParameterInfo> parameters = entry.frictional_parameters();
    // Two general sets: where rounding decides between equal pivots, each choice has its code.
    for (const auto& values : {entry.frictional_default_values(), general_values(parameters),
                               general_values(parameters, 1.02)}) {
      const CodeCollector collector([this](const TapeForm& form, bool packs) { add(form, packs); });
      if (entry.rolls()) ask_for_everything(entry.make(values), entry.start(values));
      if (entry.slips())
        ask_for_everything(entry.make_frictional(values), entry.frictional_start(values));
    }
  }

  void write(const std::filesystem::path& directory) const {
    std::string declarations, table;
    for (const auto& [lanes, functions] : functions_) {
      write(directory / fmt::format("codes_{}.c", lanes), code_preamble(lanes) + functions);
      for (const auto& [key, seen_lanes] : seen_) {
        if (seen_lanes != lanes) continue;
        const std::string name = code_name(key, lanes);
        declarations +=
            fmt::format("void {}(const double*, const double*, double*, const void*);\n", name);
        table += fmt::format("    {{{{0x{:016x}u, 0x{:016x}u}}, {}, {}}},\n", key.high, key.low,
                             lanes, name);
      }
    }
    write(directory / "codes.cpp",
          fmt::format("#include \"rigidlimit/systems/builtin_codes.hpp\"\n\n"
                      "extern \"C\" {{\n{}}}\n\n"
                      "namespace rigidlimit {{\n\n"
                      "std::span<const BuiltinCode> builtin_codes() {{\n"
                      "  static constexpr BuiltinCode all[] = {{\n{}  }};\n"
                      "  return all;\n}}\n\n}}  // namespace rigidlimit\n",
                      declarations, table));
  }

 private:
  void add(const TapeForm& form, bool packs) {
#if defined(__x86_64__)
    const std::set<int> widths = packs ? std::set{2, 4, 8} : std::set{1};
#else
    const std::set<int> widths = packs ? std::set{2} : std::set{1};
#endif
    const ContentKey key = key_of(form);
    for (const int lanes : widths)
      if (seen_.emplace(key, lanes).second)
        functions_[lanes] += code_function(form, code_name(key, lanes));
  }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  }

  std::set<std::pair<ContentKey, int>> seen_;  ///< key and lanes
  std::map<int, std::string> functions_;       ///< by lanes
};

}  // namespace
}  // namespace rigidlimit

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("write_tape_codes DIRECTORY");
    rigidlimit::Writer writer;
    for (const auto& entry : rigidlimit::builtin_systems()) writer.add(entry);
    for (const auto& entry : rigidlimit::classical_problems()) writer.add(entry);
    writer.add(rigidlimit::SleighChain{});
    writer.write(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_tape_codes: {}\n", error.what());
    return 1;
  }
}
