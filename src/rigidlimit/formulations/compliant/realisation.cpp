#include "rigidlimit/formulations/compliant/realisation.hpp"

#include <memory>
#include <span>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

/// The chosen realisation and its data.
struct Chosen {
  System system;
  ContactBasis basis;
  Realisation kind;
  MatrixXd D;
  double delta;
};

/// A law at (t, q, v), during a Recording: v' and the multipliers κ, μ of the exact and of the
/// independent contact rows from X (v', κ, μ) = b, and derived quantities.
class Law {
 public:
  Law(const Chosen& chosen, V t, V q, V v)
      : basis_(chosen.basis),
        system_(*chosen.system.recorded),
        q_(q),
        v_(v),
        t_(t),
        M_(inlined(system_.mass_matrix, q).reshaped(system_.n, system_.n)),
        rows_(rows_at(q)),
        Tv_(inlined(system_.coordinate_rate, joined(q, v))),
        force_(inlined(system_.force, joined(q, v, t))),
        drift_(drift_along(Tv_, v)),
        velocity_(velocity_along(system_, rows_, v)) {
    const double weight = 1.0 / chosen.delta;
    switch (chosen.kind) {
      case Realisation::viscous: viscous(chosen.D / chosen.delta); break;
      case Realisation::parasitic: parasitic(chosen.delta); break;
      case Realisation::baumgarte:
        hold(contact_rows(rows_),
             -contact_entries(drift_) - contact_entries(velocity_) / chosen.delta);
        break;
      case Realisation::inertial: inertial(weight); break;
    }
  }

  /// (q, v)'.
  ExpressionVector rate() const { return joined(q_rate(), x_.head(system_.n)); }
  ExpressionMatrix rate_jacobian(V inputs) const {
    ExpressionMatrix J(system_.nq + system_.n, inputs.size());
    J << jacobian_of(q_rate(), inputs), jacobian_of_solution(X_, b_, inputs).topRows(system_.n);
    return J;
  }
  const ExpressionVector& lambda() const { return lambda_; }

 private:
  ExpressionVector q_rate() const { return Tv_ + inlined(system_.restoring_rate, q_); }
  ExpressionMatrix rows_at(V q) const {
    return inlined(system_.constraints, q).reshaped(system_.ne + system_.m, system_.n);
  }
  ExpressionVector drift_along(V q_rate, V v) const {
    return inlined(system_.constraint_drift, joined(q_, q_rate, v));
  }
  /// The rows of the independent contacts among (ne + m).
  ExpressionMatrix contact_rows(const ExpressionMatrix& all) const {
    ExpressionMatrix rows(basis_.rank(), all.cols());
    for (Index i = 0; i < basis_.rank(); ++i)
      rows.row(i) = all.row(system_.ne + basis_.rows[static_cast<std::size_t>(i)]);
    return rows;
  }
  ExpressionVector contact_entries(V all) const { return contact_rows(all); }

  /// v' of M v' = F − Eᵀκ − G_Iᵀλ under E v' = … and `rows` v' = right; λ if there are rows.
  void hold(const ExpressionMatrix& rows, V right) {
    const Index n = system_.n, ne = system_.ne, r = rows.rows();
    X_ = ExpressionMatrix::Zero(n + ne + r, n + ne + r);
    X_.topLeftCorner(n, n) = M_;
    X_.block(n, 0, ne, n) = rows_.topRows(ne);
    X_.block(0, n, n, ne) = rows_.topRows(ne).transpose();
    X_.bottomLeftCorner(r, n) = rows;
    if (r > 0) X_.topRightCorner(n, r) = contact_rows(rows_).transpose();
    b_ = joined(force_, -drift_.head(ne) - exact_constraint_recovery * velocity_.head(ne), right);
    x_ = solved_by_pivoting(X_, b_);
    if (r == 0) return;
    lambda_ = ExpressionVector::Zero(system_.m);
    for (Index i = 0; i < r; ++i)
      lambda_(basis_.rows[static_cast<std::size_t>(i)]) = x_(n + ne + i);
  }
  void hold_no_contact() { hold(ExpressionMatrix(0, system_.n), ExpressionVector(0)); }

  void viscous(const MatrixXd& damping) {
    lambda_ = product(damping.cast<Expression>(), velocity_.tail(system_.m));
    force_ -= product(rows_.bottomRows(system_.m).transpose(), lambda_);
    hold_no_contact();
  }

  void parasitic(double delta) {
    const ExpressionMatrix G = contact_rows(rows_at(q_ + delta * Tv_));
    hold(G, -product(G, v_) / delta);
  }

  /// (M + GᵀG/δ) v' = F − (Gᵀ(∂qG[q'])v + (∂qG[q'])ᵀw − (∂q(Gv))ᵀw)/δ.
  void inertial(double weight) {
    const Index n = system_.n, m = system_.m;
    const ExpressionMatrix G = rows_.bottomRows(m);
    const ExpressionVector w = velocity_.tail(m), bend = drift_.tail(m);
    force_ -= weight * product(G.transpose(), bend);
    for (Index j = 0; j < n; ++j) {
      const ExpressionVector unit = ExpressionVector::Unit(n, j);
      const ExpressionVector turning = drift_along(Tv_, unit), spreading = drift_along(unit, v_);
      for (Index i = 0; i < m; ++i)
        force_(j) -= weight * w(i) * (turning(system_.ne + i) - spreading(system_.ne + i));
    }
    M_ += weight * product_of_matrices(G.transpose(), G);
    hold_no_contact();
    lambda_ = weight * (product(G, x_.head(n)) + bend);
  }

  const ContactBasis& basis_;
  const RecordedSystem& system_;
  ExpressionVector q_, v_, t_;
  ExpressionMatrix M_, rows_;                       ///< and [E; G]
  ExpressionVector Tv_, force_, drift_, velocity_;  ///< F, and of [E; G] v
  ExpressionMatrix X_;
  ExpressionVector b_, x_, lambda_;
};

/// A law as tapes of (t, q, v).
class RecordedLaw {
 public:
  explicit RecordedLaw(Chosen chosen)
      : chosen_(std::move(chosen)),
        rate_(of_law([](const Law& law, V, V) { return law.rate(); })),
        lambda_(of_law([](const Law& law, V, V) { return law.lambda(); })) {}

  const Chosen& chosen() const { return chosen_; }
  const Evaluator<double>& rate() const { return rate_; }
  const Evaluator<double>& lambda() const { return lambda_; }
  const Evaluator<double>& jacobian() const {
    return jacobian_.made(
        [this] { return of_law([](const Law& law, V, V y) { return law.rate_jacobian(y); }); });
  }
  const Evaluator<double>& time_derivative() const {
    return time_derivative_.made(
        [this] { return of_law([](const Law& law, V t, V) { return law.rate_jacobian(t); }); });
  }

 private:
  template <class Function>
  Tape of_law(const Function& function) const {
    const Index nq = chosen_.system.nq, n = chosen_.system.n;
    return tape_of([&](V t, V y) { return function(Law(chosen_, t, y.head(nq), y.tail(n)), t, y); },
                   1, nq + n);
  }

  Chosen chosen_;
  Evaluator<double> rate_, lambda_;
  Lazy<Evaluator<double>> jacobian_, time_derivative_;
};

Motion motion_of(const RecordedLaw& law, const Solution& solution) {
  const System& system = law.chosen().system;
  MatrixXd lambda(system.m, solution.states.cols());
  for (Index k = 0; k < lambda.cols(); ++k) {
    auto column = lambda.col(k);
    law.lambda()(into(column), std::span(&solution.times[static_cast<std::size_t>(k)], 1),
                 solution.states.col(k));
  }
  MatrixXd gap(system.np, solution.states.cols());
  for (Index k = 0; k < gap.cols() && system.np > 0; ++k)
    system.in<double>().positions(solution.states.col(k).head(system.nq), gap.col(k));
  return {.times = solution.times,
          .q = solution.states.topRows(system.nq),
          .v = solution.states.bottomRows(system.n),
          .lambda = std::move(lambda),
          .gap = std::move(gap)};
}

}  // namespace

MotionProblem<OdeProblem> realised(const System& system, const InitialState& start,
                                   Realisation realisation, const MatrixXd& D, double delta) {
  if (realisation == Realisation::inertial && !system.lagrange_coordinates)
    throw InputError(
        "the inertial law needs Lagrange's equations, so the velocities must be the rates of the "
        "coordinates");
  const auto law = std::make_shared<const RecordedLaw>(
      Chosen{system, contact_basis(system, start.q), realisation, D, delta});
  OdeProblem ode;
  ode.t0 = start.t;
  ode.name = "rolling realised in (q, v)";
  ode.y0.resize(system.nq + system.n);
  ode.y0 << start.q, start.v;
  ode.rhs = [law](double t, VectorIn y, VectorOut f) { law->rate()(into(f), std::span(&t, 1), y); };
  ode.jacobian = [law](double t, VectorIn y, MatrixOut J) {
    law->jacobian()(into(J), std::span(&t, 1), y);
  };
  if (system.explicit_time)
    ode.time_derivative = [law](double t, VectorIn y, VectorOut f) {
      law->time_derivative()(into(f), std::span(&t, 1), y);
    };
  return {std::move(ode), [law](const Solution& solution) { return motion_of(*law, solution); }};
}

}  // namespace rigidlimit
