#include "rigidlimit/study/catalogue.hpp"

#include <algorithm>

#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/knife_edge.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

// Defined in study/make_entry.hpp, instantiated once in study/entry_NAME.cpp.
template <MechanicalSystem Sys>
SystemEntry make_entry();

const std::vector<SystemEntry>& systems() {
  static const std::vector<SystemEntry> entries{
      make_entry<KnifeEdge>(), make_entry<ChaplyginSleigh>(), make_entry<RollingDisk>()};
  return entries;
}

const std::vector<LawInfo>& laws() {
  static const std::vector<LawInfo> entries{
      {"viscoelastic", "lambda = C y/eps^2 + D y'/eps^beta,  y' = G v",
       "q 2, v 1, lambda 0 (2, 2, 2 after the layer) for beta = 1; v beta for 1 < beta <= 2",
       "Deppler, Braun, Fidlin and Hochbruck (2016)"}};
  return entries;
}

const std::vector<RigidSolver>& rigid_solvers() {
  static const std::vector<RigidSolver> entries = [] {
    std::vector<RigidSolver> list{
        {"closed_form", RigidForm::closed_form, "formula, where the system has one"},
        {"ida", RigidForm::index2, "SUNDIALS IDA, BDF, index 2 in (q, v, Lambda)"},
        {"ida_impulse", RigidForm::impulse, "SUNDIALS IDA, BDF, index 1 in (q, v, impulse)"},
        {"radau_iia_index2", RigidForm::semi_explicit, "Radau IIA, index 2 in (q, v, Lambda)"},
        {"radau_iia_reduced", RigidForm::reduced,
         "Radau IIA, the reduced system in (q, u), u = S v"}};
    for (const OdeMethod& method : ode_methods())
      list.push_back({method.name, RigidForm::eliminated, method.title});
    return list;
  }();
  return entries;
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

const SystemEntry* find_system(std::string_view name) {
  return find_by(systems(), name, [](const SystemEntry& e) { return e.info.name; });
}
const RigidSolver* find_rigid_solver(std::string_view name) {
  return find_by(rigid_solvers(), name, [](const RigidSolver& e) { return e.name; });
}

std::vector<std::string> names_of_systems() {
  return names_in(systems(), [](const SystemEntry& e) { return e.info.name; });
}
std::vector<std::string> names_of_laws() {
  return names_in(laws(), [](const LawInfo& e) { return e.name; });
}
std::vector<std::string> names_of_rigid_solvers() {
  return names_in(rigid_solvers(), [](const RigidSolver& e) { return e.name; });
}
std::vector<std::string> names_of_compliant_solvers() {
  return names_in(ode_methods(), [](const OdeMethod& e) { return e.name; });
}

}  // namespace rigidlimit
