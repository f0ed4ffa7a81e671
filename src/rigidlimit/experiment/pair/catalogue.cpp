#include "rigidlimit/experiment/pair/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

const std::vector<LawInfo>& laws() {
  static const std::vector<LawInfo> entries{
      {.name = "viscoelastic",
       .equations = "lambda = C y/eps^2 + D y'/eps^beta,  y' = G v",
       .small_parameter = "stiffness C/eps^2, damping D/eps^beta",
       .expected =
           "q 2, v 1, lambda 0 (2, 2, 2 after the layer) for beta = 1; v beta for 1 < beta <= 2",
       .source = "Deppler, Braun, Fidlin and Hochbruck (2016)",
       .realisation = std::nullopt,
       .has_damper = true},
      {.name = "elastic",
       .equations = "lambda = C y/eps^2,  y' = G v",
       .small_parameter = "stiffness C/eps^2",
       .expected = "q 2, v 1, lambda 0, at all times: undamped oscillation",
       .source = "Kozlov (1983)",
       .realisation = std::nullopt,
       .has_damper = false},
      {.name = "viscous",
       .equations = "lambda = (D/eps) G v",
       .small_parameter = "damping D/eps",
       .expected = "q 1, v 1, lambda 0 (1 after the layer)",
       .source = "Karapetian (1981), Brendelev (1981), Eldering (2016)",
       .realisation = Realisation::viscous,
       .has_damper = true},
      {.name = "parasitic",
       .equations = "0 = G+ (v + eps v'),  G+ = G(q + eps q')",
       .small_parameter = "prediction time eps of the constraint",
       .expected = "q 2, v 2, lambda 1",
       .source = "Knorrenschild (1988)",
       .realisation = Realisation::parasitic,
       .has_damper = false},
      {.name = "baumgarte",
       .equations = "(G v)' + G v/eps = 0",
       .small_parameter = "decay time eps of a sliding velocity",
       .expected = "exact from a rolling start",
       .source = "Baumgarte (1972)",
       .realisation = Realisation::baumgarte,
       .has_damper = false},
      {.name = "inertial",
       .equations = "kinetic co-energy K* + |G v|^2/(2 eps), no contact force",
       .small_parameter = "virtual mass 1/eps",
       .expected = "does not converge to rolling: its limit is vakonomic motion",
       .source = "Kozlov (1983)",
       .realisation = Realisation::inertial,
       .has_damper = false}};
  return entries;
}

const std::vector<RigidSolver>& rigid_solvers() {
  static std::vector<RigidSolver> list{
      {"closed_form", RigidForm::closed_form, "closed form, if the system has one"},
      {"ida", RigidForm::index2, "SUNDIALS IDA, BDF, index 2 in (q, v, Lambda)"},
      {"ida_impulse", RigidForm::impulse, "SUNDIALS IDA, BDF, index 1 in (q, v, impulse)"},
      {"radau_iia_index2", RigidForm::semi_explicit, "Radau IIA, index 2 in (q, v, Lambda)"},
      {"radau_iia_reduced", RigidForm::reduced,
       "Radau IIA, the reduced system in (q, u), u = S v"}};
  static std::size_t known = 0;  // methods: a user may have added some since the last call
  static std::mutex guard;
  const std::scoped_lock lock(guard);
  const std::span<const OdeMethod> methods = ode_methods();
  if (known == 0) list.reserve(list.size() + methods.size() + most_own_methods);  // never moves
  for (; known < methods.size(); ++known)
    if (!needs_a_form(methods[known]))  // the limit has no stiff part
      list.push_back({methods[known].name, RigidForm::eliminated, methods[known].title});
  return list;
}

namespace {

template <class Entries, class Name>
auto find_by(const Entries& entries, std::string_view name, Name name_of) -> decltype(&entries[0]) {
  const auto at = std::ranges::find_if(entries, [&](const auto& e) { return name_of(e) == name; });
  return at == entries.end() ? nullptr : &*at;
}

template <class Entries, class Name>
std::vector<std::string> names_in(const Entries& entries, Name name_of) {
  std::vector<std::string> names;
  for (const auto& e : entries) names.emplace_back(name_of(e));
  return names;
}

}  // namespace

const LawInfo* find_law(std::string_view name) {
  return find_by(laws(), name, [](const LawInfo& e) { return e.name; });
}
const RigidSolver* find_rigid_solver(std::string_view name) {
  return find_by(rigid_solvers(), name, [](const RigidSolver& e) { return e.name; });
}

std::vector<std::string> names_of_laws() {
  return names_in(laws(), [](const LawInfo& e) { return e.name; });
}
std::vector<std::string> names_of_rigid_solvers() {
  return names_in(rigid_solvers(), [](const RigidSolver& e) { return e.name; });
}

}  // namespace rigidlimit
