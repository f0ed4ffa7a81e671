#include "rigidlimit/formulations/rigid/rigid.hpp"

#include <algorithm>

#include "rigidlimit/formulations/rigid/rigid_motion.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

namespace {

/// The residual, its Jacobian and their workspace.
class RigidResidual {
 public:
  RigidResidual(const System& system, const ContactBasis& basis, MultiplierForm form)
      : system_(system),
        impulse_(form == MultiplierForm::impulse),
        places_(independent_places(basis, system.ne)),
        held_(system.ne + basis.rank()),
        all_rows_(system.ne + system.m, system.n),
        rows_(held_, system.n),
        q_rate_(system.nq),
        restoring_(system.nq),
        force_(system.n) {}

  void operator()(double t, VectorIn y, VectorIn yp, VectorOut r) {
    const Index nq = system_.nq, n = system_.n;
    const auto q = y.head(nq), v = y.segment(nq, n);
    const Equations<double>& equations = system_.in<double>();
    equations.coordinate_rate(q, v, q_rate_);
    r.head(nq) = yp.head(nq) - q_rate_;
    if (system_.ni > 0) {
      equations.restoring_rate(q, restoring_);
      r.head(nq) -= restoring_;
    }
    evaluate_rows(q);
    equations.inertia_force(q, yp.segment(nq, n), r.segment(nq, n));
    equations.force(q, v, t, force_);
    r.segment(nq, n) -= force_;
    r.segment(nq, n) += rows_.transpose().lazyProduct((impulse_ ? yp : y).tail(held_));
    r.tail(held_) = rows_.lazyProduct(v);
    r.segment(nq + n, system_.ne) -= system_.exact_rates();
  }

  void jacobian(double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J) {
    const Index nq = system_.nq, n = system_.n;
    const auto q = y.head(nq), v = y.segment(nq, n);
    VectorXd p = VectorXd::Zero(system_.ne + system_.m);
    p(places_) = (impulse_ ? yp : y).tail(held_);
    const BalanceDerivatives d =
        system_.tapes->balance().derivatives(t, q, v, yp.segment(nq, n), p);
    J.setZero();
    J.topLeftCorner(nq, nq + n) = -d.coordinate_rate;
    J.block(nq, 0, n, nq + n) = d.load - d.force;
    J.bottomLeftCorner(held_, nq + n) = d.velocity(places_, Eigen::all);
    // ∂r/∂y': identity, M, and [E; G_I]ᵀ for the impulse.
    J.topLeftCorner(nq, nq).diagonal().array() += alpha;
    MatrixXd M(n, n);
    system_.in<double>().mass_matrix(q, M);
    J.block(nq, nq, n, n) += alpha * M;
    evaluate_rows(q);
    J.block(nq, nq + n, n, held_) = (impulse_ ? alpha : 1.0) * rows_.transpose();
  }

 private:
  void evaluate_rows(VectorIn q) {
    system_.in<double>().constraints(q, all_rows_);
    rows_ = all_rows_(places_, Eigen::all);
  }

  System system_;
  bool impulse_;
  std::vector<Index> places_;  ///< of [E; G_I] in [E; G]
  Index held_;                 ///< ne + r
  MatrixXd all_rows_, rows_;
  VectorXd q_rate_, restoring_, force_;
};

/// y0 and y0' with v' and the multipliers of the KKT system.
void start_consistently(const System& system, const ContactBasis& basis, const InitialState& start,
                        bool impulse, DaeProblem& dae) {
  const Index nq = system.nq, n = system.n, ne = system.ne, r = basis.rank();
  const KktSolution<double> kkt = solve_kkt<double>(system, basis, start.q, start.v, start.t);
  dae.y0 = VectorXd::Zero(nq + n + ne + r);
  dae.yp0 = VectorXd::Zero(nq + n + ne + r);
  dae.y0.head(nq + n) << start.q, start.v;
  VectorXd restoring(nq);
  system.in<double>().coordinate_rate(start.q, start.v, dae.yp0.head(nq));
  system.in<double>().restoring_rate(start.q, restoring);
  dae.yp0.head(nq) += restoring;
  dae.yp0.segment(nq, n) = kkt.acceleration;
  VectorXd& holds_multipliers = impulse ? dae.yp0 : dae.y0;
  holds_multipliers.segment(nq + n, ne) = kkt.exact_multiplier;
  holds_multipliers.tail(r) = kkt.multiplier(basis.rows);
}

}  // namespace

MotionProblem<DaeProblem> rigid_dae(const System& system, const InitialState& start,
                                    MultiplierForm form) {
  const Index nq = system.nq, n = system.n;
  const bool impulse = form == MultiplierForm::impulse;
  const ContactBasis basis = contact_basis(system, start.q);
  DaeProblem dae;
  dae.t0 = start.t;
  dae.name = impulse ? "rigid rolling, index 1 in (q, v, impulse)" : "rigid rolling, index 2";
  start_consistently(system, basis, start, impulse, dae);
  dae.differential.assign(static_cast<std::size_t>(dae.y0.size()), true);
  if (!impulse) std::fill(dae.differential.begin() + (nq + n), dae.differential.end(), false);
  dae.algebraic_variables_untested = !impulse;
  const RigidResidual residual(system, basis, form);
  dae.residual = residual;
  dae.jacobian = [own = RigidResidual(residual)](double t, VectorIn y, VectorIn yp, double alpha,
                                                 MatrixOut J) mutable {
    own.jacobian(t, y, yp, alpha, J);
  };
  return {std::move(dae), [impulse, nq, n, basis](const Solution& solution) {
            const MatrixXd& source = impulse ? solution.rates : solution.states;
            const MatrixXd contact = source.bottomRows(basis.rank());
            return detail::motion_of_blocks<double>(
                solution, nq, n, detail::all_multipliers<double>(basis, contact));
          }};
}

}  // namespace rigidlimit
