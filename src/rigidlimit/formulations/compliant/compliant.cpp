#include "rigidlimit/formulations/compliant/compliant.hpp"

#include <cmath>
#include <type_traits>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

namespace {

/// λ as a function of the deflection and the sliding velocity, at one ε.
template <class T>
struct ContactAt {
  MatrixX<T> stiffness;  ///< C
  MatrixX<T> damping;    ///< D ε^(−β)
  T deflection_scale;    ///< ε²

  ContactAt(const ViscoelasticLaw& law, double epsilon)
      : stiffness(law.stiffness.cast<T>()), deflection_scale(T(epsilon) * T(epsilon)) {
    using std::pow;
    const T scale = pow(T(epsilon), T(-law.damping_exponent));
    damping = law.damping.cast<T>() * scale;
  }
};

/// The right-hand side with its workspace. Products are lazy: at these sizes a kernel call costs
/// more than the product.
template <class T>
class CompliantRate {
 public:
  CompliantRate(const System& system, const ViscoelasticLaw& law, double epsilon)
      : system_(system),
        contact_(law, epsilon),
        rows_(system.ne + system.m, system.n),
        velocity_(system.ne + system.m),
        lambda_(system.m),
        force_(system.n),
        q_rate_(system.nq),
        drift_(system.ne + system.m) {}

  void operator()(const T& t, VectorInOf<T> y, VectorOutOf<T> f) { rate(t, y, true, f); }

  /// f, or its q' and v' as if λ were zero.
  void rate(const T& t, VectorInOf<T> y, bool with_contact, VectorOutOf<T> f) {
    const Index nq = system_.nq, n = system_.n, m = system_.m;
    const auto q = y.head(nq), v = y.segment(nq, n);
    const Equations<T>& equations = system_.in<T>();
    equations.coordinate_rate(q, v, f.head(nq));
    balance(t, y, f.head(nq), with_contact);
    inertia_.solve(force_, drift_.head(system_.ne), f.segment(nq, n));
    f.tail(m) = velocity_.tail(m) / contact_.deflection_scale;
    if (system_.ni > 0) {
      equations.restoring_rate(q, q_rate_);
      f.head(nq) += q_rate_;
    }
  }

  /// The effect of the contact force on v, and η': q' = 0, M v' + Eᵀκ = −Gᵀλ, E v' = 0, ε² η' = G
  /// v.
  void stiff(VectorInOf<T> y, VectorOutOf<T> f) {
    const Index nq = system_.nq, n = system_.n, m = system_.m;
    contact_force(y);
    force_ = -rows_.bottomRows(m).transpose().lazyProduct(lambda_);
    drift_.head(system_.ne).setZero();
    inertia_.compute(system_, y.head(nq), rows_);
    f.head(nq).setZero();
    inertia_.solve(force_, drift_.head(system_.ne), f.segment(nq, n));
    f.tail(m) = velocity_.tail(m) / contact_.deflection_scale;
  }

  /// The rest of f: the motion without the contacts, and η' = 0.
  void rest(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    rate(t, y, false, f);
    f.tail(system_.m).setZero();
  }

  /// λ (m) at y.
  const VectorX<T>& contact_force(VectorInOf<T> y) {
    const Index nq = system_.nq, n = system_.n, m = system_.m;
    system_.in<T>().constraints(y.head(nq), rows_);
    velocity_ = rows_.lazyProduct(y.segment(nq, n));
    lambda_ = contact_.stiffness.lazyProduct(y.tail(m));
    lambda_ += contact_.damping.lazyProduct(velocity_.tail(m));
    return lambda_;
  }

  /// (a, κ), (n + ne), and the factorised inertia, for derivatives.
  VectorX<T> accelerations(const T& t, VectorInOf<T> y) {
    const Index nq = system_.nq, n = system_.n;
    system_.in<T>().coordinate_rate(y.head(nq), y.segment(nq, n), q_rate_);
    balance(t, y, q_rate_, true);
    VectorX<T> right(n + system_.ne);
    right << force_, drift_.head(system_.ne);
    return inertia_.solve_whole(right);
  }
  /// The same for stiff().
  VectorX<T> accelerations_of_contact(VectorInOf<T> y) {
    const Index ne = system_.ne, m = system_.m;
    contact_force(y);
    VectorX<T> right = VectorX<T>::Zero(system_.n + ne);
    right.head(system_.n) -= rows_.bottomRows(m).transpose().lazyProduct(lambda_);
    inertia_.compute(system_, y.head(system_.nq), rows_);
    return inertia_.solve_whole(right);
  }
  const Inertia<T>& inertia() const { return inertia_; }
  const ContactAt<T>& contact() const { return contact_; }

 private:
  /// force_ = F − Gᵀλ (or F), drift_ = the required E v', and the inertia.
  void balance(const T& t, VectorInOf<T> y, VectorInOf<T> q_rate, bool with_contact) {
    const Index ne = system_.ne, m = system_.m;
    const auto q = y.head(system_.nq), v = y.segment(system_.nq, system_.n);
    const Equations<T>& equations = system_.in<T>();
    contact_force(y);
    equations.force(q, v, t, force_);
    if (with_contact) force_ -= rows_.bottomRows(m).transpose().lazyProduct(lambda_);
    if (ne > 0) {
      equations.constraint_drift(q, q_rate, v, drift_);
      drift_.head(ne) = -drift_.head(ne) - T(exact_constraint_recovery) * velocity_.head(ne);
    }
    inertia_.compute(system_, q, rows_);
  }

  System system_;
  ContactAt<T> contact_;
  Inertia<T> inertia_;
  MatrixX<T> rows_;      ///< [E; G]
  VectorX<T> velocity_;  ///< [E; G] v
  VectorX<T> lambda_;
  VectorX<T> force_;
  VectorX<T> q_rate_;
  VectorX<T> drift_;
};

/// a = v' is differentiated implicitly, M ∂a + Eᵀ∂κ = ∂(F − Gᵀλ − Eᵀκ − M a|a, κ fixed) and
/// E ∂a = ∂(…) likewise.
class CompliantDerivatives {
 public:
  CompliantDerivatives(const System& system, const ViscoelasticLaw& law, double epsilon)
      : system_(system), rate_(system, law, epsilon) {}

  void write_jacobian(double t, VectorIn y, MatrixOut J) {
    const Index ne = system_.ne, m = system_.m;
    const VectorXd at = rate_.accelerations(t, y);
    const BalanceDerivatives d = derivatives(t, y, at);
    MatrixXd change(system_.n + ne, J.cols());
    change.topRows(system_.n) = change_of_contact(y, d);
    change.topRows(system_.n).leftCols(d.force.cols()) += d.force - d.load;
    change.bottomLeftCorner(ne, d.force.cols()) =
        (-d.drift - d.acceleration - exact_constraint_recovery * d.velocity).topRows(ne);
    change.bottomRightCorner(ne, m).setZero();
    write(d, change, J);
    J.topLeftCorner(system_.nq, d.force.cols()) = d.coordinate_rate;
  }
  void write_time_derivative(double t, VectorIn y, VectorOut f) {
    const Index nq = system_.nq, n = system_.n;
    rate_.accelerations(t, y);
    VectorXd change = VectorXd::Zero(n + system_.ne);
    change.head(n) =
        system_.tapes->balance().time_derivatives(t, y.head(nq), y.segment(nq, n)).force;
    f.setZero();
    f.segment(nq, n) = rate_.inertia().solve_whole(change).topRows(n);
  }

  /// ∂ stiff/∂y, columns of q included: ε² η' = G(q) v makes them as large as the others.
  void write_stiff_jacobian(double t, VectorIn y, MatrixOut J) {
    const VectorXd at = rate_.accelerations_of_contact(y);
    const BalanceDerivatives d = derivatives(t, y, at);
    MatrixXd change = MatrixXd::Zero(system_.n + system_.ne, J.cols());
    change.topRows(system_.n) = change_of_contact(y, d);
    change.topRows(system_.n).leftCols(d.load.cols()) -= d.load;
    change.bottomLeftCorner(system_.ne, d.load.cols()) = -d.acceleration.topRows(system_.ne);
    write(d, change, J);
  }

 private:
  /// At (a, κ) and the contact force of y.
  BalanceDerivatives derivatives(double t, VectorIn y, const VectorXd& at) {
    const Index nq = system_.nq, n = system_.n;
    VectorXd p(system_.ne + system_.m);
    p << at.tail(system_.ne), rate_.contact_force(y);
    return system_.tapes->balance().derivatives(t, y.head(nq), y.segment(nq, n), at.head(n), p);
  }
  /// −Gᵀ∂λ.
  MatrixXd change_of_contact(VectorIn y, const BalanceDerivatives& d) const {
    const Index n = system_.n, m = system_.m;
    MatrixXd rows(system_.ne + m, n), change(n, y.size());
    system_.in<double>().constraints(y.head(system_.nq), rows);
    const MatrixXd by_velocity = rate_.contact().damping.lazyProduct(d.velocity.bottomRows(m));
    const auto pull = rows.bottomRows(m).transpose();
    change << pull.lazyProduct(by_velocity), pull.lazyProduct(rate_.contact().stiffness);
    return -change;
  }
  /// Changes of v' from the accelerating force, of η' from G v, of q' zero.
  void write(const BalanceDerivatives& d, const MatrixXd& change, MatrixOut J) const {
    J.setZero();
    J.middleRows(system_.nq, system_.n) = rate_.inertia().solve_whole(change).topRows(system_.n);
    J.bottomLeftCorner(system_.m, d.velocity.cols()) =
        d.velocity.bottomRows(system_.m) / rate_.contact().deflection_scale;
  }

  System system_;
  CompliantRate<double> rate_;
};

/// Each callback owns its workspace.
Splitting splitting_of(const CompliantRate<double>& rate, const CompliantDerivatives& derivative) {
  return {.stiff = [rate = rate](double, VectorIn y, VectorOut f) mutable { rate.stiff(y, f); },
          .rest = [rate = rate](double t, VectorIn y, VectorOut f) mutable { rate.rest(t, y, f); },
          .stiff_jacobian = [derivative = derivative](
                                double t, VectorIn y,
                                MatrixOut J) mutable { derivative.write_stiff_jacobian(t, y, J); }};
}

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> compliant_ode(const System& system,
                                                const InitialStateOf<T>& start,
                                                const ViscoelasticLaw& law, double epsilon,
                                                const VectorXd& eta0) {
  const Index nq = system.nq, n = system.n, m = system.m;
  const CompliantRate<T> rate(system, law, epsilon);
  OdeProblemOf<T> ode;
  ode.t0 = start.t;
  ode.name = "viscoelastic rolling in (q, v, eta)";
  ode.y0.resize(nq + n + m);
  ode.y0 << start.q, start.v, eta0.cast<T>();
  ode.rhs = rate;
  const CompliantDerivatives derivative(system, law, epsilon);
  ode.jacobian = [derivative = derivative](double t, VectorIn y, MatrixOut J) mutable {
    derivative.write_jacobian(t, y, J);
  };
  if (system.explicit_time)
    ode.time_derivative = [derivative = derivative](double t, VectorIn y, VectorOut f) mutable {
      derivative.write_time_derivative(t, y, f);
    };
  if constexpr (std::is_same_v<T, double>)
    ode.splitting = std::make_shared<const Splitting>(splitting_of(rate, derivative));
  return {std::move(ode), [rate, nq, n, m](const SolutionOf<T>& solution) {
            CompliantRate<T> workspace = rate;
            typename MotionOf<T>::Values lambda(m, solution.states.cols());
            for (Index k = 0; k < lambda.cols(); ++k)
              lambda.col(k) = workspace.contact_force(solution.states.col(k));
            return MotionOf<T>{.times = solution.times,
                               .q = solution.states.topRows(nq),
                               .v = solution.states.middleRows(nq, n),
                               .lambda = std::move(lambda)};
          }};
}

template MotionProblem<OdeProblem> compliant_ode(const System&, const InitialState&,
                                                 const ViscoelasticLaw&, double, const VectorXd&);
template MotionProblem<OdeProblemOf<Quad>, Quad> compliant_ode(const System&,
                                                               const InitialStateOf<Quad>&,
                                                               const ViscoelasticLaw&, double,
                                                               const VectorXd&);

}  // namespace rigidlimit
