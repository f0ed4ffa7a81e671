#include "rigidlimit/mechanics/system_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/visible_state.hpp"

namespace rigidlimit {

namespace {

/// One system at one point, with its error messages.
struct Probe {
  const System& system;
  const std::string& name;
  VectorXd q;
  VectorXd v;
  bool near_start = false;  ///< a probe near the start, not at it

  const Equations<double>& equations() const { return system.in<double>(); }

  /// `function` is the author's function: "constraint(q)".
  [[noreturn]] void fail(const char* function, const std::string& what, bool with_v = false) const {
    std::string point =
        fmt::format("q = [{:.6g}]", fmt::join(visible_coordinates(system, q), ", "));
    if (with_v)
      point += fmt::format(", v = [{:.6g}]", fmt::join(visible_velocities(system, v), ", "));
    throw InputError(fmt::format("{}: {} {} at {}{}", name, function, what, point,
                                 near_start ? " (a test state near the start)" : ""));
  }
  const char* inertia_function() const {
    return system.lagrangian ? "kinetic_coenergy(q, v)" : "mass_matrix(q)";
  }
};

/// The basis of ker E at a point, n × (n − ne).
MatrixXd exact_kernel(const Probe& at) {
  const Index n = at.system.n, ne = at.system.ne;
  if (ne == 0) return MatrixXd::Identity(n, n);
  MatrixXd rows(ne + at.system.m, n);
  at.equations().constraints(at.q, rows);
  return kernel_basis(rows.topRows(ne));
}

/// Independent of units: scales every diagonal entry to 1 first.
bool is_positive_definite(const MatrixXd& X) {
  if (!(X.diagonal().minCoeff() > 0.0)) return false;
  const VectorXd scale = X.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * X * scale.asDiagonal();
  return symmetric_eigenvalues(scaled).minCoeff() > 1e-12;
}

void check_mass(const Probe& at) {
  const Index n = at.system.n;
  MatrixXd M(n, n);
  at.equations().mass_matrix(at.q, M);
  if (!M.allFinite()) at.fail(at.inertia_function(), "gives a mass matrix that is not finite");
  const double size = M.cwiseAbs().maxCoeff();
  const double skew = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= 1e-12 * size))
    at.fail(at.inertia_function(),
            fmt::format("is not symmetric: |M - M^T| = {:.3g}, |M| = {:.3g},", skew, size));
  const MatrixXd Z = exact_kernel(at);
  const MatrixXd held = Z.transpose() * M * Z;
  const double least = symmetric_eigenvalues(held).minCoeff();
  if (!is_positive_definite(held))
    at.fail(at.inertia_function(),
            fmt::format("is not positive definite{}: the mass matrix has the eigenvalue {:.3g}",
                        at.system.ne > 0 ? " on the motions that exact_constraint(q) admits" : "",
                        least));
}

/// ∂²K*/∂v_i∂v_j must not depend on v. The test uses the recorded expressions, not single states.
void check_quadratic(const Probe& at) {
  if (!at.system.lagrangian) return;
  const Index n = at.system.n;
  Recording recording;
  const ExpressionVector q = recording.inputs(at.system.nq), v = recording.unknowns(n);
  ExpressionVector arguments(q.size() + n);
  arguments << q, v;
  const ExpressionMatrix hessian =
      jacobian_of(inlined(at.system.recorded->inertia_force, arguments), v);
  for (Index i = 0; i < n; ++i)
    for (Index j = i; j < n; ++j)
      if (recording.depends_on_unknowns(hessian.block(i, j, 1, 1)))
        throw InputError(
            fmt::format("{}: {} is not quadratic in v: its second derivative in the velocities {} "
                        "and {} depends on v",
                        at.name, at.inertia_function(), i + 1, j + 1));
}

void check_values(const Probe& at) {
  const System& system = at.system;
  VectorXd F(system.n), q_rate(system.nq), drift(system.ne + system.m);
  MatrixXd rows(system.ne + system.m, system.n);
  at.equations().force(at.q, at.v, 0.0, F);
  if (!F.allFinite())
    at.fail(system.lagrangian
                ? "the force of kinetic_coenergy, potential, dissipation, applied_force"
                : "force(q, v)",
            "is not finite", true);
  at.equations().coordinate_rate(at.q, at.v, q_rate);
  if (!q_rate.allFinite()) at.fail("velocity_map(q)", "is not finite");
  at.equations().constraints(at.q, rows);
  if (!rows.bottomRows(system.m).allFinite()) at.fail("constraint(q)", "is not finite");
  if (!rows.allFinite()) at.fail("exact_constraint(q)", "is not finite");
  at.equations().constraint_drift(at.q, q_rate, at.v, drift);
  if (!drift.allFinite()) at.fail("the derivative of constraint(q)", "is not finite");
  if (!std::isfinite(at.equations().potential(at.q))) at.fail("potential(q)", "is not finite");
}

/// The brackets of the columns of T must be combinations of these columns: otherwise T describes a
/// constraint, and the Boltzmann–Hamel equations of K* do not hold.
void check_velocity_map(const Probe& at) {
  const System& system = at.system;
  if (!system.lagrangian || system.lagrange_coordinates) return;
  using V = const ExpressionVector&;
  const auto field = [&system](V q, V v) -> ExpressionVector {
    ExpressionVector arguments(q.size() + v.size());
    arguments << q, v;
    return inlined(system.recorded->coordinate_rate, arguments);
  };
  const Evaluator<double> bracket(tape_of(
      [&](V q, V v, V u) -> ExpressionVector {
        return tangents_of(field(q, u), q, field(q, v)) - tangents_of(field(q, v), q, field(q, u));
      },
      system.nq, system.n, system.n));
  MatrixXd T(system.nq, system.n), brackets(system.nq, system.n);
  for (Index j = 0; j < system.n; ++j) {
    const VectorXd unit = VectorXd::Unit(system.n, j);
    VectorXd column(system.nq);
    at.equations().coordinate_rate(at.q, unit, column);
    T.col(j) = column;
    bracket(into(column), at.q, at.v, unit);
    brackets.col(j) = column;
  }
  const MatrixXd rest = brackets - T * least_squares(T, brackets);
  if (!(rest.norm() <= 1e-9 * (1.0 + brackets.norm())))
    at.fail("velocity_map(q)",
            "has columns whose Lie brackets are not combinations of them, so that K* does not "
            "determine the force: give mass_matrix(q) and force(q, v), or add the constrained "
            "velocities and state the constraint in exact_constraint(q)");
}

void check_start(const Probe& start) {
  const System& system = start.system;
  const double speed = 1.0 + start.v.cwiseAbs().maxCoeff();
  if (system.ne > 0) {
    const VectorXd exact = exact_velocity(system, {start.q, start.v});
    if (!(exact.cwiseAbs().maxCoeff() <= 1e-10 * speed))
      start.fail("exact_constraint(q)",
                 fmt::format("is not satisfied: E v = [{:.6g}]", fmt::join(exact, ", ")), true);
  }
  if (system.ni == 0) return;
  VectorXd e(system.ni), q_rate(system.nq);
  start.equations().invariants(start.q, e);
  if (!(e.cwiseAbs().maxCoeff() <= 1e-10 * (1.0 + start.q.cwiseAbs().maxCoeff())))
    start.fail("invariants(q)", fmt::format("is not zero but [{:.6g}]", fmt::join(e, ", ")));
  start.equations().coordinate_rate(start.q, start.v, q_rate);
  using V = const ExpressionVector&;
  const Evaluator<double> along_the_motion(tape_of(
      [&system](V q, V dq) { return tangents_of(inlined(system.recorded->invariants, q), q, dq); },
      system.nq, system.nq));
  along_the_motion(into(e), start.q, q_rate);
  for (Index i = 0; i < system.ni; ++i)
    if (const double rate = e(i); !(std::abs(rate) <= 1e-10 * speed))
      start.fail("invariants(q)", fmt::format("changes along q' = T v, at the rate {:.6g},", rate),
                 true);
}

}  // namespace

void require_freedom(const System& system) {
  if (system.ne >= system.n)
    throw InputError(
        fmt::format("the {} exact rows leave no freedom to the {} velocities: nothing can move",
                    system.ne, system.n));
}

void check_system(const System& system, const std::string& name, const InitialState& start) {
  require_freedom(system);
  const Probe at_start{system, name, start.q, start.v};
  check_quadratic(at_start);
  check_values(at_start);
  check_start(at_start);
  check_velocity_map(at_start);
  // Generic points: a function may be correct only at a start full of zeros.
  for (int k = 0; k < 4; ++k) {
    Probe near = at_start;
    near.near_start = true;
    for (Index i = 0; i < system.nq && k > 0; ++i)
      near.q(i) += 1e-3 * std::sin(1.0 + 3.0 * k + 2.3 * static_cast<double>(i));
    for (Index i = 0; i < system.n; ++i)
      near.v(i) += 0.3 + 0.1 * std::cos(2.0 * k + 1.7 * static_cast<double>(i));
    check_values(near);
    check_mass(near);
  }
}

}  // namespace rigidlimit
