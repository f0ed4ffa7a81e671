#include "rigidlimit/experiment/rolling/solve_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <span>

#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/program_code.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

std::string exact(std::span<const double> values) {
  return fmt::format("{}", fmt::join(values, " "));  // shortest text that reads back as the same
}

}  // namespace

std::string exact_text(const MatrixXd& X) {
  return fmt::format("{}x{}: {}", X.rows(), X.cols(),
                     exact(std::span(X.data(), static_cast<std::size_t>(X.size()))));
}

std::string rounded_text(const MatrixXd& X) {
  const double scale = X.size() > 0 ? X.cwiseAbs().maxCoeff() : 0.0;
  if (!(scale > 0.0) || std::isinf(scale)) return fmt::format("{} {}", X.rows(), X.cols());
  return fmt::format("{:.8e} {}", scale,
                     exact_text(MatrixXd((X / scale * 1e9).array().round() + 0.0)));
}

namespace {

std::string tape_text(const Tape& tape) {
  std::string text =
      fmt::format("{} | {} {} {} |", exact(tape.constants), tape.derived, tape.inputs, tape.size);
  for (const auto* steps : {&tape.prelude, &tape.body}) {
    for (const auto& [operation, to, a, b, c] : *steps)
      text += fmt::format(" {}:{} {} {} {}", static_cast<int>(operation), to, a, b, c);
    text += " |";
  }
  return fmt::format("{} {}\n", text, fmt::join(tape.outputs, " "));
}

/// A hash of all tapes of a system without friction.
std::string tapes_text(const RecordedSystem& r) {
  std::string text;
  for (const Tape* tape : {&r.coordinate_rate, &r.restoring_rate, &r.invariants, &r.mass_matrix,
                           &r.inertia_force, &r.force, &r.potential, &r.constraints,
                           &r.constraint_drift, &r.quasi_velocities, &r.quasi_velocity_drift})
    text += tape_text(*tape);
  if (!r.gap.outputs.empty())
    for (const Tape* tape : {&r.gap, &r.normal_force}) text += tape_text(*tape);
  return content_hash(text);
}

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

std::string origin_text(const SystemEntry& entry, const RecordedSystem& recorded) {
  if (!entry.definition.empty()) return fmt::format("tapes {}\n", tapes_text(recorded));
  return is_builtin(entry) ? "" : fmt::format("code {}\n", program_code());
}

std::string grid_hash(const std::vector<double>& times) {
  return content_hash({reinterpret_cast<const char*>(times.data()), sizeof(double) * times.size()});
}

std::string fingerprint(const System& system, const InitialState& at) {
  const Equations<double>& equations = system.in<double>();
  std::string text = fmt::format("{} {} {} {} {} {} {}\n", system.nq, system.n, system.m, system.ne,
                                 system.ni, system.explicit_time, system.natural_velocities);
  VectorXd q = at.q, v = at.v, q_rate(system.nq), F(system.n), drift(system.ne + system.m);
  MatrixXd M(system.n, system.n), rows(system.ne + system.m, system.n);
  for (const double t : {0.0, 0.5, 1.5}) {
    equations.coordinate_rate(q, v, q_rate);
    equations.mass_matrix(q, M);
    equations.force(q, v, t, F);
    equations.constraints(q, rows);
    equations.constraint_drift(q, q_rate, v, drift);
    for (const MatrixXd& term : {MatrixXd(q_rate), M, MatrixXd(F), rows, MatrixXd(drift)})
      text += rounded_text(term) + "\n";
    // The next state: these steps break all symmetries of a system.
    for (Index i = 0; i < q.size(); ++i) q(i) += 0.1 * std::sin(1.0 + 2.0 * static_cast<double>(i));
    for (Index i = 0; i < v.size(); ++i) v(i) += 0.3 * std::cos(1.0 + 3.0 * static_cast<double>(i));
  }
  return content_hash(text);
}

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
