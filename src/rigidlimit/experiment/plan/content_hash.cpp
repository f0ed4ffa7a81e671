#include "rigidlimit/experiment/plan/content_hash.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cmath>
#include <span>

#include "rigidlimit/experiment/plan/program_code.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

std::string content_hash(std::string_view bytes) {
  // The name space of this project: a random UUID, version 4.
  constexpr boost::uuids::uuid name_space{{0x6f, 0x0c, 0x5b, 0x1a, 0x3d, 0x52, 0x4e, 0x0b, 0x9a,
                                           0x77, 0x2c, 0x84, 0xd1, 0xe3, 0x96, 0x58}};
  return to_string(boost::uuids::name_generator_sha1(name_space)(bytes.data(), bytes.size()));
}

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
  if (r.np > 0) text += tape_text(r.positions);
  if (!r.gap.outputs.empty())
    for (const Tape* tape : {&r.gap, &r.normal_force}) text += tape_text(*tape);
  return content_hash(text);
}

}  // namespace

std::string origin_text(const SystemEntry& entry, const RecordedSystem& recorded) {
  if (!entry.definition.empty()) return fmt::format("tapes {}\n", tapes_text(recorded));
  return is_builtin(entry) ? "" : fmt::format("code {}\n", program_code());
}

std::string grid_hash(const std::vector<double>& times) {
  return content_hash({reinterpret_cast<const char*>(times.data()), sizeof(double) * times.size()});
}

void move_to_next_state(VectorXd& q, VectorXd& v) {
  for (Index i = 0; i < q.size(); ++i) q(i) += 0.1 * std::sin(1.0 + 2.0 * static_cast<double>(i));
  for (Index i = 0; i < v.size(); ++i) v(i) += 0.3 * std::cos(1.0 + 3.0 * static_cast<double>(i));
}

std::string fingerprint(const System& system, const InitialState& at) {
  const Equations<double>& equations = system.in<double>();
  std::string text = fmt::format("{} {} {} {} {} {} {}\n", system.nq, system.n, system.m, system.ne,
                                 system.ni, system.explicit_time, system.natural_velocities);
  if (!system.exact_rates().isZero(0.0)) text += rounded_text(system.exact_rates()) + "\n";
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
    move_to_next_state(q, v);
  }
  return content_hash(text);
}

std::string identity_of_solver(const std::string& name) {
  const OdeMethod* const method = find_ode_method(name);
  return method ? identity_of_solver(*method) : name;
}

std::string identity_of_solver(const OdeMethod& method) {
  if (!method.own) return method.name;
  const std::string& content = method.own->content;
  return fmt::format("{}@{}", method.name,
                     content_hash(content.empty() ? program_code() : content));
}

}  // namespace rigidlimit
