#include "rigidlimit/experiment/pair/solve_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/plan/content_hash.hpp"

namespace rigidlimit {

SolveIdentity determined(SolveIdentity identity, const std::string& settings) {
  std::string& words = identity.determinants;
  words = fmt::format("kind={} ", name_of(identity.kind));
  const auto add = [&](const char* name, std::string value) {
    std::ranges::replace(value, ' ', '_');
    if (!value.empty()) words += fmt::format("{}={} ", name, value);
  };
  add("law", identity.law);
  if (!std::isnan(identity.epsilon)) {
    words += fmt::format("epsilon={} solver={} tighter={} ", identity.epsilon,
                         identity_of_solver(identity.solver), identity.tighter);
  } else {
    add("solver", identity_of_solver(identity.solver));
  }
  words += fmt::format("rtol={} atol={} ", identity.rtol, identity.atol);
  add("formulation", identity.formulation);
  words += fmt::format("precision={} {} grid={}", identity.precision, settings, identity.grid);
  return identity;
}

std::string hash_of_physics(const SystemEntry& entry, const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values, const System& system,
                            const InitialState& start, const std::string& equations) {
  std::string text = fmt::format("system {}\n", entry.info.name);
  for (std::size_t k = 0; k < values.size(); ++k)
    text += fmt::format("{} = {}\n", parameters[k].name, values[k]);
  text += origin_text(entry, *system.recorded);
  return content_hash(text + fmt::format("q {}\nv {}\nequations {}", exact_text(start.q),
                                         exact_text(start.v), equations));
}

namespace {

std::string contact_text(const ContactSpec& contact) {
  return fmt::format("C {}\nratio {}\nD {}\nbeta {}\npreparation {} {}",
                     exact_text(contact.stiffness), contact.damping_ratio.value_or(std::nan("")),
                     exact_text(contact.damping), contact.damping_exponent,
                     static_cast<int>(contact.preparation), exact_text(contact.deflection));
}

}  // namespace

SolveIdentities::SolveIdentities(const RollingStudy& study)
    : study_(study),
      physics_(hash_of_physics(
          *study.system, study.system->parameters, study.parameters, study.model, study.initial,
          fmt::format("{}\nproject {}", fingerprint(study.model, study.initial), study.project))),
      contact_(content_hash(contact_text(study.contact))) {}

std::string SolveIdentities::setting(const std::string& law) const {
  return fmt::format("physics={} contact={} law={}", physics_, contact_, law);
}

SolveIdentity SolveIdentities::of_rigid_motion(SolveIdentity::Kind kind, const std::string& solver,
                                               Tolerance tolerance, const std::string& grid,
                                               const std::string& more) const {
  return determined(
      {.kind = kind,
       .solver = solver,
       .rtol = tolerance.rtol,
       .atol = tolerance.atol,
       .precision = name_of(study_.solvers.precision),
       .grid = grid},
      fmt::format("physics={} max_steps={}{}", physics_, study_.solvers.max_steps, more));
}

SolveIdentity SolveIdentities::rigid(const std::string& solver, Tolerance tolerance,
                                     const std::string& grid) const {
  // The contact determines the Λ of redundant contacts.
  return of_rigid_motion(SolveIdentity::Kind::rigid, solver, tolerance, grid,
                         study_.contacts.redundant() ? " contact=" + contact_ : "");
}

SolveIdentity SolveIdentities::rigid_work(const std::string& method, Tolerance tolerance,
                                          const std::string& grid) const {
  return of_rigid_motion(SolveIdentity::Kind::rigid_work, method, tolerance, grid, "");
}

SolveIdentity SolveIdentities::compliant(const std::string& law, const std::string& solver,
                                         double epsilon, bool tighter,
                                         const std::string& grid) const {
  const Tolerance tolerance = study_.solvers.tolerance_of(solver, tighter);
  return determined({.kind = SolveIdentity::Kind::compliant,
                     .law = law,
                     .solver = solver,
                     .epsilon = epsilon,
                     .tighter = tighter,
                     .rtol = tolerance.rtol,
                     .atol = tolerance.atol,
                     .formulation = name_of(study_.solvers.settings_of(solver).formulation),
                     .precision = name_of(study_.solvers.precision),
                     .grid = grid},
                    fmt::format("physics={} contact={} steps={} max_steps={}", physics_, contact_,
                                study_.solvers.steps, study_.solvers.max_steps));
}

}  // namespace rigidlimit
