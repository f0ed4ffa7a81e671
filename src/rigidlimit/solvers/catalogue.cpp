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
    "own implementation; Hairer & Wanner, Solving ODEs II, IV.8";

/// The purpose and the abilities of a method: OdeMethod has a member for each.
enum Ability : unsigned {
  has_none = 0,
  is_stiff = 1,
  needs_jacobian = 2,
  has_fixed_step = 4,
  has_output = 8,
  finds_roots = 16
};

/// `stages`: of a step; 0: a multistep method, or variable.
constexpr OdeMethod ode_method(const char* name, const char* title, int order, int stages,
                               const char* stability, const char* source, unsigned abilities,
                               decltype(OdeMethod::function) function) {
  return {.name = name,
          .title = title,
          .order = order,
          .stages = stages,
          .stability = stability,
          .source = source,
          .stiff = (abilities & is_stiff) != 0,
          .exact_jacobian = (abilities & needs_jacobian) != 0,
          .fixed_step = (abilities & has_fixed_step) != 0,
          .dense_output = (abilities & has_output) != 0,
          .roots = (abilities & finds_roots) != 0,
          .function = function};
}

constexpr OdeMethod the_ode_methods[] = {
    ode_method("cvode_bdf", "CVODE, variable-order BDF", 5, 0,
               "A-stable to order 2, stiffly stable to order 5", sundials_source,
               is_stiff | has_output | finds_roots, solve_cvode_bdf),
    ode_method("cvode_adams", "CVODE, variable-order Adams, functional iteration", 12, 0,
               "explicit, due to functional iteration", sundials_source, has_output | finds_roots,
               solve_cvode_adams),
    ode_method("rosenbrock4", "Rosenbrock method RODAS of Odeint, with the sign of d4 corrected", 4,
               6, "L-stable", rodas_source, is_stiff | needs_jacobian | has_fixed_step | has_output,
               solve_rosenbrock4),
    ode_method("rosenbrock4_shipped",
               "Rosenbrock method of Odeint as shipped: order 1 if f depends on t", 1, 6,
               "L-stable", rodas_source, is_stiff | needs_jacobian | has_fixed_step | has_output,
               solve_rosenbrock4_shipped),
    ode_method("runge_kutta_fehlberg78", "Fehlberg's Runge-Kutta pair of order 8(7)", 8, 13,
               "explicit", "Boost.Odeint; Fehlberg, NASA TR R-287 (1968)",
               has_fixed_step | finds_roots, solve_runge_kutta_fehlberg78),
    ode_method("dopri5", "Dormand & Prince's Runge-Kutta pair of order 5(4)", 5, 7, "explicit",
               "Boost.Odeint; Dormand & Prince (1980)", has_fixed_step | finds_roots, solve_dopri5),
    ode_method("radau_iia",
               "Radau IIA with 8 stages side by side in adapted variables, else with 3, 5 or 7", 15,
               0, "L-stable", radau_source, is_stiff | has_fixed_step | has_output | finds_roots,
               solve_radau_iia_fastest),
    ode_method("radau_iia_3", "Radau IIA with 3 stages", 5, 3, "L-stable", radau_source,
               is_stiff | has_fixed_step | has_output | finds_roots, solve_radau_iia_3),
    ode_method("radau_iia_5", "Radau IIA with 5 stages", 9, 5, "L-stable", radau_source,
               is_stiff | has_fixed_step | has_output | finds_roots, solve_radau_iia_5),
    ode_method("radau_iia_7", "Radau IIA with 7 stages", 13, 7, "L-stable", radau_source,
               is_stiff | has_fixed_step | has_output | finds_roots, solve_radau_iia_7),
    ode_method("bulirsch_stoer", "Bulirsch & Stoer's extrapolation of the modified midpoint rule",
               16, 0, "explicit", "Boost.Odeint; Hairer, Norsett & Wanner, Solving ODEs I, II.9",
               has_none, solve_bulirsch_stoer),
    ode_method("composite_6",
               "Composite expansion in epsilon to order 6: outer terms and initial layer, no steps",
               7, 0, "no steps; valid for small epsilon",
               "own implementation; docs/theory.md, section 13", is_stiff | has_output,
               solve_composite_6),
};

constexpr const char* exponential_source =
    "own implementation; Hochbruck, Ostermann & Schweitzer (2009)";
constexpr const char* alpha_source = "own implementation; Jansen, Whiting & Hulbert (2000)";

/// The project's one-step methods beside Radau IIA.
constexpr OdeMethod the_one_step_methods[] = {
    ode_method("rodas4", "Rosenbrock method RODAS, order 4(3)", 4, 6, "L-stable",
               "own implementation; Hairer & Wanner, Solving ODEs II, VI.4",
               is_stiff | needs_jacobian | has_fixed_step | has_output, solve_rodas4),
    ode_method("rodasp", "Rosenbrock method RODASP, order 4(3), for parabolic problems", 4, 6,
               "L-stable", "own implementation; Steinebach (1995)",
               is_stiff | needs_jacobian | has_fixed_step | has_output, solve_rodasp),
    ode_method("rodas5p", "Rosenbrock method Rodas5P, order 5(4)", 5, 8, "L-stable",
               "own implementation; Steinebach (2023)",
               is_stiff | needs_jacobian | has_fixed_step | has_output, solve_rodas5p),
    ode_method("rodas6p", "Rosenbrock method Rodas6P, order 6(5)", 6, 16, "L-stable",
               "own implementation; Steinebach (2025)",
               is_stiff | needs_jacobian | has_fixed_step | has_output, solve_rodas6p),
    ode_method("ros34pw2", "Rosenbrock W-method ROS34PW2, order 3(2)", 3, 4, "L-stable",
               "own implementation; Rang & Angermann (2005)",
               is_stiff | has_fixed_step | has_output, solve_ros34pw2),
    ode_method("exprb32", "Exponential Rosenbrock method exprb32", 3, 2, "exact on linear problems",
               exponential_source, is_stiff | needs_jacobian | has_fixed_step | has_output,
               solve_exprb32),
    ode_method("exprb43", "Exponential Rosenbrock method exprb43", 4, 3, "exact on linear problems",
               exponential_source, is_stiff | needs_jacobian | has_fixed_step | has_output,
               solve_exprb43),
    ode_method("generalised_alpha", "Generalised alpha, spectral radius 1/2 at infinity", 2, 1,
               "A-stable, |R(infinity)| = 1/2", alpha_source,
               is_stiff | has_fixed_step | has_output, solve_generalised_alpha),
    ode_method("generalised_alpha_dissipative", "Generalised alpha, spectral radius 0 at infinity",
               2, 1, "L-stable", alpha_source, is_stiff | has_fixed_step | has_output,
               solve_generalised_alpha_dissipative),
    ode_method("implicit_midpoint", "Implicit midpoint rule", 2, 1, "A-stable, R(infinity) = -1",
               "own implementation; Hairer & Wanner, Solving ODEs II, IV.3",
               is_stiff | has_fixed_step | has_output, solve_implicit_midpoint),
    ode_method("trapezoidal_rule", "Trapezoidal rule", 2, 1, "A-stable, R(infinity) = -1",
               "own implementation; Hairer & Wanner, Solving ODEs II, IV.3",
               is_stiff | has_fixed_step | has_output, solve_trapezoidal_rule),
    ode_method("implicit_euler", "Implicit Euler rule", 1, 1, "L-stable",
               "own implementation; Hairer & Wanner, Solving ODEs II, IV.3",
               is_stiff | has_fixed_step | has_output, solve_implicit_euler),
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
          .stages = method.stages,
          .stability = method.stability.c_str(),
          .source = method.source.c_str(),
          .stiff = method.stiff,
          .exact_jacobian = false,
          .fixed_step = method.fixed_step,
          .dense_output = method.dense_output,
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
