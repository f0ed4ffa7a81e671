#include "rigidlimit/mechanics/tangent_system.hpp"

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

/// An argument of the equations and its derivative.
struct Lifted {
  ExpressionVector x, dx;
};

ExpressionVector joined_x(const Lifted& a) {
  return a.x;
}
template <class... Rest>
ExpressionVector joined_x(const Lifted& a, const Lifted& b, const Rest&... rest) {
  return joined(a.x, joined_x(b, rest...));
}
ExpressionVector joined_dx(const Lifted& a) {
  return a.dx;
}
template <class... Rest>
ExpressionVector joined_dx(const Lifted& a, const Lifted& b, const Rest&... rest) {
  return joined(a.dx, joined_dx(b, rest...));
}

/// Records the lifted functions of one system.
class TangentRecorder {
 public:
  TangentRecorder(const RecordedSystem& system, const ParameterDirection& along)
      : system_(system), along_(along), nq_(system.nq - along.value.size()) {}

  RecordedSystem recorded() const {
    const RecordedSystem& s = system_;
    const Index n = s.n, ne = s.ne, m = s.m, free = free_count();
    RecordedSystem r;
    r.nq = 2 * nq_;
    r.n = 2 * n;
    r.m = 2 * m;
    r.ne = 2 * ne;
    r.ni = 2 * s.ni;
    r.exact_rates = VectorXd::Zero(2 * ne);  // of [δE E; E 0]
    r.exact_rates.tail(ne) = s.exact_rates;
    r.lifted_mass = true;
    r.coordinate_rate = tape_of(
        [&](V q, V v) { return coordinates(s.coordinate_rate, of_q(q), halves(v)); }, r.nq, r.n);
    r.restoring_rate = tape_of([&](V q) { return coordinates(s.restoring_rate, of_q(q)); }, r.nq);
    r.invariants = tape_of([&](V q) { return after(s.invariants, of_q(q)); }, r.nq);
    r.mass_matrix = tape_of(
        [&](V q) {
          const auto [M, dM] = both(s.mass_matrix, of_q(q));
          ExpressionMatrix lifted = ExpressionMatrix::Zero(2 * n, 2 * n);
          lifted.topLeftCorner(n, n) = dM.reshaped(n, n);
          lifted.topRightCorner(n, n) = M.reshaped(n, n);
          lifted.bottomLeftCorner(n, n) = M.reshaped(n, n);
          return lifted;
        },
        r.nq);
    r.inertia_force =
        tape_of([&](V q, V a) { return before(s.inertia_force, of_q(q), halves(a)); }, r.nq, r.n);
    r.force = tape_of(
        [&](V q, V v, V t) {
          return before(s.force, of_q(q), halves(v), Lifted{t, ExpressionVector::Zero(1)});
        },
        r.nq, r.n, 1);
    r.potential =
        tape_of([&](V q) { return ExpressionVector(both(s.potential, of_q(q)).dx); }, r.nq);
    r.constraints = tape_of(
        [&](V q) {
          const auto [X, dX] = both(s.constraints, of_q(q));
          return held_rows(X.reshaped(ne + m, n), dX.reshaped(ne + m, n));
        },
        r.nq);
    r.constraint_drift = tape_of(
        [&](V q, V q_rate, V v) {
          const auto [d, dd] = both(s.constraint_drift, of_q(q), of_rate(q_rate), halves(v));
          return joined(dd.head(ne), d.head(ne), dd.tail(m), d.tail(m));
        },
        r.nq, r.nq, r.n);
    r.quasi_velocities = tape_of(
        [&](V q) {
          const auto [S, dS] = both(s.quasi_velocities, of_q(q));
          ExpressionMatrix lifted = ExpressionMatrix::Zero(2 * free, 2 * n);
          lifted.topLeftCorner(free, n) = S.reshaped(free, n);
          lifted.bottomLeftCorner(free, n) = dS.reshaped(free, n);
          lifted.bottomRightCorner(free, n) = S.reshaped(free, n);
          return lifted;
        },
        r.nq);
    r.quasi_velocity_drift = tape_of(
        [&](V q, V q_rate, V v) {
          return after(s.quasi_velocity_drift, of_q(q), of_rate(q_rate), halves(v));
        },
        r.nq, r.nq, r.n);
    return r;
  }

 private:
  Index free_count() const {
    return static_cast<Index>(system_.quasi_velocities.outputs.size()) / system_.n;
  }

  static Lifted halves(V x) { return {x.head(x.size() / 2), x.tail(x.size() / 2)}; }
  /// With the parameters behind the coordinates.
  Lifted of_q(V q) const {
    const auto [x, dx] = halves(q);
    return {joined(x, ExpressionVector(along_.value.cast<Expression>())),
            joined(dx, ExpressionVector(along_.direction.cast<Expression>()))};
  }
  Lifted of_rate(V q_rate) const {
    const auto [x, dx] = halves(q_rate);
    const ExpressionVector none = ExpressionVector::Zero(along_.value.size());
    return {joined(x, none), joined(dx, none)};
  }

  /// The results of a tape, and their derivatives.
  template <class... Argument>
  static Lifted both(const Tape& tape, const Argument&... arguments) {
    Recording& recording = Recording::current();
    const ExpressionVector x = joined_x(arguments...);
    // Placeholders: an argument may be a constant, with respect to which nothing is differentiated.
    const ExpressionVector at = recording.unknowns(x.size());
    const ExpressionVector results = inlined(tape, at);
    const ExpressionVector change = tangents_of(results, at, joined_dx(arguments...));
    return {substituted(results, at, x), substituted(change, at, x)};
  }
  template <class... Argument>
  static ExpressionVector after(const Tape& tape, const Argument&... arguments) {
    const auto [x, dx] = both(tape, arguments...);
    return joined(x, dx);
  }
  template <class... Argument>
  static ExpressionVector before(const Tape& tape, const Argument&... arguments) {
    const auto [x, dx] = both(tape, arguments...);
    return joined(dx, x);
  }
  /// `after` without the parameters.
  template <class... Argument>
  ExpressionVector coordinates(const Tape& tape, const Argument&... arguments) const {
    const auto [x, dx] = both(tape, arguments...);
    return joined(x.head(nq_), dx.head(nq_));
  }

  /// [δE E; E 0; δG G; G 0].
  ExpressionMatrix held_rows(const ExpressionMatrix& X, const ExpressionMatrix& dX) const {
    const Index n = system_.n, ne = system_.ne, m = system_.m;
    ExpressionMatrix rows = ExpressionMatrix::Zero(2 * (ne + m), 2 * n);
    for (const auto& [first, count] : {std::pair{Index{0}, ne}, std::pair{ne, m}}) {
      rows.block(2 * first, 0, count, n) = dX.middleRows(first, count);
      rows.block(2 * first, n, count, n) = X.middleRows(first, count);
      rows.block(2 * first + count, 0, count, n) = X.middleRows(first, count);
    }
    return rows;
  }

  const RecordedSystem& system_;
  const ParameterDirection& along_;
  Index nq_;
};

/// T = I, parameters apart.
bool has_unit_map(const RecordedSystem& system, Index nq) {
  if (nq != system.n) return false;
  Recording recording;
  const ExpressionVector q = recording.inputs(system.nq), v = recording.inputs(system.n);
  const ExpressionMatrix T = jacobian_of(inlined(system.coordinate_rate, joined(q, v)), v);
  for (Index i = 0; i < nq; ++i)
    for (Index j = 0; j < nq; ++j)
      if (!T(i, j).is_constant() || T(i, j).constant() != (i == j ? 1.0 : 0.0)) return false;
  return true;
}

MatrixXd second_half(const MatrixXd& rows) {
  return rows.bottomRows(rows.rows() / 2);
}

MatrixXd exchanged(const MatrixXd& C) {
  const Index m = C.rows();
  MatrixXd lifted = MatrixXd::Zero(2 * m, 2 * m);
  lifted.topRightCorner(m, m) = C;
  lifted.bottomLeftCorner(m, m) = C;
  return lifted;
}

}  // namespace

System tangent_of(const System& system, const ParameterDirection& along) {
  if (system.switches)
    throw InputError(
        "the derivative of a motion needs smooth equations, but the force has switches (if, abs, "
        "min, max, sign or table of t, q or v)");
  const Index nq = system.nq - along.value.size();
  const auto recorded =
      std::make_shared<const RecordedSystem>(TangentRecorder(*system.recorded, along).recorded());
  return {.nq = recorded->nq,
          .n = recorded->n,
          .m = recorded->m,
          .ne = recorded->ne,
          .ni = recorded->ni,
          .explicit_time = system.explicit_time,
          .natural_velocities = system.natural_velocities,
          .lagrange_coordinates = has_unit_map(*system.recorded, nq),
          .lagrangian = false,
          .has_potential = system.has_potential,
          .dissipation = {},
          .closed_form = {},
          .recorded = recorded,
          .tapes = motion_tapes_of(recorded),
          .switches = nullptr,
          .equations = equations_of(*recorded)};
}

InitialState tangent_start(const System& lift, const InitialState& start, const VectorXd& dq,
                           const VectorXd& dv, bool rolling) {
  const Index nq = lift.nq / 2, n = lift.n / 2, ni = lift.ni / 2;
  InitialState lifted{VectorXd(2 * nq), VectorXd(2 * n), start.t};
  lifted.q << start.q, dq;
  lifted.v << start.v, dv;
  if (ni > 0) {
    const auto change = [&](const VectorXd& direction) -> VectorXd {
      VectorXd q(2 * nq), e(2 * ni);
      q << start.q, direction;
      lift.in<double>().invariants(q, e);
      return e.tail(ni);
    };
    const VectorXd rest = change(VectorXd::Zero(nq));  // of the parameters
    MatrixXd J(ni, nq);
    for (Index k = 0; k < nq; ++k) J.col(k) = change(VectorXd::Unit(nq, k)) - rest;
    // The least change: Jᵀ z with J Jᵀ z = −δe.
    const MatrixXd gram = J.lazyProduct(J.transpose());
    lifted.q.tail(nq) -= J.transpose().lazyProduct(symmetric_solve(gram, change(dq))).eval();
  }
  if (rolling)
    lifted.v = projected_velocity<double>(lift, contact_basis(lift, lifted.q), lifted.q, lifted.v);
  return lifted;
}

ViscoelasticLaw tangent_of(const ViscoelasticLaw& law) {
  return {.stiffness = exchanged(law.stiffness),
          .damping = exchanged(law.damping),
          .damping_exponent = law.damping_exponent};
}

MatrixXd under_lift(const MatrixXd& X) {
  const Index m = X.rows() / 2;
  if (m == 0 || X.rows() % 2 != 0 || X.cols() != X.rows()) return X;
  const MatrixXd C = X.topRightCorner(m, m);
  return X == exchanged(C) ? C : X;
}

Motion derivative_in(const Motion& of_lift) {
  return {of_lift.times, second_half(of_lift.q), second_half(of_lift.v),
          second_half(of_lift.lambda)};
}

}  // namespace rigidlimit
