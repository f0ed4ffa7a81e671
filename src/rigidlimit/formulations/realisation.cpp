#include "rigidlimit/formulations/realisation.hpp"

#include "rigidlimit/core/elimination.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/jacobian.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// The terms of the equations at one state, in the numbers S.
template <class S>
struct Terms {
  Terms(const System& system, const S& t, const VectorX<S>& q, const VectorX<S>& v)
      : M(system.n, system.n),
        rows(system.ne + system.m, system.n),
        q_rate(system.nq),
        force(system.n),
        drift(system.ne + system.m) {
    const Equations<S>& equations = system.in<S>();
    equations.mass_matrix(q, M);
    equations.constraints(q, rows);
    equations.coordinate_rate(q, v, q_rate);
    equations.force(q, v, t, force);
    equations.constraint_drift(q, q_rate, v, drift);
    velocity = rows.lazyProduct(v);
  }
  MatrixX<S> M;
  MatrixX<S> rows;    ///< [E; G]
  VectorX<S> q_rate;  ///< T v
  VectorX<S> force;   ///< F
  VectorX<S> drift;
  VectorX<S> velocity;  ///< [E; G] v
};

/// The law in the numbers S: v' and λ at one state.
template <class S>
class Law {
 public:
  Law(const System& system, const ContactBasis& basis, Realisation kind, const MatrixXd& D,
      double delta, const S& t, const VectorX<S>& q, const VectorX<S>& v)
      : system_(system), basis_(basis), q_(q), v_(v), delta_(delta), at_(system, t, q, v) {
    switch (kind) {
      case Realisation::viscous: viscous(D); break;
      case Realisation::parasitic: parasitic(); break;
      case Realisation::baumgarte:
        hold(contact_rows(at_.rows), -drift() - sliding() / S(delta));
        break;
      case Realisation::inertial: inertial(); break;
    }
  }
  VectorX<S> acceleration;
  VectorX<S> lambda;
  VectorX<S> coordinate_velocity() const {
    VectorX<S> restoring(system_.nq);
    system_.in<S>().restoring_rate(q_, restoring);
    return at_.q_rate + restoring;
  }

 private:
  VectorX<S> sliding() const { return contact_entries(at_.velocity); }
  VectorX<S> drift() const { return contact_entries(at_.drift); }
  VectorX<S> contact_entries(const VectorX<S>& all) const {
    return independent_entries<S>(system_, basis_, all).tail(basis_.rank());
  }
  MatrixX<S> contact_rows(const MatrixX<S>& all) const {
    MatrixX<S> rows(basis_.rank(), system_.n);
    for (Index i = 0; i < basis_.rank(); ++i)
      rows.row(i) = all.row(system_.ne + basis_.rows[static_cast<std::size_t>(i)]);
    return rows;
  }

  /// v' of M v' = F − Eᵀκ − G_Iᵀλ under E v' = … and `rows` v' = right; λ where there are rows.
  void hold(const MatrixX<S>& rows, const VectorX<S>& right) {
    const Index n = system_.n, ne = system_.ne, r = rows.rows();
    MatrixX<S> K = MatrixX<S>::Zero(n + ne + r, n + ne + r);
    VectorX<S> b(n + ne + r);
    K.topLeftCorner(n, n) = at_.M;
    K.block(n, 0, ne, n) = at_.rows.topRows(ne);
    K.block(0, n, n, ne) = at_.rows.topRows(ne).transpose();
    K.bottomLeftCorner(r, n) = rows;
    if (r > 0) K.topRightCorner(n, r) = contact_rows(at_.rows).transpose();
    b.head(n) = at_.force;
    b.segment(n, ne) = -at_.drift.head(ne) - S(exact_constraint_recovery) * at_.velocity.head(ne);
    b.tail(r) = right;
    const VectorX<S> x = solved_by_elimination<S>(std::move(K), std::move(b));
    acceleration = x.head(n);
    if (r == 0) return;
    lambda = VectorX<S>::Zero(system_.m);
    for (Index i = 0; i < r; ++i) lambda(basis_.rows[static_cast<std::size_t>(i)]) = x(n + ne + i);
  }

  void viscous(const MatrixXd& D) {
    const Index m = system_.m;
    lambda = VectorX<S>::Zero(m);
    for (Index i = 0; i < m; ++i)
      for (Index k = 0; k < m; ++k) lambda(i) += S(D(i, k) / delta_) * at_.velocity(system_.ne + k);
    at_.force -= at_.rows.bottomRows(m).transpose().lazyProduct(lambda);
    hold(MatrixX<S>(0, system_.n), VectorX<S>(0));
  }

  void parasitic() {
    const VectorX<S> ahead = q_ + S(delta_) * at_.q_rate;
    MatrixX<S> rows(at_.rows.rows(), system_.n);
    system_.in<S>().constraints(ahead, rows);
    const MatrixX<S> G = contact_rows(rows);
    const VectorX<S> w = G.lazyProduct(v_);
    hold(G, -w / S(delta_));
  }

  /// (M + GᵀG/δ) v' = F − (Gᵀ(∂qG[q'])v + (∂qG[q'])ᵀw − (∂q(Gv))ᵀw)/δ.
  void inertial() {
    const Index n = system_.n, m = system_.m;
    const S weight(1.0 / delta_);
    const MatrixX<S> G = at_.rows.bottomRows(m);
    const VectorX<S> w = at_.velocity.tail(m), bend = at_.drift.tail(m);
    VectorX<S> turning(system_.ne + m), spreading(system_.ne + m);
    at_.force -= weight * G.transpose().lazyProduct(bend);
    for (Index j = 0; j < n; ++j) {
      const VectorX<S> unit = VectorX<S>::Unit(n, j);
      system_.in<S>().constraint_drift(q_, at_.q_rate, unit, turning);
      system_.in<S>().constraint_drift(q_, unit, v_, spreading);
      for (Index i = 0; i < m; ++i)
        at_.force(j) -= weight * w(i) * (turning(system_.ne + i) - spreading(system_.ne + i));
    }
    at_.M += weight * G.transpose().lazyProduct(G);
    hold(MatrixX<S>(0, n), VectorX<S>(0));
    lambda = weight * (G.lazyProduct(acceleration) + bend);
  }

  const System& system_;
  const ContactBasis& basis_;
  const VectorX<S>& q_;
  const VectorX<S>& v_;
  double delta_;
  Terms<S> at_;
};

/// What the callbacks share.
struct RealisedMotion {
  System system;
  ContactBasis basis;
  Realisation kind;
  MatrixXd D;
  double delta;

  template <class S>
  Law<S> law(const S& t, const VectorX<S>& q, const VectorX<S>& v) const {
    return {system, basis, kind, D, delta, t, q, v};
  }
  template <class S>
  VectorX<S> rate(const S& t, const VectorX<S>& y) const {
    const VectorX<S> q = y.head(system.nq), v = y.tail(system.n);
    const Law<S> at = law<S>(t, q, v);
    VectorX<S> f(y.size());
    f << at.coordinate_velocity(), at.acceleration;
    return f;
  }
};

}  // namespace

MotionProblem<OdeProblem> realised(const System& system, const InitialState& start,
                                   Realisation realisation, const MatrixXd& D, double delta) {
  if (realisation == Realisation::inertial && !system.lagrange_coordinates)
    throw InputError(
        "the inertial law takes Lagrange's equations: the velocities must be the rates of the "
        "coordinates");
  const RealisedMotion motion{system, contact_basis(system, start.q), realisation, D, delta};
  OdeProblem ode;
  ode.name = "rolling realised in (q, v)";
  ode.y0.resize(system.nq + system.n);
  ode.y0 << start.q, start.v;
  ode.rhs = [motion](double t, VectorIn y, VectorOut f) {
    f = motion.rate<double>(t, VectorXd(y));
  };
  ode.jacobian = [motion](double t, VectorIn y, MatrixOut J) {
    const auto columns = [&](const VectorX<Directions>& moving) -> Columns {
      return derivatives(motion.rate<Directions>(Directions(t), moving));
    };
    jacobian_by_columns(y, columns, J);
  };
  if (system.explicit_time)
    ode.time_derivative = [motion](double t, VectorIn y, VectorOut f) {
      const VectorX<Directions> fixed = as_constants<Directions>(VectorXd(y));
      f = derivatives(motion.rate<Directions>(time_direction(t), fixed)).col(0);
    };
  return {std::move(ode), [motion](const Solution& solution) {
            const Index nq = motion.system.nq, n = motion.system.n;
            MatrixXd lambda(motion.system.m, solution.states.cols());
            for (Index k = 0; k < lambda.cols(); ++k) {
              const VectorXd q = solution.states.col(k).head(nq);
              const VectorXd v = solution.states.col(k).tail(n);
              const double t = solution.times[static_cast<std::size_t>(k)];
              lambda.col(k) = motion.law<double>(t, q, v).lambda;
            }
            return Motion{.times = solution.times,
                          .q = solution.states.topRows(nq),
                          .v = solution.states.bottomRows(n),
                          .lambda = std::move(lambda)};
          }};
}

}  // namespace rigidlimit
