#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/formulations/rigid/rigid_motion.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"

namespace rigidlimit {

namespace {

/// ρ.
double weight_of_exact_rows(const System& system, const VectorXd& q) {
  if (system.ne == 0) return 0.0;
  MatrixXd M(system.n, system.n), rows(system.ne + system.m, system.n);
  system.in<double>().mass_matrix(q, M);
  system.in<double>().constraints(q, rows);
  const MatrixXd E = rows.topRows(system.ne);
  return M.cwiseAbs().maxCoeff() / MatrixXd(E.transpose().lazyProduct(E)).cwiseAbs().maxCoeff();
}

/// J x: x, or its halves exchanged for a tangent lift, whose EᵀJE is the lift of EᵀE.
template <class T>
MatrixX<T> exchanged(const System& system, const MatrixX<T>& x) {
  if (!system.recorded->lifted_mass) return x;
  MatrixX<T> y(x.rows(), x.cols());
  y << x.bottomRows(x.rows() / 2), x.topRows(x.rows() / 2);
  return y;
}

template <class T>
class SemiExplicitRate {
 public:
  SemiExplicitRate(const System& system, const ContactBasis& basis, double weight)
      : system_(system),
        basis_(basis),
        weight_(weight),
        indefinite_(system.recorded->lifted_mass),
        all_rows_(system.ne + system.m, system.n),
        rows_(system.ne + basis.rank(), system.n),
        mass_(system.n, system.n),
        force_(system.n),
        q_rate_(system.nq) {}

  void operator()(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    const Index nq = system_.nq, n = system_.n;
    const auto q = y.head(nq), v = y.segment(nq, n);
    f.segment(nq, n) = acceleration(t, y);
    f.tail(rows_.rows()) = rows_.lazyProduct(v);
    f.segment(nq + n, system_.ne) -= system_.exact_rates().template cast<T>();
    system_.in<T>().coordinate_rate(q, v, f.head(nq));
    if (system_.ni > 0) {
      system_.in<T>().restoring_rate(q, q_rate_);
      f.head(nq) += q_rate_;
    }
  }

  /// v' (n).
  const VectorX<T>& acceleration(const T& t, VectorInOf<T> y) {
    const Index nq = system_.nq, n = system_.n, ne = system_.ne;
    const auto q = y.head(nq), v = y.segment(nq, n);
    const Equations<T>& equations = system_.in<T>();
    equations.constraints(q, all_rows_);
    rows_.topRows(ne) = all_rows_.topRows(ne);
    for (Index i = 0; i < basis_.rank(); ++i)
      rows_.row(ne + i) = all_rows_.row(ne + basis_.rows[static_cast<std::size_t>(i)]);
    equations.force(q, v, t, force_);
    force_ -= rows_.transpose().lazyProduct(y.tail(rows_.rows()));
    equations.mass_matrix(q, mass_);
    if (ne > 0)
      mass_ += weight_ *
               rows_.topRows(ne).transpose().lazyProduct(exchanged<T>(system_, rows_.topRows(ne)));
    if (indefinite_)
      lu_.compute(mass_);
    else
      cholesky_.compute(mass_);
    solve_in_place(force_);
    return force_;
  }
  const MatrixX<T>& rows() const { return rows_; }  ///< [E; G_I] of the last call
  MatrixX<T> solve_again(MatrixX<T> right) const {
    solve_in_place(right);
    return right;
  }

 private:
  template <class Right>
  void solve_in_place(Right& right) const {
    if (indefinite_)
      lu_.solve_in_place(right);
    else
      cholesky_.solve_in_place(right);
  }

  System system_;
  ContactBasis basis_;
  T weight_;
  bool indefinite_;
  MatrixX<T> all_rows_, rows_, mass_;
  VectorX<T> force_, q_rate_;
  SmallCholesky<T> cholesky_;  ///< of M₊
  SmallLu<T> lu_;              ///< of the M₊ of a tangent lift
};

/// v' is differentiated implicitly.
class SemiExplicitDerivatives {
 public:
  SemiExplicitDerivatives(const System& system, const ContactBasis& basis, double weight)
      : system_(system),
        places_(independent_places(basis, system.ne)),
        weight_(weight),
        rate_(system, basis, weight) {}

  void write_jacobian(double t, VectorIn y, MatrixOut J) {
    const Index nq = system_.nq, n = system_.n, ne = system_.ne;
    const auto held = static_cast<Index>(places_.size());
    const VectorXd a = rate_.acceleration(t, y);
    const MatrixXd X = rate_.rows(), E = X.topRows(ne);
    VectorXd p = VectorXd::Zero(ne + system_.m);
    p(places_) = y.tail(held);
    p.head(ne) += weight_ * exchanged<double>(system_, E * a);  // M₊ a = M a + Eᵀ (ρ J E a)
    const BalanceDerivatives d =
        system_.tapes->balance().derivatives(t, y.head(nq), y.segment(nq, n), a, p);
    MatrixXd change(n, J.cols());
    change << d.force - d.load -
                  weight_ * E.transpose().lazyProduct(
                                exchanged<double>(system_, d.acceleration.topRows(ne))),
        -X.transpose();
    J.setZero();
    J.topLeftCorner(nq, nq + n) = d.coordinate_rate;
    J.middleRows(nq, n) = rate_.solve_again(change);
    J.bottomLeftCorner(held, nq + n) = d.velocity(places_, Eigen::all);
  }
  void write_time_derivative(double t, VectorIn y, VectorOut f) {
    const Index nq = system_.nq, n = system_.n;
    rate_.acceleration(t, y);
    f.setZero();
    f.segment(nq, n) = rate_.solve_again(
        system_.tapes->balance().time_derivatives(t, y.head(nq), y.segment(nq, n)).force);
  }

 private:
  System system_;
  std::vector<Index> places_;  ///< of [E; G_I] in [E; G]
  double weight_;
  SemiExplicitRate<double> rate_;
};

}  // namespace

template <class T>
MotionProblem<MassProblemOf<T>, T> rigid_semi_explicit(const System& system,
                                                       const InitialStateOf<T>& start) {
  const Index nq = system.nq, n = system.n, ne = system.ne;
  const VectorXd q0 = start.q.template cast<double>();
  const ContactBasis basis = contact_basis(system, q0);
  const Index r = basis.rank(), size = nq + n + ne + r;
  const double weight = weight_of_exact_rows(system, q0);
  const KktSolution<T> kkt = solve_kkt<T>(system, basis, start.q, start.v, T(start.t));
  const MatrixX<T> rows = independent_rows<T>(system, basis, start.q);
  MassProblemOf<T> dae;
  dae.t0 = start.t;
  dae.name = "rigid rolling, semi-explicit, index 2";
  dae.y0.resize(size);
  dae.y0.head(nq + n) << start.q, start.v;
  dae.y0.segment(nq + n, ne) =
      kkt.exact_multiplier -
      T(weight) * exchanged<T>(system, rows.topRows(ne).lazyProduct(kkt.acceleration));
  for (Index i = 0; i < r; ++i)
    dae.y0(nq + n + ne + i) = kkt.multiplier(basis.rows[static_cast<std::size_t>(i)]);
  dae.rhs = SemiExplicitRate<T>(system, basis, weight);
  const SemiExplicitDerivatives derivative(system, basis, weight);
  dae.jacobian = [derivative = derivative](double t, VectorIn y, MatrixOut J) mutable {
    derivative.write_jacobian(t, y, J);
  };
  if (system.explicit_time)
    dae.time_derivative = [derivative = derivative](double t, VectorIn y, VectorOut f) mutable {
      derivative.write_time_derivative(t, y, f);
    };
  dae.mass = MatrixXd::Identity(size, size);
  dae.mass.bottomRightCorner(ne + r, ne + r).setZero();
  dae.index.assign(static_cast<std::size_t>(size), 0);
  std::fill(dae.index.end() - (ne + r), dae.index.end(), 2);
  return {std::move(dae), [nq, n, basis](const SolutionOf<T>& solution) {
            const MatrixX<T> contact = solution.states.bottomRows(basis.rank());
            return detail::motion_of_blocks<T>(solution, nq, n,
                                               detail::all_multipliers<T>(basis, contact));
          }};
}

template MotionProblem<MassProblemOf<double>> rigid_semi_explicit(const System&,
                                                                  const InitialState&);
template MotionProblem<MassProblemOf<Quad>, Quad> rigid_semi_explicit(const System&,
                                                                      const InitialStateOf<Quad>&);

}  // namespace rigidlimit
