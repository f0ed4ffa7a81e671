#include "rigidlimit/solvers/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/composite.hpp"
#include "rigidlimit/solvers/odeint/odeint_methods.hpp"
#include "rigidlimit/solvers/odeint/odeint_rosenbrock4.hpp"
#include "rigidlimit/solvers/one_stage/generalised_alpha.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/solvers/rosenbrock/rosenbrock_methods.hpp"
#include "rigidlimit/solvers/solve_between_instants.hpp"
#include "rigidlimit/solvers/sundials/arkode.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"
#include "rigidlimit/solvers/sundials/ida.hpp"

namespace rigidlimit {
namespace {

constexpr const char* sundials_source = "SUNDIALS (Hindmarsh et al. 2005)";
constexpr const char* rodas_source = "Boost.Odeint; Hairer & Wanner, Solving ODEs II, IV.7";

constexpr const char* radau_source =
    "own implementation; Hairer & Wanner, Solving ODEs II, IV.8, and (1999)";

constexpr OdeMethod the_ode_methods[] = {
    {.name = "cvode_bdf",
     .title = "CVODE, variable-order BDF",
     .order = 5,
     .stability = "A-stable to order 2, stiffly stable to order 5",
     .source = sundials_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = false,
     .dense_output = true,
     .roots = true,
     .function = solve_cvode_bdf},
    {.name = "cvode_adams",
     .title = "CVODE, variable-order Adams, functional iteration",
     .order = 12,
     .stability = "explicit, due to functional iteration",
     .source = sundials_source,
     .stiff = false,
     .exact_jacobian = false,
     .fixed_step = false,
     .dense_output = true,
     .roots = true,
     .function = solve_cvode_adams},
    {.name = "rosenbrock4",
     .title = "Rosenbrock method RODAS of Odeint, with the sign of d4 corrected",
     .order = 4,
     .stability = "L-stable",
     .source = rodas_source,
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 6,
     .function = solve_rosenbrock4},
    {.name = "rosenbrock4_shipped",
     .title = "Rosenbrock method of Odeint as shipped: order 1 if f depends on t",
     .order = 1,
     .stability = "L-stable",
     .source = rodas_source,
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 6,
     .function = solve_rosenbrock4_shipped},
    {.name = "runge_kutta_fehlberg78",
     .title = "Fehlberg's Runge-Kutta pair of order 8(7)",
     .order = 8,
     .stability = "explicit",
     .source = "Boost.Odeint; Fehlberg, NASA TR R-287 (1968)",
     .stiff = false,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = false,
     .stages = 13,
     .roots = true,
     .function = solve_runge_kutta_fehlberg78},
    {.name = "dopri5",
     .title = "Dormand & Prince's Runge-Kutta pair of order 5(4)",
     .order = 5,
     .stability = "explicit",
     .source = "Boost.Odeint; Dormand & Prince (1980)",
     .stiff = false,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = false,
     .stages = 7,
     .roots = true,
     .function = solve_dopri5},
    {.name = "radau_iia",
     .title = "Radau IIA with 8 stages side by side in adapted variables, else with 3, 5 or 7",
     .order = 15,
     .stability = "L-stable",
     .source = radau_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .roots = true,
     .function = solve_radau_iia_fastest},
    {.name = "radau_iia_3",
     .title = "Radau IIA with 3 stages",
     .order = 5,
     .stability = "L-stable",
     .source = radau_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 3,
     .roots = true,
     .function = solve_radau_iia_3},
    {.name = "radau_iia_5",
     .title = "Radau IIA with 5 stages",
     .order = 9,
     .stability = "L-stable",
     .source = radau_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 5,
     .roots = true,
     .function = solve_radau_iia_5},
    {.name = "radau_iia_7",
     .title = "Radau IIA with 7 stages",
     .order = 13,
     .stability = "L-stable",
     .source = radau_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 7,
     .roots = true,
     .function = solve_radau_iia_7},
    {.name = "bulirsch_stoer",
     .title = "Bulirsch & Stoer's extrapolation of the modified midpoint rule",
     .order = 16,
     .stability = "explicit",
     .source = "Boost.Odeint; Hairer, Norsett & Wanner, Solving ODEs I, II.9",
     .stiff = false,
     .exact_jacobian = false,
     .fixed_step = false,
     .dense_output = false,
     .function = solve_bulirsch_stoer},
    {.name = "composite_6",
     .title = "Composite expansion in epsilon to order 6: outer terms and initial layer, no steps",
     .order = 7,
     .stability = "no steps; valid for small epsilon",
     .source = "own implementation; docs/theory.md, section 13",
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = false,
     .dense_output = true,
     .function = solve_composite_6},
};

constexpr const char* exponential_source =
    "own implementation; Hochbruck, Ostermann & Schweitzer (2009)";
constexpr const char* alpha_source = "own implementation; Jansen, Whiting & Hulbert (2000)";

/// The project's one-step methods beside Radau IIA.
constexpr OdeMethod the_one_step_methods[] = {
    {.name = "rodas4",
     .title = "Rosenbrock method RODAS, order 4(3)",
     .order = 4,
     .stability = "L-stable",
     .source = "own implementation; Hairer & Wanner, Solving ODEs II, VI.4",
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 6,
     .function = solve_rodas4},
    {.name = "rodasp",
     .title = "Rosenbrock method RODASP, order 4(3), for parabolic problems",
     .order = 4,
     .stability = "L-stable",
     .source = "own implementation; Steinebach (1995)",
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 6,
     .function = solve_rodasp},
    {.name = "rodas5p",
     .title = "Rosenbrock method Rodas5P, order 5(4)",
     .order = 5,
     .stability = "L-stable",
     .source = "own implementation; Steinebach (2023)",
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 8,
     .function = solve_rodas5p},
    {.name = "ros34pw2",
     .title = "Rosenbrock W-method ROS34PW2, order 3(2)",
     .order = 3,
     .stability = "L-stable",
     .source = "own implementation; Rang & Angermann (2005)",
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 4,
     .function = solve_ros34pw2},
    {.name = "exprb32",
     .title = "Exponential Rosenbrock method exprb32",
     .order = 3,
     .stability = "exact on linear problems",
     .source = exponential_source,
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 2,
     .function = solve_exprb32},
    {.name = "exprb43",
     .title = "Exponential Rosenbrock method exprb43",
     .order = 4,
     .stability = "exact on linear problems",
     .source = exponential_source,
     .stiff = true,
     .exact_jacobian = true,
     .fixed_step = true,
     .dense_output = true,
     .stages = 3,
     .function = solve_exprb43},
    {.name = "generalised_alpha",
     .title = "Generalised alpha, spectral radius 1/2 at infinity",
     .order = 2,
     .stability = "A-stable, |R(infinity)| = 1/2",
     .source = alpha_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 1,
     .function = solve_generalised_alpha},
    {.name = "generalised_alpha_dissipative",
     .title = "Generalised alpha, spectral radius 0 at infinity",
     .order = 2,
     .stability = "L-stable",
     .source = alpha_source,
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 1,
     .function = solve_generalised_alpha_dissipative},
    {.name = "implicit_midpoint",
     .title = "Implicit midpoint rule",
     .order = 2,
     .stability = "A-stable, R(infinity) = -1",
     .source = "own implementation; Hairer & Wanner, Solving ODEs II, IV.3",
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 1,
     .function = solve_implicit_midpoint},
    {.name = "trapezoidal_rule",
     .title = "Trapezoidal rule",
     .order = 2,
     .stability = "A-stable, R(infinity) = -1",
     .source = "own implementation; Hairer & Wanner, Solving ODEs II, IV.3",
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 1,
     .function = solve_trapezoidal_rule},
    {.name = "implicit_euler",
     .title = "Implicit Euler rule",
     .order = 1,
     .stability = "L-stable",
     .source = "own implementation; Hairer & Wanner, Solving ODEs II, IV.3",
     .stiff = true,
     .exact_jacobian = false,
     .fixed_step = true,
     .dense_output = true,
     .stages = 1,
     .function = solve_implicit_euler},
};

constexpr DaeMethod the_dae_methods[] = {
    {.name = "ida",
     .title = "IDA, variable-order BDF",
     .order = 5,
     .stability = "A-stable to order 2, stiffly stable to order 5",
     .source = sundials_source,
     .roots = true,
     .solve = solve_ida},
};

template <class Method>
const Method* find(std::span<const Method> methods, std::string_view name) {
  for (const Method& method : methods)
    if (name == method.name) return &method;
  return nullptr;
}

/// Pointers to methods stay valid: the list never moves.
std::vector<OdeMethod>& all_methods() {
  static std::vector<OdeMethod> all = [] {
    std::vector<OdeMethod> methods(std::begin(the_ode_methods), std::end(the_ode_methods));
    const auto own = std::span<const OdeMethod>(the_one_step_methods);
    const auto more = arkode_methods();
    methods.reserve(methods.size() + own.size() + more.size() + most_own_methods);
    methods.insert(methods.end(), own.begin(), own.end());
    methods.insert(methods.end(), more.begin(), more.end());
    return methods;
  }();
  return all;
}

OdeMethod entry_of(const OwnMethod& method) {
  return {.name = method.name.c_str(),
          .title = method.title.c_str(),
          .order = method.order,
          .stability = method.stability.c_str(),
          .source = method.source.c_str(),
          .stiff = method.stiff,
          .exact_jacobian = false,
          .fixed_step = method.fixed_step,
          .dense_output = method.dense_output,
          .stages = method.stages,
          .own = &method};
}

void require_name(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || !std::ranges::all_of(name, is_word) || name == "all" || name == "stiff")
    throw InputError("the name of a method has letters, digits and _", name);
}

}  // namespace

std::span<const OdeMethod> ode_methods() {
  return all_methods();
}

void add_method(OwnMethod method) {
  static std::deque<OwnMethod> kept;  // replaced ones too: a study may still refer to them
  require_name(method.name);
  if (!method.solve) throw InputError("the method has no function `solve`", method.name);
  std::vector<OdeMethod>& all = all_methods();
  const auto same = std::ranges::find_if(
      all, [&](const OdeMethod& other) { return std::string_view(method.name) == other.name; });
  if (same != all.end() && !same->own)
    throw InputError("is the name of a method of the library", method.name);
  if (same == all.end() && all.size() == all.capacity())
    throw InputError(fmt::format("more than {} own methods", most_own_methods), method.name);
  const OdeMethod entry = entry_of(kept.emplace_back(std::move(method)));
  if (same == all.end())
    all.push_back(entry);
  else
    *same = entry;
}

Solution OdeMethod::solve(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options) const {
  if (own && problem.roots && problem.roots->must_be_located())
    throw InputError(problem.name +
                     ": the right-hand side ends at roots, which an own method does not locate");
  if (problem.roots && problem.roots->instants)
    return solve_between_instants(*this, problem, times, options);
  return own ? solve_own(*own, problem, times, options) : function(problem, times, options);
}
std::span<const DaeMethod> dae_methods() {
  return the_dae_methods;
}

const OdeMethod* find_ode_method(std::string_view name) {
  return find(ode_methods(), name);
}
const DaeMethod* find_dae_method(std::string_view name) {
  return find(dae_methods(), name);
}

std::vector<std::string> names_of_ode_methods() {
  std::vector<std::string> names;
  for (const OdeMethod& method : ode_methods()) names.emplace_back(method.name);
  return names;
}

bool needs_a_form(const OdeMethod& method) {
  return method.splits || method.function == solve_composite_6;
}

std::string refusal_of(const OdeMethod& method, const OdeProblem& problem) {
  if (method.splits && !problem.splitting)
    return "needs a splitting of the right-hand side, which this problem does not have";
  if (method.function == solve_composite_6 && !problem.expansion)
    return "needs an expansion in a small parameter, which this problem does not have";
  return "";
}

}  // namespace rigidlimit
