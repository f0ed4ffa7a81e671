#include "rigidlimit/experiment/pair/solve_identity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/experiment/plan/content_hash.hpp"

namespace rigidlimit {

namespace {

std::string physics_text(const RollingStudy& study) {
  std::string text = fmt::format("system {}\n", study.system->info.name);
  for (std::size_t k = 0; k < study.parameters.size(); ++k)
    text += fmt::format("{} = {}\n", study.system->parameters[k].name, study.parameters[k]);
  return text + origin_text(*study.system, *study.model.recorded) +
         fmt::format("q {}\nv {}\nproject {}\nequations {}", exact_text(study.initial.q),
                     exact_text(study.initial.v), study.project,
                     fingerprint(study.model, study.initial));
}

std::string contact_text(const ContactSpec& contact) {
  return fmt::format("C {}\nratio {}\nD {}\nbeta {}\npreparation {} {}",
                     exact_text(contact.stiffness), contact.damping_ratio.value_or(std::nan("")),
                     exact_text(contact.damping), contact.damping_exponent,
                     static_cast<int>(contact.preparation), exact_text(contact.deflection));
}

}  // namespace

SolveIdentities::SolveIdentities(const RollingStudy& study)
    : study_(study),
      physics_(content_hash(physics_text(study))),
      contact_(content_hash(contact_text(study.contact))) {}

SolveIdentity SolveIdentities::of_rigid_motion(SolveIdentity identity,
                                               const std::string& grid) const {
  identity.precision = name_of(study_.solvers.precision);
  identity.grid = grid;
  identity.determinants =
      fmt::format("kind={} physics={} solver={} rtol={} atol={} max_steps={} precision={} grid={}",
                  name_of(identity.kind), physics_, identity_of_solver(identity.solver),
                  identity.rtol, identity.atol, study_.solvers.max_steps, identity.precision, grid);
  return identity;
}

std::string SolveIdentities::setting(const std::string& law) const {
  return fmt::format("physics={} contact={} law={}", physics_, contact_, law);
}

SolveIdentity SolveIdentities::rigid(const std::string& solver, Tolerance tolerance,
                                     const std::string& grid) const {
  SolveIdentity identity = of_rigid_motion({.kind = SolveIdentity::Kind::rigid,
                                            .solver = solver,
                                            .rtol = tolerance.rtol,
                                            .atol = tolerance.atol},
                                           grid);
  // The contact determines the Λ of redundant contacts.
  if (study_.contacts.redundant()) identity.determinants += " contact=" + contact_;
  return identity;
}

SolveIdentity SolveIdentities::rigid_work(const std::string& method, Tolerance tolerance,
                                          const std::string& grid) const {
  return of_rigid_motion({.kind = SolveIdentity::Kind::rigid_work,
                          .solver = method,
                          .rtol = tolerance.rtol,
                          .atol = tolerance.atol},
                         grid);
}

SolveIdentity SolveIdentities::compliant(const std::string& law, const std::string& solver,
                                         double epsilon, bool tighter,
                                         const std::string& grid) const {
  const Tolerance tolerance = study_.solvers.tolerance_of(solver, tighter);
  SolveIdentity identity{.kind = SolveIdentity::Kind::compliant,
                         .law = law,
                         .solver = solver,
                         .epsilon = epsilon,
                         .tighter = tighter,
                         .rtol = tolerance.rtol,
                         .atol = tolerance.atol,
                         .formulation = name_of(study_.solvers.settings_of(solver).formulation),
                         .precision = name_of(study_.solvers.precision),
                         .grid = grid};
  identity.determinants = fmt::format(
      "kind=compliant {} epsilon={} formulation={} solver={} tighter={} rtol={} atol={} steps={} "
      "max_steps={} precision={} grid={}",
      setting(law), epsilon, identity.formulation, identity_of_solver(solver), tighter,
      tolerance.rtol, tolerance.atol, study_.solvers.steps, study_.solvers.max_steps,
      identity.precision, grid);
  return identity;
}

}  // namespace rigidlimit
