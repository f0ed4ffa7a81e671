#include "rigidlimit/formulations/energy_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

VectorXd EnergyBalance::defect() const {
  const VectorXd stored = mechanical + spring;
  return stored.array() - stored(0) - work.array() + damper.array();
}

std::optional<EnergySizes> EnergyBalance::sizes() const {
  if (mechanical.size() == 0) return std::nullopt;
  const Index end = mechanical.size() - 1;
  return EnergySizes{.mechanical = mechanical(end) - mechanical(0),
                     .spring = spring(end) - spring(0),
                     .work = work(end),
                     .damper = damper(end),
                     .defect = defect().cwiseAbs().maxCoeff()};
}

namespace {

constexpr Index accounts = 2;  ///< (work, damper) behind the states of the base

/// The integrands, from a column (q, v, η, …) of the base's solution.
class Powers {
 public:
  Powers(const System& system, const VectorXd& q0, const std::optional<BalancedContact>& contact)
      : system_(system), contact_(contact), surfaces_move_(!system.exact_rates().isZero(0.0)) {
    if (surfaces_move_) basis_ = contact_basis(system, q0);
    if (contact_) damping_ = LawAt<double>(contact_->law, contact_->epsilon).damping;
  }

  Eigen::Vector2d operator()(double t, const VectorXd& at) const {
    const VectorXd q = at.head(system_.nq), v = at.segment(system_.nq, system_.n);
    Eigen::Vector2d powers(non_conservative_power(system_, q, v, t), 0.0);
    if (!contact_) {
      if (surfaces_move_)
        powers(0) -=
            solve_kkt<double>(system_, basis_, q, v, t).exact_multiplier.dot(system_.exact_rates());
      return powers;
    }
    // Adapted variables keep the digits of w that G(q) v has lost.
    const bool has_sliding = at.size() > system_.nq + system_.n + system_.m;
    const VectorXd w =
        has_sliding ? VectorXd(at.tail(system_.m)) : sliding_velocity(system_, {q, v});
    powers(1) = w.dot(damping_ * w);
    if (surfaces_move_)
      powers(0) -= exact_multiplier(t, q, v, force(at) + damping_ * w).dot(system_.exact_rates());
    return powers;
  }

  /// ½ ε² ηᵀ C η.
  double spring(const VectorXd& at) const {
    if (!contact_) return 0.0;
    const VectorXd eta = at.segment(system_.nq + system_.n, system_.m);
    return 0.5 * contact_->epsilon * contact_->epsilon * eta.dot(force(at));
  }
  const System& system() const { return system_; }

 private:
  /// C η.
  VectorXd force(const VectorXd& at) const {
    return contact_->law.stiffness * at.segment(system_.nq + system_.n, system_.m);
  }
  /// κ with the contact force λ: −κᵀe is the power of the surfaces that move.
  VectorXd exact_multiplier(double t, const VectorXd& q, const VectorXd& v,
                            const VectorXd& lambda) const {
    const Index n = system_.n, ne = system_.ne;
    const Equations<double>& equations = system_.in<double>();
    MatrixXd rows(ne + system_.m, n);
    VectorXd q_rate(system_.nq), drift(ne + system_.m), right(n + ne);
    equations.constraints(q, rows);
    equations.coordinate_rate(q, v, q_rate);
    equations.constraint_drift(q, q_rate, v, drift);
    equations.force(q, v, t, right.head(n));
    right.head(n) -= rows.bottomRows(system_.m).transpose() * lambda;
    right.tail(ne) = -drift.head(ne);
    Inertia<double> inertia;
    inertia.compute(system_, q, rows);
    return inertia.solve_whole(right).col(0).tail(ne);
  }

  System system_;
  std::optional<BalancedContact> contact_;
  ContactBasis basis_;  ///< if surfaces move
  bool surfaces_move_;
  MatrixXd damping_;  ///< D ε^(−β)
};

/// The state of the base in fixed variables.
VectorXd output_of(const OdeProblem& base, double t, VectorIn y) {
  if (!base.coordinates) return y;
  VectorXd output(base.output_size());
  base.coordinates->output(t, y, output);
  return output;
}

std::shared_ptr<const MovingCoordinatesOf<double>> with_accounts(
    const std::shared_ptr<const MovingCoordinatesOf<double>>& base, Index size) {
  if (!base) return nullptr;
  MovingCoordinatesOf<double> moving;
  moving.reset = base->reset;
  moving.output_size = base->output_size + accounts;
  moving.output = [base, size](const double& t, VectorIn y, VectorOut output) {
    base->output(t, y.head(size), output.head(base->output_size));
    output.tail(accounts) = y.tail(accounts);
  };
  if (base->output_of_eight)
    moving.output_of_eight = [base, size](const Pack* y, Pack* output) {
      base->output_of_eight(y, output);
      std::copy_n(y + size, accounts, output + base->output_size);
    };
  moving.rechoose = [base, size](double bound, MatrixOut states, MatrixOut change) {
    change.setIdentity();
    return base->rechoose(bound, states.topRows(size), change.topLeftCorner(size, size));
  };
  return std::make_shared<const MovingCoordinatesOf<double>>(std::move(moving));
}

/// The integrals belong to the rest.
std::shared_ptr<const Splitting> splitting_with_accounts(const OdeProblem& base,
                                                         const Powers& powers) {
  const Index size = base.y0.size();
  Splitting parts;
  parts.stiff = [split = base.splitting, size](double t, VectorIn y, VectorOut f) {
    split->stiff(t, y.head(size), f.head(size));
    f.tail(accounts).setZero();
  };
  parts.rest = [base, powers, size](double t, VectorIn y, VectorOut f) {
    base.splitting->rest(t, y.head(size), f.head(size));
    f.tail(accounts) = powers(t, output_of(base, t, y.head(size)));
  };
  parts.stiff_jacobian = [split = base.splitting, size](double t, VectorIn y, MatrixOut J) {
    J.setZero();
    split->stiff_jacobian(t, y.head(size), J.topLeftCorner(size, size));
  };
  return std::make_shared<const Splitting>(std::move(parts));
}

/// y = (base, work, damper). ∂f/∂y lacks the rows of the integrals: no rate depends on them, so
/// that a Newton iteration has them right one iteration after the states.
OdeProblem with_accounts(const OdeProblem& base, const Powers& powers) {
  const Index size = base.y0.size();
  OdeProblem ode;
  ode.name = base.name + ", with its works";
  ode.t0 = base.t0;
  ode.y0 = VectorXd::Zero(size + accounts);
  ode.y0.head(size) = base.y0;
  ode.rhs = [base, powers, size](double t, VectorIn y, VectorOut f) {
    base.rhs(t, y.head(size), f.head(size));
    f.tail(accounts) = powers(t, output_of(base, t, y.head(size)));
  };
  if (base.jacobian)
    ode.jacobian = [base, size](double t, VectorIn y, MatrixOut J) {
      J.setZero();
      base.jacobian(t, y.head(size), J.topLeftCorner(size, size));
    };
  if (base.time_derivative)
    ode.time_derivative = [base, size](double t, VectorIn y, VectorOut f) {
      f.setZero();
      base.time_derivative(t, y.head(size), f.head(size));
    };
  ode.coordinates = with_accounts(base.coordinates, size);
  if (base.splitting) ode.splitting = splitting_with_accounts(base, powers);
  ode.batched = base.batched;  // treats the integrals as those behind (x, w, η)
  return ode;
}

Solution without_accounts(const Solution& solution) {
  Solution base = solution;
  base.states = solution.states.topRows(solution.states.rows() - accounts);
  return base;
}

EnergyBalance balance_of(const Solution& solution, const Powers& powers) {
  const System& system = powers.system();
  const Index count = solution.states.cols();
  EnergyBalance balance;
  balance.mechanical.resize(count);
  balance.spring.resize(count);
  balance.work = solution.states.row(solution.states.rows() - 2);
  balance.damper = solution.states.row(solution.states.rows() - 1);
  for (Index k = 0; k < count; ++k) {
    const VectorXd at = solution.states.col(k).head(solution.states.rows() - accounts);
    balance.mechanical(k) =
        mechanical_energy(system, at.head(system.nq), at.segment(system.nq, system.n));
    balance.spring(k) = powers.spring(at);
  }
  return balance;
}

}  // namespace

BalancedProblem balanced(const MotionProblem<OdeProblem>& base, const System& system,
                         const std::optional<BalancedContact>& contact) {
  const Powers powers(system, base.problem.y0.head(system.nq), contact);
  BalancedProblem result;
  result.motion.problem = with_accounts(base.problem, powers);
  result.motion.motion = [of_base = base.motion](const Solution& solution) {
    return of_base(without_accounts(solution));
  };
  result.balance = [powers](const Solution& solution) { return balance_of(solution, powers); };
  return result;
}

}  // namespace rigidlimit
