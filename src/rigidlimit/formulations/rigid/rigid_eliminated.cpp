#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/formulations/recorded_rates.hpp"
#include "rigidlimit/formulations/rigid/rigid_motion.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {

namespace {

/// The KKT system of solve_kkt() with its own workspace.
template <class T>
class EliminatedRate {
 public:
  EliminatedRate(const System& system, const ContactBasis& basis)
      : system_(system),
        basis_(basis),
        held_(system.ne + basis.rank()),
        all_rows_(system.ne + system.m, system.n),
        drift_(system.ne + system.m),
        q_rate_(system.nq),
        right_(system.n + held_),
        x_(system.n + held_) {
    matrix_.setZero(system.n + held_, system.n + held_);
  }

  void operator()(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    const Index nq = system_.nq, n = system_.n;
    f.tail(n) = solve(t, y).head(n);
    f.head(nq) = q_rate_;
    if (system_.ni > 0) {
      system_.in<T>().restoring_rate(y.head(nq), q_rate_);
      f.head(nq) += q_rate_;
    }
  }

  /// (a, κ, Λ_I), n + ne + r; afterwards q_rate_ is T v.
  const VectorX<T>& solve(const T& t, VectorInOf<T> y) {
    const Index nq = system_.nq, n = system_.n, ne = system_.ne;
    const auto q = y.head(nq), v = y.segment(nq, n);
    const Equations<T>& equations = system_.in<T>();
    equations.coordinate_rate(q, v, q_rate_);
    equations.force(q, v, t, right_.head(n));
    equations.constraints(q, all_rows_);
    equations.constraint_drift(q, q_rate_, v, drift_);
    equations.mass_matrix(q, matrix_.topLeftCorner(n, n));
    for (Index i = 0; i < held_; ++i) {
      const Index row = i < ne ? i : ne + basis_.rows[static_cast<std::size_t>(i - ne)];
      matrix_.row(n + i).head(n) = all_rows_.row(row);
      matrix_.col(n + i).head(n) = all_rows_.row(row).transpose();
      right_(n + i) = -drift_(row);
      if (i < ne)
        right_(n + i) -= T(exact_constraint_recovery) *
                         (all_rows_.row(row).dot(v) - T(system_.exact_rates()(i)));
    }
    lu_.compute(matrix_);
    x_ = right_;
    lu_.solve_in_place(x_);
    return x_;
  }
  MatrixX<T> solve_again(MatrixX<T> right) const {
    lu_.solve_in_place(right);
    return right;
  }

 private:
  System system_;
  ContactBasis basis_;
  Index held_;  ///< ne + r
  MatrixX<T> matrix_, all_rows_;
  VectorX<T> drift_, q_rate_, right_, x_;
  SmallLu<T> lu_;
};

/// (a, κ, Λ) is differentiated implicitly: K ∂(a, κ, Λ) = ∂(right side − K (a, κ, Λ)|fixed).
class EliminatedDerivatives {
 public:
  EliminatedDerivatives(const System& system, const ContactBasis& basis)
      : system_(system), places_(independent_places(basis, system.ne)), rate_(system, basis) {}

  void write_jacobian(double t, VectorIn y, MatrixOut J) {
    const Index nq = system_.nq, n = system_.n, ne = system_.ne;
    const VectorXd& at = rate_.solve(t, y);
    VectorXd p = VectorXd::Zero(ne + system_.m);
    p(places_) = at.tail(at.size() - n);
    const BalanceDerivatives d =
        system_.tapes->balance().derivatives(t, y.head(nq), y.tail(n), at.head(n), p);
    MatrixXd defect = -d.drift - d.acceleration;
    defect.topRows(ne) -= exact_constraint_recovery * d.velocity.topRows(ne);
    MatrixXd change(at.size(), nq + n);
    change << d.force - d.load, defect(places_, Eigen::all);
    J << d.coordinate_rate, rate_.solve_again(change).topRows(n);
  }
  void write_time_derivative(double t, VectorIn y, VectorOut f) {
    const Index nq = system_.nq, n = system_.n;
    MatrixXd change = MatrixXd::Zero(rate_.solve(t, y).size(), 1);
    change.topRows(n) = system_.tapes->balance().time_derivatives(t, y.head(nq), y.tail(n)).force;
    f << VectorXd::Zero(nq), rate_.solve_again(change).topRows(n);
  }

 private:
  System system_;
  std::vector<Index> places_;  ///< of [E; G_I] in [E; G]
  EliminatedRate<double> rate_;
};

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> rigid_eliminated(const System& system,
                                                   const InitialStateOf<T>& start) {
  const ContactBasis basis = contact_basis(system, start.q.template cast<double>());
  OdeProblemOf<T> ode;
  ode.t0 = start.t;
  ode.name = "rigid rolling, multiplier eliminated";
  ode.y0.resize(system.nq + system.n);
  ode.y0 << start.q, start.v;
  ode.rhs = EliminatedRate<T>(system, basis);
  const EliminatedDerivatives derivative(system, basis);
  ode.jacobian = [derivative = derivative](double t, VectorIn y, MatrixOut J) mutable {
    derivative.write_jacobian(t, y, J);
  };
  if (system.explicit_time)
    ode.time_derivative = [derivative = derivative](double t, VectorIn y, VectorOut f) mutable {
      derivative.write_time_derivative(t, y, f);
    };
  if constexpr (std::is_same_v<T, double>)
    ode.recorded = [system, q0 = VectorXd(start.q)] { return recorded_eliminated(system, q0); };
  return {std::move(ode), [system, basis](const SolutionOf<T>& solution) {
            return detail::motion_of_blocks<T>(solution, system.nq, system.n,
                                               detail::kkt_multipliers(system, basis, solution));
          }};
}

template MotionProblem<OdeProblem> rigid_eliminated(const System&, const InitialState&);
template MotionProblem<OdeProblemOf<Quad>, Quad> rigid_eliminated(const System&,
                                                                  const InitialStateOf<Quad>&);

}  // namespace rigidlimit
