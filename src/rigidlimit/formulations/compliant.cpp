#include "rigidlimit/formulations/compliant.hpp"

#include <cmath>
#include <type_traits>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/formulations/moving_terms.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

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

/// The right-hand side with its workspace. Products are lazy: of these sizes the call of a kernel
/// would cost more than the product.
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

  /// What the contact force does to v, and η': q' = 0, M v' + Eᵀκ = −Gᵀλ, E v' = 0, ε² η' = G v.
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

  /// (a, κ), (n + ne), and the inertia that they were solved with, for derivatives.
  VectorX<T> accelerations(const T& t, VectorInOf<T> y) {
    const Index nq = system_.nq, n = system_.n;
    system_.in<T>().coordinate_rate(y.head(nq), y.segment(nq, n), q_rate_);
    balance(t, y, q_rate_, true);
    VectorX<T> right(n + system_.ne);
    right << force_, drift_.head(system_.ne);
    return inertia_.solve_whole(right);
  }
  /// The same of stiff().
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
  /// force_ = F − Gᵀλ (or F), drift_ = the rate that E v' must have, and the inertia.
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
/// E ∂a = ∂(…) likewise, so that no linear system is solved in Dual numbers.
class CompliantColumns {
 public:
  CompliantColumns(const System& system, const ViscoelasticLaw& law, double epsilon)
      : system_(system), basis_(independent_contacts(system.m)), rate_(system, law, epsilon) {}

  void prepare(double t, VectorIn y) { at_ = rate_.accelerations(t, y); }

  Columns columns(const Directions& t, const VectorX<Directions>& y) const {
    const Index nq = system_.nq, n = system_.n, m = system_.m, ne = system_.ne;
    const VectorX<Directions> q = y.head(nq), v = y.segment(nq, n);
    const VectorXd a = at_.head(n);
    MovingTerms terms = moving_terms(system_, basis_, t, q, v, a);
    const ContactAt<double>& contact = rate_.contact();
    VectorX<Directions> forces(ne + m);
    forces.head(ne) = as_constants<Directions>(VectorXd(at_.tail(ne)));
    forces.tail(m) = contact.stiffness.lazyProduct(y.tail(m));
    forces.tail(m) += contact.damping.lazyProduct(terms.velocity.tail(m));
    terms.subtract_forces(forces);

    MatrixXd change(n + ne, directions);
    change << derivatives(terms.unbalance),
        derivatives(moving_defect(system_, basis_, q, v, terms, a, ne));
    Columns J(nq + n + m, directions);
    J << derivatives(terms.q_rate), rate_.inertia().solve_whole(change).topRows(n),
        derivatives(terms.velocity).bottomRows(m) / contact.deflection_scale;
    return J;
  }

 private:
  System system_;
  ContactBasis basis_;  ///< of all rows: a compliant contact minds no redundancy
  CompliantRate<double> rate_;
  VectorXd at_;  ///< (a, κ)
};

/// ∂ stiff/∂y, columns of q included: ε² η' = G(q) v makes them as large as the others. Implicitly,
/// as above, M ∂a + Eᵀ∂κ = −∂(Gᵀλ + Eᵀκ + M a|a, κ fixed) and E ∂a = −∂(E a|a fixed).
class StiffColumns {
 public:
  StiffColumns(const System& system, const ViscoelasticLaw& law, double epsilon)
      : system_(system), rate_(system, law, epsilon) {}

  void prepare(VectorIn y) { at_ = rate_.accelerations_of_contact(y); }

  Columns columns(const VectorX<Directions>& y) const {
    const Index nq = system_.nq, n = system_.n, m = system_.m, ne = system_.ne;
    const Equations<Directions>& equations = system_.in<Directions>();
    const VectorX<Directions> q = y.head(nq), a = as_constants<Directions>(VectorXd(at_.head(n)));
    MatrixX<Directions> rows(ne + m, n);
    equations.constraints(q, rows);
    const VectorX<Directions> w = rows.bottomRows(m).lazyProduct(y.segment(nq, n));
    VectorX<Directions> forces(ne + m), unbalance(n + ne), inertia(n);
    forces.head(ne) = as_constants<Directions>(VectorXd(at_.tail(ne)));
    forces.tail(m) = rate_.contact().stiffness.lazyProduct(y.tail(m));
    forces.tail(m) += rate_.contact().damping.lazyProduct(w);
    equations.inertia_force(q, a, inertia);
    unbalance.head(n) = -inertia - rows.transpose().lazyProduct(forces);
    unbalance.tail(ne) = -rows.topRows(ne).lazyProduct(a);

    Columns J = Columns::Zero(nq + n + m, directions);
    J.middleRows(nq, n) = rate_.inertia().solve_whole(derivatives(unbalance)).topRows(n);
    J.bottomRows(m) = derivatives(w) / rate_.contact().deflection_scale;
    return J;
  }

 private:
  System system_;
  CompliantRate<double> rate_;
  VectorXd at_;  ///< (a, κ) of the contact force
};

/// Each callback owns its workspace.
Splitting splitting_of(const CompliantRate<double>& rate, const StiffColumns& derivative) {
  return {.stiff = [rate = rate](double, VectorIn y, VectorOut f) mutable { rate.stiff(y, f); },
          .rest = [rate = rate](double t, VectorIn y, VectorOut f) mutable { rate.rest(t, y, f); },
          .stiff_jacobian =
              [derivative = derivative](double, VectorIn y, MatrixOut J) mutable {
                derivative.prepare(y);
                const auto columns = [&](const VectorX<Directions>& moving) {
                  return derivative.columns(moving);
                };
                jacobian_by_columns(y, columns, J);
              }};
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
  ode.name = "viscoelastic rolling in (q, v, eta)";
  ode.y0.resize(nq + n + m);
  ode.y0 << start.q, start.v, eta0.cast<T>();
  ode.rhs = rate;
  give_derivatives(ode, system.explicit_time, CompliantColumns(system, law, epsilon));
  if constexpr (std::is_same_v<T, double>)
    ode.splitting =
        std::make_shared<const Splitting>(splitting_of(rate, StiffColumns(system, law, epsilon)));
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
