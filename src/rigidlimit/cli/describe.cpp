// The subcommand `describe`.
#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/benchmark/read_problem_text.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/formulations/linearisation.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/result/view.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {

namespace {

/// Options of the description.
struct SystemView {
  std::vector<std::string> parameters;  ///< --set texts NAME=VALUE
  std::vector<double> q;                ///< state to describe; empty: the default start
  std::vector<double> v;                ///< likewise; projected onto rolling
  bool linearise = false;               ///< also matrices and eigenvalues of small motions
};

void show(const TextTable& table) {
  print_table(table);
  print_text("\n");
}

/// Sets the value of a parameter from "mass=2.5".
void set_parameter(const SystemEntry& entry, const std::string& text, std::vector<double>& values) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::vector<ParameterInfo> parameters = entry.frictional_parameters();
  const auto at = std::ranges::find(parameters, name, &ParameterInfo::name);
  if (at == parameters.end()) {
    std::vector<std::string> known;
    for (const ParameterInfo& p : parameters) known.emplace_back(p.name);
    throw InputError(
        fmt::format("{} has no parameter '{}'{}", entry.info.name, name, suggestion(name, known)),
        "--set " + text);
  }
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() ||
      !valid_range(at->range).contains(value))
    throw InputError(
        fmt::format("{} must be {}, not '{}'", name, valid_range(at->range).text(), number),
        "--set " + text);
  values[static_cast<std::size_t>(at - parameters.begin())] = value;
}

VectorXd values_or_default(const std::vector<Component>& components,
                           const std::vector<double>& given, const VectorXd& otherwise,
                           const char* option) {
  VectorXd values = given_values(components, otherwise);
  if (!given.empty())
    values = completed(components, Eigen::Map<const VectorXd>(given.data(), std::ssize(given)),
                       std::move(values));
  if (values.size() != otherwise.size())
    throw InputError(
        fmt::format("must have {} numbers, not {}", visible(components).size(), given.size()),
        option);
  const VectorXd si = si_values(components, values);
  const std::string fault = fault_in(components, si);
  if (!fault.empty())
    throw InputError(fmt::format("{:.6g}: {}", fmt::join(values, ","), fault), option);
  return given.empty() ? otherwise : si;
}

std::vector<double> parameter_values(const SystemEntry& entry, const SystemView& view) {
  std::vector<double> values = entry.frictional_default_values();
  for (const std::string& text : view.parameters) set_parameter(entry, text, values);
  return values;
}

/// The given state, or the default start of the system.
InitialState seen_state(const SystemEntry& entry, const std::vector<double>& values,
                        const SystemView& view) {
  const InitialState start = entry.rolls() ? entry.start(values) : entry.frictional_start(values);
  return {values_or_default(entry.info.coordinates, view.q, start.q, "--q"),
          values_or_default(entry.info.velocities, view.v, start.v, "--v")};
}

/// Origin of a rejected state.
std::string place_of(const SystemView& view) {
  if (!view.q.empty()) return "--q";
  if (!view.v.empty()) return "--v";
  return view.parameters.empty() ? "" : "--set " + view.parameters.front();
}

void require_finite(bool finite, const std::string& name, const SystemView& view) {
  if (!finite)
    throw InputError(
        name + ": the equations are singular in this state, or exceed the range of double",
        place_of(view));
}

/// Rejects a state in which M is singular on the possible motions, as for Euler angles.
/// check_system() names the function at fault.
void require_regular(const System& system, const std::string& name, const VectorXd& q,
                     const SystemView& view) try {
  check_system(system, name, {q, least_exact_velocity(system, q)});
} catch (const InputError& error) {
  if (view.q.empty()) throw;
  throw InputError(fmt::format("singular equations in this state: {}", error.what()), "--q");
}

bool is_finite(const Linearisation& linear) {
  return linear.M.allFinite() && linear.D.allFinite() && linear.gyroscopic.allFinite() &&
         linear.K.allFinite() && linear.circulatory.allFinite() &&
         linear.acceleration.allFinite() && linear.eigenvalues.allFinite();
}

void show_components(const char* caption, const std::vector<Component>& all, const VectorXd& values,
                     const char* value_caption) {
  const std::vector<Component> components = visible(all);
  TextTable table{
      .headers = {caption, "unit", value_caption}, .left_aligned = {true, true, false}, .rows = {}};
  const VectorXd given = given_values(components, visible(all, values));
  for (std::size_t i = 0; i < components.size(); ++i)
    table.rows.push_back({{components[i].name},
                          {given_unit_of(components[i])},
                          {fmt::format("{:.6g}", given(static_cast<Index>(i)))}});
  show(table);
}

void show_energy(const System& system, const InitialState& state) {
  TextTable table{.headers = {"energy", "J"}, .left_aligned = {true, false}, .rows = {}};
  const auto line = [&](const char* name, double joule) {
    table.rows.push_back({{name}, {fmt::format("{:.6g}", joule + 0.0)}});  // no "-0"
  };
  line("kinetic co-energy K*", kinetic_energy(system, state.q, state.v));
  if (system.has_potential) line("potential P", system.in<double>().potential(state.q));
  show(table);
  const double power = non_conservative_power(system, state.q, state.v, 0.0);
  if (system.dissipation)
    print_output("Rayleigh dissipation R = {:.6g} W, so a loss of {:.6g} W; ",
                 system.dissipation(state.v), 2.0 * system.dissipation(state.v));
  print_output("power of all forces without potential: {:.6g} W\n\n", power);
}

bool has_clock(const System& system) {
  return system.recorded->clock >= 0;
}

/// G, b of w = G v + b, and Lambda.
void show_moving_rows(const SystemInfo& info, const System& system, const InitialState& state,
                      const VectorXd& lambda) {
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(state.q, rows);
  TextTable table{
      .headers = {"contact (G v + b)", "unit"}, .left_aligned = {true, true}, .rows = {}};
  const auto add_column = [&](const std::string& header, const VectorXd& values) {
    table.headers.push_back(header);
    table.left_aligned.push_back(false);
    for (Index i = 0; i < system.m; ++i)
      table.rows[static_cast<std::size_t>(i)].push_back({fmt::format("{:.6g}", values(i) + 0.0)});
  };
  for (const Component& contact : info.contacts)
    table.rows.push_back({{contact.name}, {contact.unit}});
  const MatrixXd G = rows.bottomRows(system.m);
  for (const Index k : visible_rows(info.velocities))
    add_column("G " + info.velocities[static_cast<std::size_t>(k)].name, G.col(k));
  add_column("b", G.col(system.n - 1));
  add_column("Lambda", lambda);
  show(table);
  print_output("power of the surfaces that move, Lambda^T b: {:.6g} W\n\n",
               lambda.dot(G.col(system.n - 1)) + 0.0);
}

void show_contacts(const SystemInfo& info, const System& system, const ContactBasis& contacts,
                   const InitialState& state, const VectorXd& multiplier) {
  const VectorXd lambda = selected_multiplier(contacts, MatrixXd::Identity(system.m, system.m),
                                              VectorXd::Zero(system.m), multiplier);
  if (has_clock(system))
    show_moving_rows(info, system, state, lambda);
  else
    show_components("contact (G v)", info.contacts, lambda, "Lambda");
  const VectorXd spectrum = symmetric_eigenvalues(delassus(system, state.q));
  print_output("Delassus matrix G M^-1 G^T: rank {} of {}, eigenvalues {:.6g}\n", contacts.rank(),
               system.m, fmt::join(spectrum, ", "));
  if (contacts.redundant())
    print_output(
        "Redundant contacts: Lambda is that of equal stiffnesses; internal forces: {:.4g}\n",
        fmt::join(contacts.internal_forces.reshaped(), ", "));
  print_output("\n");
}

void show_matrix(const char* caption, const MatrixXd& X) {
  TextTable table{.headers = {}, .left_aligned = {}, .rows = {}};
  for (Index k = 0; k < X.cols(); ++k) {
    table.headers.push_back(k == 0 ? caption : "");
    table.left_aligned.push_back(false);
  }
  for (Index i = 0; i < X.rows(); ++i) {
    std::vector<Cell> row;
    for (Index k = 0; k < X.cols(); ++k)
      row.push_back({fmt::format("{:.5g}", X(i, k) == 0.0 ? 0.0 : X(i, k))});
    table.rows.push_back(std::move(row));
  }
  show(table);
}

void show_linearisation(const Linearisation& linear) {
  print_output("Small motions about it: M x'' + (D + Gamma) x' + (K + H) x = ...\n\n");
  for (const auto& [caption, X] : {std::pair("M", &linear.M), std::pair("D", &linear.D),
                                   std::pair("Gamma", &linear.gyroscopic),
                                   std::pair("K", &linear.K), std::pair("H", &linear.circulatory)})
    show_matrix(caption, *X);
  const double unsteady = linear.acceleration.cwiseAbs().maxCoeff();
  print_output("Acceleration of the rolling motion: {:.3g}{}\n", unsteady,
               unsteady > 1e-9 ? " (not steady: the eigenvalues are those of this instant)" : "");
  TextTable table{
      .headers = {"eigenvalue 1/s", "imaginary"}, .left_aligned = {false, false}, .rows = {}};
  for (const auto& value : linear.eigenvalues)
    table.rows.push_back(
        {{fmt::format("{:.6g}", value.real())}, {fmt::format("{:.6g}", value.imag())}});
  show(table);
}

/// Name, title and the author's equations.
void show_title(const SystemInfo& info) {
  print_output("{}: {}\n\n", info.name, info.title);
  std::string equations = info.equations;
  for (std::size_t at = 0; (at = equations.find('\n', at)) != std::string::npos; ++at)
    equations.replace(at, 1, "\n  ");
  if (!equations.empty()) print_text("  " + equations + "\n\n");
}

void show_texts(const SystemEntry& e, const System& system) {
  show_title(e.info);
  const Index exact = has_clock(system) ? system.ne - 1 : system.ne;
  const char* const held = exact == 0          ? ""
                           : has_clock(system) ? " E v + b = 0 on both sides."
                                               : " E v = 0 on both sides.";
  const char* const rigid = has_clock(system) ? "; rigid: G v + b = 0" : "; rigid: G v = 0";
  print_output("Equations of motion: q' = {}v, M v' = F - {}G^T lambda{}.{}\n",
               system.lagrange_coordinates ? "" : "T ", exact > 0 ? "E^T kappa - " : "",
               e.rolls() ? rigid : " + N^T p", held);
  if (system.lagrangian) print_output("M and F are derived from K* and P.\n");
  print_output("Closed form: {}\nSource: {}\n\n", e.info.closed_form,
               e.info.source.empty() ? "none given" : e.info.source);
}

void show_parameters(const SystemEntry& e) {
  const std::vector<ParameterInfo> parameters = e.frictional_parameters();
  if (parameters.empty()) return;
  using P = ParameterInfo;
  show(text_table(
      table_of<P>("parameters",
                  {{"parameter", "parameter", &P::name},
                   {"unit", "unit", &P::unit},
                   {"default", "default", &P::default_value, "{:.6g}"},
                   {"valid", "valid", [](const P& p) { return valid_range(p.range).text(); }},
                   {"meaning", "meaning", &P::text}},
                  parameters)));
}

void show_contact_points(const FrictionalSystem& system, const InitialState& state) {
  VectorXd gap(system.nc());
  MatrixXd rows(system.nc(), system.smooth.n);
  system.geometry->gap(state.q, gap);
  system.geometry->normal_rows(state.q, rows);
  const VectorXd sliding = sliding_velocity(system.smooth, state);
  TextTable table{.headers = {"contact", "normal force", "friction", "restitution", "gap [m]",
                              "gap rate [m/s]", "sliding [m/s]"},
                  .left_aligned = {true, true, false, false, false, false, true},
                  .rows = {}};
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& c = system.contacts[static_cast<std::size_t>(i)];
    const VectorXd w = sliding.segment(c.first, c.components);
    table.rows.push_back(
        {{c.name},
         {name_of(c.normal)},
         {fmt::format("{:.6g}", c.friction)},
         {c.normal == Normal::unilateral ? fmt::format("{:.6g}", c.restitution) : "-"},
         {fmt::format("{:.6g}", gap(i))},
         {fmt::format("{:.6g}", rows.row(i).dot(state.v))},
         {fmt::format("{:.6g}", fmt::join(w, ", "))}});
  }
  show(table);
}

/// Modes, gaps and sliding speeds of contacts that may slip.
void show_friction(const SystemEntry& entry, const FrictionalSystem& system,
                   const InitialState& state) {
  print_output(
      "{}lips: W = G, M v' = F - {}W^T lambda + N^T p, |lambda| <= mu |p| "
      "(rigidlimit run FILE).\nClosed history: {}\n\n",
      entry.rolls() ? "And s" : "S", system.smooth.ne > 0 ? "E^T kappa - " : "",
      entry.has_closed_history ? "yes" : "no");
  show_contact_points(system, state);
}

struct SmallMotions {
  ContactBasis contacts;
  VectorXd multiplier;
  std::optional<Linearisation> linear;
};

/// State and contact forces of rolling contacts, with the velocity projected onto rolling. Computed
/// before any output, so that a rejected state prints only its message.
SmallMotions rolling_at(const System& system, const SystemEntry& entry, const SystemView& view,
                        InitialState& state) {
  require_regular(system, entry.info.name, state.q, view);
  SmallMotions found{contact_basis(system, state.q), {}, {}};
  state.v = projected_velocity<double>(system, found.contacts, state.q, state.v);
  check_system(system, entry.info.name, state);
  const auto kkt = solve_kkt<double>(system, found.contacts, state.q, state.v, 0.0);
  require_finite(kkt.acceleration.allFinite() && kkt.multiplier.allFinite(), entry.info.name, view);
  found.multiplier = kkt.multiplier;
  if (view.linearise) {
    found.linear = linearise(system, state);
    require_finite(is_finite(*found.linear), entry.info.name, view);
  }
  return found;
}

void show_state(const SystemEntry& entry, const InitialState& state, const SystemView& view) {
  const char* where = view.q.empty() && view.v.empty() ? "default" : "value";
  show_parameters(entry);
  show_components("coordinate", entry.info.coordinates, state.q, where);
  show_components("velocity", entry.info.velocities, state.v, where);
}

/// A system that cannot roll.
void describe_slipping(const SystemEntry& entry, const FrictionalSystem& system,
                       const InitialState& state, const SystemView& view) {
  if (view.linearise)
    throw InputError(entry.info.name + " has friction and impacts: it has no linearisation",
                     "--linearise");
  require_regular(system.smooth, entry.info.name, state.q, view);
  show_texts(entry, system.smooth);
  show_state(entry, state, view);
  show_friction(entry, system, state);
  show_energy(system.smooth, state);
}

/// Prints texts, parameters, components and the state with its energies, contact forces and rank;
/// with view.linearise the small motions about it; for contacts that may slip their modes, gaps and
/// sliding speeds. Throws InputError for an unknown parameter, a value outside its range, or a
/// state of another size.
void describe_system(const SystemEntry& entry, const SystemView& view) {
  const std::vector<double> values = parameter_values(entry, view);
  InitialState state = seen_state(entry, values, view);
  std::optional<FrictionalSystem> frictional;
  if (entry.slips()) frictional = entry.make_frictional(values);
  if (!entry.rolls()) return describe_slipping(entry, *frictional, state, view);

  const System system = entry.make(values);
  const SmallMotions found = rolling_at(system, entry, view, state);
  show_texts(entry, system);
  show_state(entry, state, view);
  show_contacts(entry.info, system, found.contacts, state, found.multiplier);
  if (frictional) show_friction(entry, *frictional, state);
  show_energy(system, state);
  if (found.linear) show_linearisation(*found.linear);
}

constexpr const char* describe_footer =
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
  print_output("{}: {}\n  order {}, {}\n  source: {}\n", name, title, m.order, m.stability,
               m.source);
}

/// Describes a benchmark problem.
void describe_problem(const ClassicalEntry& entry) {
  const ClassicalProblem problem = entry.make_default();
  print_output("{}: {}\n  {}, {} components, t from {:g} to {:g}\n", entry.name, entry.title,
               entry.dae ? fmt::format("DAE of index {}", entry.index) : "ODE", problem.size(),
               problem.t0, problem.end);
  for (const ClassicalParameter& p : entry.parameters)
    print_output("  {} = {:g} ({}): {}\n", p.name, p.default_value, p.range.text(), p.text);
  print_output("  source: {}\n", entry.source);
}

std::vector<std::string> known_names(const SystemCatalogue& systems) {
  std::vector<std::string> known = names_of(systems);
  for (const auto& names : {names_of_laws(), names_of_rigid_solvers(), names_of_ode_methods()})
    for (const std::string& name : names)
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  for (const ClassicalEntry& entry : classical_problems()) known.push_back(entry.name);
  return known;
}

/// Describes a system or a problem (also in a file), a law or a solver.
int describe(const DescribeArguments& arguments) {
  const SystemCatalogue& systems = *arguments.systems;
  const std::string& name = arguments.name;
  if (is_system_file(name)) {
    if (const auto problem = problem_if_in_file(name))
      describe_problem(*problem);
    else
      describe_system(*system_in_file(name, systems), arguments.view);
    return exit_status::held;
  }
  if (const SystemEntry* system = find_system(systems, name)) {
    describe_system(*system, arguments.view);
    return exit_status::held;
  }
  for (const LawInfo& law : laws())
    if (name == law.name) {
      print_output("{}: {}\n  eps: {}\n  expected sup-norm orders: {}\n  source: {}\n", law.name,
                   law.equations, law.small_parameter, law.expected, law.source);
      return exit_status::held;
    }
  if (const OdeMethod* method = find_ode_method(name)) {
    describe_method(method->name, method->title, *method);
    return exit_status::held;
  }
  if (const RigidSolver* solver = find_rigid_solver(name)) {
    if (solver->form == RigidForm::closed_form)
      print_output("{}: {}\n", solver->name, solver->title);
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
                  describe_footer);
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
