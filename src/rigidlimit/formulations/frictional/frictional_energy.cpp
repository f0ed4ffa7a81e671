#include "rigidlimit/formulations/frictional/frictional_energy.hpp"

#include <limits>

#include "rigidlimit/formulations/frictional/frictional_rate.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

VectorXd FrictionalEnergy::defect() const {
  const VectorXd stored = mechanical + spring;
  return stored.array() - stored(0) - work.array() + damper.array() + slip.array();
}

namespace {

constexpr Index accounts = 3;  ///< (work, damper, slip) behind the states of the motion

/// Integrands and stored energies at a state.
class Ledger {
 public:
  explicit Ledger(FrictionalRate rate) : rate_(std::move(rate)) {}

  Eigen::Vector3d powers(double t, VectorIn y) {
    const FrictionalShape& s = rate_.shape();
    rate_.balance(t, y);
    Eigen::Vector3d sum(0.0, 0.0, 0.0);
    const VectorXd q = y.head(s.nq), v = y.segment(s.nq, s.n);
    sum(0) = non_conservative_power(rate_.system().smooth, q, v, t);
    for (Index i = 0; i < s.nc; ++i) add(i, y, sum);
    return sum;
  }

  /// ½ c g² and ½ c |y|² of all contacts.
  double springs(VectorIn y) const {
    const FrictionalShape& s = rate_.shape();
    double energy = 0.0;
    for (const CompliantContact& c : rate_.contacts()) {
      if (s.springs > 0)
        energy += 0.5 * c.stiffness * c.deflection_scale *
                  y.segment(s.deflection_at() + c.first, c.components).squaredNorm();
      if (c.unilateral < 0) continue;
      const double gamma = y(s.gap_at() + c.unilateral);
      if (rate_.closed(c, y)) energy += 0.5 * c.normal_stiffness * rate_.epsilon() * gamma * gamma;
    }
    return energy;
  }

  const System& system() const { return rate_.system().smooth; }
  Index size() const { return rate_.shape().size(); }

 private:
  /// The powers of contact i.
  void add(Index i, VectorIn y, Eigen::Vector3d& sum) const {
    const FrictionalShape& s = rate_.shape();
    const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(i)];
    const double p = rate_.normal_forces()(i);
    if (c.normal != Normal::unilateral) sum(0) += p * rate_.terms().velocity()(s.normal_at() + i);
    if (c.unilateral >= 0 && rate_.closed(c, y))
      sum(1) -= (p + c.normal_stiffness * y(s.gap_at() + c.unilateral)) *
                y(s.gap_rate_at() + c.unilateral);
    const auto w = y.segment(s.sliding_at() + c.first, c.components);
    const auto lambda = rate_.friction().segment(c.first, c.components);
    if (s.springs == 0) {
      sum(2) += lambda.dot(w);
      return;
    }
    const VectorXd y_rate =
        c.deflection_scale * rate_.deflection_rates().segment(c.first, c.components);
    sum(1) += c.damping * y_rate.squaredNorm();
    sum(2) += lambda.dot(w - y_rate);
  }

  FrictionalRate rate_;
};

/// ∂f/∂y lacks the rows of the integrals: no rate depends on them, so that a Newton iteration has
/// them right one iteration after the states.
OdeProblem with_accounts(const OdeProblem& base, const Ledger& ledger) {
  const Index size = base.y0.size();
  OdeProblem ode = base;
  ode.name = base.name + ", with its works";
  ode.y0 = VectorXd::Zero(size + accounts);
  ode.y0.head(size) = base.y0;
  ode.rhs = [rhs = base.rhs, ledger = Ledger(ledger), size](double t, VectorIn y,
                                                            VectorOut f) mutable {
    rhs(t, y.head(size), f.head(size));
    f.tail(accounts) = ledger.powers(t, y.head(size));
  };
  ode.jacobian = [jacobian = base.jacobian, size](double t, VectorIn y, MatrixOut J) {
    J.setZero();
    MatrixXd of_base(size, size);
    jacobian(t, y.head(size), of_base);
    J.topLeftCorner(size, size) = of_base;
  };
  if (base.time_derivative)
    ode.time_derivative = [derivative = base.time_derivative, size](double t, VectorIn y,
                                                                    VectorOut f) {
      f.setZero();
      derivative(t, y.head(size), f.head(size));
    };
  if (!base.roots) return ode;
  RootFunctions roots = *base.roots;
  roots.values = [values = base.roots->values, size](double t, VectorIn y, VectorOut out) {
    values(t, y.head(size), out);
  };
  if (base.roots->reached)
    roots.reached = [reached = base.roots->reached, size](double t, const std::vector<int>& crossed,
                                                          VectorOut y) {
      return reached(t, crossed, y.head(size));
    };
  ode.roots = std::make_shared<const RootFunctions>(std::move(roots));
  return ode;
}

FrictionalEnergy energy_of(const Solution& solution, const Ledger& ledger) {
  const System& system = ledger.system();
  const Index count = solution.states.cols(), size = ledger.size();
  FrictionalEnergy energy;
  energy.mechanical.setConstant(count, std::numeric_limits<double>::quiet_NaN());
  energy.spring = energy.mechanical;
  energy.work = solution.states.row(size);
  energy.damper = solution.states.row(size + 1);
  energy.slip = solution.states.row(size + 2);
  for (Index k = 0; k < count; ++k) {
    const VectorXd y = solution.states.col(k).head(size);
    if (!y.allFinite()) continue;
    energy.mechanical(k) =
        mechanical_energy(system, y.head(system.nq), y.segment(system.nq, system.n));
    energy.spring(k) = ledger.springs(y);
  }
  return energy;
}

}  // namespace

AccountedMotion frictional_with_energy(const FrictionalSystem& system, const InitialState& start,
                                       const FrictionalLaw& law, double epsilon, Closing closing) {
  const MotionProblem<OdeProblem> base = frictional_compliant(system, start, law, epsilon, closing);
  const Ledger ledger(FrictionalRate(system, start, law, epsilon, closing));
  AccountedMotion accounted;
  accounted.motion.problem = with_accounts(base.problem, ledger);
  accounted.motion.motion = [motion = base.motion, size = ledger.size()](const Solution& all) {
    Solution states = all;
    states.states = all.states.topRows(size);
    return motion(states);
  };
  accounted.energy = [ledger](const Solution& solution) { return energy_of(solution, ledger); };
  return accounted;
}

}  // namespace rigidlimit
