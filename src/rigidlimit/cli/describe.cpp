// The subcommand `describe`.
#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/formulations/linearisation.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/result/result.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

namespace {

/// Options of the description.
struct SystemView {
  std::vector<std::string> parameters;  ///< --set texts NAME=VALUE
  std::vector<double> q;                ///< state to describe; empty: the default start
  std::vector<double> v;                ///< likewise; projected onto rolling
  bool linearise = false;               ///< also matrices and eigenvalues of small motions
};

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

/// Adds a table with a view of all its columns.
void add(Result& result, Table table, std::string caption) {
  result.views.push_back(
      {.key = table.name(), .caption = std::move(caption), .table = table.name()});
  result.tables.push_back(std::move(table).kept(Kept::everywhere));
}

/// Name and unit of a component, and numbers about it.
struct ComponentRow {
  std::string name, unit;
  std::vector<double> values;
};

/// `values`: a vector for each header.
Table component_table(std::string name, const std::vector<Component>& components,
                      const std::vector<std::pair<std::string, VectorXd>>& values) {
  using C = ComponentRow;
  Columns<C> columns{{"name", "", &C::name}, {"unit", "", &C::unit}};
  std::vector<C> rows;
  for (const Component& component : components)
    rows.push_back({component.name, given_unit_of(component), {}});
  for (std::size_t k = 0; k < values.size(); ++k) {
    columns.push_back({values[k].first, values[k].first, [k](const C& c) { return c.values[k]; }});
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].values.push_back(values[k].second(static_cast<Index>(i)) + 0.0);  // no "-0"
  }
  return table_of<C>(std::move(name), columns, std::move(rows));
}

/// Values in their given units, without the components that no user states.
void add_components(Result& result, const char* name, const char* caption,
                    const std::vector<Component>& all, const VectorXd& si, const char* header) {
  const std::vector<Component> components = visible(all);
  add(result,
      component_table(name, components, {{header, given_values(components, visible(all, si))}}),
      caption);
}

void add_energy(Result& result, const System& system, const InitialState& state) {
  struct Energy {
    const char* name;
    double joule;
  };
  std::vector<Energy> rows{
      {"kinetic co-energy K*", kinetic_energy(system, state.q, state.v) + 0.0}};
  if (system.has_potential)
    rows.push_back({"potential P", system.in<double>().potential(state.q) + 0.0});
  add(result,
      table_of<Energy>("energy", {{"energy", "", &Energy::name}, {"J", "J", &Energy::joule}}, rows),
      "Energy");
  const double power = non_conservative_power(system, state.q, state.v, 0.0);
  if (system.dissipation)
    result.remarks.push_back(
        fmt::format("Rayleigh dissipation R = {:.6g} W, so a loss of {:.6g} W.",
                    system.dissipation(state.v), 2.0 * system.dissipation(state.v)));
  const bool is_rounding = std::abs(power) <= 1e-15 * size_of_power(system, state.q, state.v, 0.0);
  result.remarks.push_back(
      fmt::format("Power of all forces without potential: {:.6g} W.", is_rounding ? 0.0 : power));
}

bool has_clock(const System& system) {
  return system.recorded->clock >= 0;
}

/// G, b of w = G v + b, and Lambda.
void add_moving_rows(Result& result, const SystemInfo& info, const System& system,
                     const InitialState& state, const VectorXd& lambda) {
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(state.q, rows);
  const MatrixXd G = rows.bottomRows(system.m);
  std::vector<std::pair<std::string, VectorXd>> values;
  for (const Index k : visible_rows(info.velocities))
    values.emplace_back("G " + info.velocities[static_cast<std::size_t>(k)].name, G.col(k));
  values.emplace_back("b", G.col(system.n - 1));
  values.emplace_back("Lambda", lambda);
  add(result, component_table("contacts", info.contacts, values), "Contacts, w = G v + b");
  result.remarks.push_back(fmt::format("Power of the surfaces that move, Lambda^T b: {:.6g} W.",
                                       lambda.dot(G.col(system.n - 1)) + 0.0));
}

void add_contacts(Result& result, const SystemInfo& info, const System& system,
                  const ContactBasis& contacts, const InitialState& state,
                  const VectorXd& multiplier) {
  const VectorXd lambda = selected_multiplier(contacts, MatrixXd::Identity(system.m, system.m),
                                              VectorXd::Zero(system.m), multiplier);
  if (has_clock(system))
    add_moving_rows(result, info, system, state, lambda);
  else
    add_components(result, "contacts", "Contacts, w = G v", info.contacts, lambda, "Lambda");
  if (system.np > 0) {
    VectorXd g(system.np);
    system.in<double>().positions(state.q, g);
    add_components(result, "positions", "Gaps of joints, kept at 0 by rigid ones", info.positions,
                   g, "g");
  }
  const VectorXd spectrum = symmetric_eigenvalues(delassus(system, state.q));
  result.facts.push_back({"delassus.rank", contacts.rank()});
  result.facts.push_back({"delassus.eigenvalues", spectrum});
  result.remarks.push_back(
      fmt::format("Delassus matrix G M^-1 G^T: rank {} of {}, eigenvalues {:.6g}.", contacts.rank(),
                  system.m, fmt::join(spectrum, ", ")));
  if (contacts.redundant())
    result.remarks.push_back(fmt::format(
        "Redundant contacts: Lambda is that of equal stiffnesses; internal forces: {:.4g}.",
        fmt::join(contacts.internal_forces.reshaped(), ", ")));
}

/// Rows and columns by the names of the velocities.
Table matrix_table(const char* name, const std::vector<Component>& velocities, const MatrixXd& X) {
  const auto entries = std::make_shared<const MatrixXd>(X);
  const auto names = std::make_shared<const std::vector<Component>>(velocities);
  std::vector<Column> columns{
      {.name = "row", .header = name, .role = Role::key, .value = [names](std::size_t i) {
         return (*names)[i].name;
       }}};
  for (std::size_t k = 0; k < velocities.size(); ++k)
    columns.push_back({.name = velocities[k].name,
                       .header = velocities[k].name,
                       .format = "{:.5g}",
                       .value = [entries, k](std::size_t i) {
                         return (*entries)(static_cast<Index>(i), static_cast<Index>(k)) + 0.0;
                       }});
  return {name, std::move(columns), velocities.size()};
}

void add_linearisation(Result& result, const SystemInfo& info, const Linearisation& linear) {
  result.remarks.emplace_back(
      "Small motions about the state: M x'' + (D + Gamma) x' + (K + H) x = ...");
  for (const auto& [name, X] : {std::pair("M", &linear.M), std::pair("D", &linear.D),
                                std::pair("Gamma", &linear.gyroscopic), std::pair("K", &linear.K),
                                std::pair("H", &linear.circulatory)})
    add(result, matrix_table(name, info.velocities, *X), name);
  const double unsteady = linear.acceleration.cwiseAbs().maxCoeff();
  result.remarks.push_back(fmt::format(
      "Acceleration of the rolling motion: {:.3g}{}.", unsteady,
      unsteady > 1e-9 ? " (not steady: the eigenvalues are those of this instant)" : ""));
  using E = std::complex<double>;
  add(result,
      table_of<E>("eigenvalues",
                  {{"real", "eigenvalue 1/s", [](const E& e) { return e.real(); }},
                   {"imaginary", "imaginary", [](const E& e) { return e.imag(); }}},
                  {linear.eigenvalues.begin(), linear.eigenvalues.end()}, 0),
      "Eigenvalues of small motions");
}

/// The lines of the author's equations; an indented line goes on with the one before it.
Lines equation_lines(const std::string& equations) {
  Lines lines;
  std::istringstream text(equations);
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    if (begin == 0 || lines.empty())
      lines.push_back(line.substr(begin));
    else
      lines.back() += ' ' + line.substr(begin);
  }
  return lines;
}

/// The author's equations, the equations of motion, closed form and source.
void add_texts(Result& result, const SystemEntry& e, const System& system) {
  result.heading = equation_lines(e.info.equations);
  const Index exact = has_clock(system) ? system.ne - 1 : system.ne;
  const char* const held = exact == 0          ? ""
                           : has_clock(system) ? " E v + b = 0 on both sides."
                                               : " E v = 0 on both sides.";
  const char* const rigid = has_clock(system) ? "; rigid: G v + b = 0" : "; rigid: G v = 0";
  result.heading.push_back(
      fmt::format("Equations of motion: q' = {}v, M v' = F - {}G^T lambda{}.{}",
                  system.lagrange_coordinates ? "" : "T ", exact > 0 ? "E^T kappa - " : "",
                  e.rolls() ? rigid : " + N^T p", held));
  if (system.lagrangian) result.heading.emplace_back("M and F are derived from K* and P.");
  result.heading.push_back(fmt::format("Closed form: {}", e.info.closed_form));
  result.heading.push_back(
      fmt::format("Source: {}", e.info.source.empty() ? "none given" : e.info.source));
  result.facts.push_back({"closed_form", e.info.closed_form});
}

/// A parameter and its value.
struct ParameterRow {
  ParameterInfo info;
  double value;
};

void add_parameters(Result& result, const SystemEntry& e, const std::vector<double>& values) {
  using P = ParameterRow;
  std::vector<P> rows;
  for (const ParameterInfo& info : e.frictional_parameters())
    rows.push_back({info, values[rows.size()]});
  if (rows.empty()) return;
  add(result,
      table_of<P>("parameters",
                  {{"parameter", "", [](const P& p) { return p.info.name; }},
                   {"unit", "", [](const P& p) { return p.info.unit; }},
                   {"value", "", &P::value},
                   {"default", "", [](const P& p) { return p.info.default_value; }},
                   {"valid", "", [](const P& p) { return valid_range(p.info.range).text(); }},
                   {"meaning", "", [](const P& p) { return p.info.text; }}},
                  std::move(rows)),
      "Parameters");
}

/// A contact that may slip, in the state.
struct PointRow {
  ContactPoint contact;
  double gap, gap_rate;
  std::vector<double> sliding;
};

void add_contact_points(Result& result, const FrictionalSystem& system, const InitialState& state) {
  using P = PointRow;
  using C = ColumnOf<P>;
  VectorXd gap(system.nc());
  MatrixXd rows(system.nc(), system.smooth.n);
  system.geometry->gap(state.q, gap);
  system.geometry->normal_rows(state.q, rows);
  const VectorXd sliding = sliding_velocity(system.smooth, state);
  std::vector<P> points;
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& c = system.contacts[static_cast<std::size_t>(i)];
    const VectorXd w = sliding.segment(c.first, c.components);
    points.push_back({c, gap(i), rows.row(i).dot(state.v), {w.begin(), w.end()}});
  }
  add(result,
      table_of<P>(
          "contact_points",
          {{"contact", "", [](const P& p) { return p.contact.name; }},
           {"normal_force", "", [](const P& p) { return name_of(p.contact.normal); }},
           {"friction", "", [](const P& p) { return p.contact.friction; }},
           C("restitution", "",
             [](const P& p) {
               return p.contact.normal == Normal::unilateral ? p.contact.restitution : std::nan("");
             }),
           {"gap", "gap [m]", &P::gap},
           {"gap_rate", "gap rate [m/s]", &P::gap_rate},
           {"sliding", "sliding [m/s]", [](const P& p) { return Value(p.sliding); }, "{:.6g}"}},
          std::move(points)),
      "Contact points");
}

/// Gaps and sliding speeds of contacts that may slip.
void add_friction(Result& result, const SystemEntry& entry, const FrictionalSystem& system,
                  const InitialState& state) {
  result.heading.push_back(
      fmt::format("{}lips: W = G, M v' = F - {}W^T lambda + N^T p, |lambda| <= mu |p| "
                  "(rigidlimit run FILE).",
                  entry.rolls() ? "And s" : "S", system.smooth.ne > 0 ? "E^T kappa - " : ""));
  result.heading.push_back(
      fmt::format("Closed history: {}", entry.has_closed_history ? "yes" : "no"));
  add_contact_points(result, system, state);
}

struct SmallMotions {
  ContactBasis contacts;
  VectorXd multiplier;
  std::optional<Linearisation> linear;
};

/// The velocity projected onto rolling, in 113 bits. A component within their rounding, 1e-25 of
/// the largest velocity, is 0.
VectorXd rolling_velocity(const System& system, const ContactBasis& contacts,
                          const InitialState& state) {
  const VectorX<Quad> q = state.q.cast<Quad>(), v = state.v.cast<Quad>();
  const VectorXd projected = projected_velocity<Quad>(system, contacts, q, v).cast<double>();
  const double rounding =
      1e-25 * std::max(state.v.lpNorm<Eigen::Infinity>(), projected.lpNorm<Eigen::Infinity>());
  return projected.unaryExpr([=](double x) { return std::abs(x) > rounding ? x : 0.0; });
}

/// State and contact forces of rolling contacts, with the velocity projected onto rolling. Computed
/// before any output, so that a rejected state prints only its message.
SmallMotions rolling_at(const System& system, const SystemEntry& entry, const SystemView& view,
                        InitialState& state) {
  require_regular(system, entry.info.name, state.q, view);
  SmallMotions found{contact_basis(system, state.q), {}, {}};
  state.v = rolling_velocity(system, found.contacts, state);
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

void add_state(Result& result, const SystemEntry& entry, const InitialState& state,
               const SystemView& view, const std::vector<double>& values) {
  const char* const where = view.q.empty() && view.v.empty() ? "default" : "value";
  add_parameters(result, entry, values);
  add_components(result, "coordinates", "Coordinates", entry.info.coordinates, state.q, where);
  add_components(result, "velocities", "Velocities", entry.info.velocities, state.v, where);
}

/// Name, title and source, of a `kind`.
Result description(const char* kind, const std::string& name, const std::string& title,
                   const std::string& source) {
  Result result;
  result.name = name;
  result.kind = kind;
  result.question = title;
  result.source = source;
  return result;
}

/// Texts, parameters, components and the state with its energies, contact forces and rank; with
/// view.linearise the small motions about it; for contacts that may slip their gaps and sliding
/// speeds. Throws InputError for an unknown parameter, a value outside its range, or a state of
/// another size.
Result described_system(const SystemEntry& entry, const SystemView& view) {
  const std::vector<double> values = parameter_values(entry, view);
  InitialState state = seen_state(entry, values, view);
  std::optional<FrictionalSystem> frictional;
  if (entry.slips()) frictional = entry.make_frictional(values);
  if (!entry.rolls() && view.linearise)
    throw InputError(entry.info.name + " has friction and impacts: it has no linearisation",
                     "--linearise");
  const System system = entry.rolls() ? entry.make(values) : frictional->smooth;
  std::optional<SmallMotions> rolling;
  if (entry.rolls())
    rolling = rolling_at(system, entry, view, state);
  else
    require_regular(system, entry.info.name, state.q, view);

  Result result = description("system", entry.info.name, entry.info.title, entry.info.source);
  add_texts(result, entry, system);
  add_state(result, entry, state, view, values);
  if (rolling)
    add_contacts(result, entry.info, system, rolling->contacts, state, rolling->multiplier);
  if (frictional) add_friction(result, entry, *frictional, state);
  add_energy(result, system, state);
  if (rolling && rolling->linear) add_linearisation(result, entry.info, *rolling->linear);
  return result;
}

constexpr const char* describe_footer =
    "--linearise prints M, D, Gamma, K, H and the eigenvalues of small motions about\n"
    "the state of --q and --v.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit describe rolling_disk\n"
    "  rigidlimit describe rolling_disk --linearise --q 0,0,0,0,0 --v 2,0,0,0,4\n"
    "  rigidlimit describe knife_edge --set mass=2.5 --format json\n"
    "  rigidlimit describe roller_racer\n"
    "  rigidlimit describe radau_iia\n"
    "  rigidlimit describe van_der_pol";

struct DescribeArguments {
  const SystemCatalogue* systems = nullptr;
  std::string name, format = "table";
  SystemView view;
};

template <class Method>
Result described_method(const char* name, const char* title, const Method& m) {
  Result result = description("solver", name, title, m.source);
  result.heading = {fmt::format("order {}, {}", m.order, m.stability),
                    fmt::format("source: {}", m.source)};
  result.facts = {{"order", m.order}, {"stability", m.stability}};
  return result;
}

Result described_law(const LawInfo& law) {
  Result result = description("law", law.name, law.equations, law.source);
  result.heading = {fmt::format("eps: {}", law.small_parameter),
                    fmt::format("expected sup-norm orders: {}", law.expected),
                    fmt::format("source: {}", law.source)};
  return result;
}

/// A benchmark problem.
Result described_problem(const ClassicalEntry& entry) {
  const ClassicalProblem problem = entry.make_default();
  Result result = description("problem", entry.name, entry.title, entry.source);
  result.heading = {fmt::format("{}, {} components, t from {:g} to {:g}",
                                entry.dae ? fmt::format("DAE of index {}", entry.index) : "ODE",
                                problem.size(), problem.t0, problem.end),
                    fmt::format("source: {}", entry.source)};
  using P = ClassicalParameter;
  if (!entry.parameters.empty())
    add(result,
        table_of<P>("parameters",
                    {{"parameter", "", &P::name},
                     {"default", "", &P::default_value},
                     {"valid", "", [](const P& p) { return p.range.text(); }},
                     {"meaning", "", &P::text}},
                    entry.parameters),
        "Parameters");
  return result;
}

std::vector<std::string> known_names(const SystemCatalogue& systems) {
  std::vector<std::string> known = names_of(systems);
  for (const auto& names : {names_of_laws(), names_of_rigid_solvers(), names_of_ode_methods()})
    for (const std::string& name : names)
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  for (const ClassicalEntry& entry : classical_problems()) known.push_back(entry.name);
  std::ranges::copy(names_of(shipped_systems()), std::back_inserter(known));
  return known;
}

/// A system or a problem.
Result description_of_file(const std::string& file, const DescribeArguments& arguments) {
  if (const auto problem = problem_if_in_file(file)) return described_problem(*problem);
  const std::shared_ptr<const SystemEntry> system = system_in_file(file, *arguments.systems);
  for (const std::string& warning : system->warnings())
    print_message("rigidlimit: warning: {}\n", warning);
  return described_system(*system, arguments.view);
}

/// A system or a problem, also in a file, a law or a solver.
Result description_of(const DescribeArguments& arguments) {
  const SystemCatalogue& systems = *arguments.systems;
  const std::string& name = arguments.name;
  if (is_system_file(name)) return description_of_file(name, arguments);
  if (const SystemEntry* system = find_system(systems, name))
    return described_system(*system, arguments.view);
  for (const LawInfo& law : laws())
    if (name == law.name) return described_law(law);
  if (const OdeMethod* method = find_ode_method(name))
    return described_method(method->name, method->title, *method);
  if (const RigidSolver* solver = find_rigid_solver(name)) {
    if (solver->form == RigidForm::closed_form)
      return description("solver", solver->name, solver->title, "");
    return described_method(solver->name, solver->title, *find_dae_method("ida"));
  }
  if (const ClassicalEntry* problem = find_classical_problem(name))
    return described_problem(*problem);
  if (const NamedFile named = named_system(name); is_system_file(named.path)) {
    return description_of_file(path_with_notice(named), arguments);
  }
  throw InputError(fmt::format("'{}' is not a system, law, solver or classical problem{}", name,
                               suggestion(name, known_names(systems), "rigidlimit list")));
}

int describe(const DescribeArguments& arguments) {
  Result result = description_of(arguments);
  // The CSV of what has no parameters.
  result.tables.push_back(row_of("description", {{"kind", result.kind},
                                                 {"name", result.name},
                                                 {"title", result.question},
                                                 {"source", result.source}})
                              .kept(Kept::in_files));
  const bool colour = colour_wanted();
  print_toned(formatted({result}, format_named(arguments.format), output_screen()), colour);
  return exit_status::held;
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
  command.option("--format", arguments->format, "format of the description")
      .one_of(names_of_formats())
      .shows_default();
  return {command, [arguments] { return describe(*arguments); },
          [&systems] {
            return ArgumentWords{{"NAME", known_names(systems)}};
          }};
}

}  // namespace rigidlimit
